import { Gauge, type Registry } from 'prom-client';
import { withTimeout } from '#adapters/support/timeout.ts';
import type { Clock } from '#application/ports/system.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import { processNames } from '#application/use-case.ts';
import { Instant } from '#domain/instant.ts';

/** Processes of one kind that have begun and are not settled. */
interface PendingProcesses {
  readonly process: string;
  readonly count: number;
  /** Of the oldest, in seconds. */
  readonly age: number;
}

/** The connection pool of this process. */
interface PoolStats {
  readonly open: number;
  readonly idle: number;
  /** Units of work that wait for a connection. */
  readonly waiting: number;
}

export interface DatabaseProbe {
  /** Undefined where there is no pool. */
  readonly connections: (() => PoolStats) | undefined;
  /** One cheap query: its cost must not grow with the store. */
  readonly pendingProcesses: () => Promise<readonly PendingProcesses[]>;
}

/** How long a scrape waits for the database. A scrape must not fail just because the database is unavailable. */
const scrapeTimeoutMs = 250;

/**
 * Metrics of the database. When it does not respond in time, the series with its counts are omitted.
 * @returns opens the metrics of a store; the result refreshes them and must be awaited before each scrape
 */
export const measuredDatabase = (registry: Registry) => {
  const registers = [registry];
  return ({ connections, pendingProcesses }: DatabaseProbe): (() => Promise<void>) => {
    if (connections !== undefined) measuredPool(registry, connections);
    const labelNames = ['process'] as const;
    const counts = new Gauge({
      name: 'portico_unfinished_processes',
      help: 'Payments, cancellations, refunds and captures that have begun and are not settled. 1000 means 1000 or more.',
      labelNames,
      registers,
    });
    const ages = new Gauge({
      name: 'portico_unfinished_process_oldest_age_seconds',
      help: 'How long ago the oldest of them began.',
      labelNames,
      registers,
    });
    const isUp = new Gauge({
      name: 'portico_database_up',
      help: '1 when the database responded to this scrape within 250 ms, otherwise 0.',
      registers,
    });

    let pending: Promise<readonly PendingProcesses[]> | undefined;
    /** A slow database gets one query at a time, however often it is scraped. */
    const query = (): Promise<readonly PendingProcesses[]> => {
      pending ??= pendingProcesses().finally(() => {
        pending = undefined;
      });
      return pending;
    };

    return async () => {
      const found = await withTimeout(
        scrapeTimeoutMs,
        // The gauge below shows an error as it shows a timeout.
        query().catch(() => undefined),
        undefined,
      );
      isUp.set(found === undefined ? 0 : 1);
      counts.reset();
      ages.reset();
      for (const { process, count, age } of found ?? []) {
        counts.set({ process }, count);
        ages.set({ process }, age);
      }
    };
  };
};

const measuredPool = (registry: Registry, connections: () => PoolStats): void => {
  new Gauge({
    name: 'portico_database_connections',
    help: 'Connections of this process to the database by state, and units of work that wait for one.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const { open, idle, waiting } = connections();
      this.set({ state: 'busy' }, open - idle);
      this.set({ state: 'idle' }, idle);
      this.set({ state: 'waiting' }, waiting);
    },
  });
};

/** Bounds one query. A gauge that stands at this count is an alert already. */
const maxCount = 1000;

/** Later than the end of any lease. */
const oneYearMs = 366 * 24 * 3_600_000;

/** Counts the processes that have begun at the provider and are not settled, with the age of the oldest. */
export const countPendingProcesses =
  ({ unitOfWork, clock }: { readonly unitOfWork: UnitOfWork; readonly clock: Clock }) =>
  async () => {
    const now = clock.now();
    // If the clock has been set back, some began in the future. This bound includes them.
    const bound = Instant.plus(now, oneYearMs);
    const records = await unitOfWork.read(({ idempotencyKeys }) =>
      idempotencyKeys.findStale({ createdBefore: bound, now: bound, leaseMs: 0, limit: maxCount }),
    );
    return processNames.map((process) => {
      const ages = records
        .filter(({ lease }) => lease?.process === process)
        .map(({ createdAt }) => Instant.milliseconds(now) - Instant.milliseconds(createdAt));
      return { process, count: ages.length, age: Math.max(0, ...ages) / 1000 };
    });
  };
