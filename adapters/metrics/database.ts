import { Gauge, type Registry } from 'prom-client';
import { within } from '#application/within.ts';

/** What is begun and not settled, of one kind. */
interface Unfinished {
  readonly process: string;
  readonly count: number;
  /** Of the oldest, in seconds. */
  readonly age: number;
}

/** How many connections there are, and who waits for one. */
interface Connections {
  readonly open: number;
  readonly idle: number;
  readonly waiting: number;
}

export interface Watched {
  /** Undefined where there is no pool. */
  readonly connections: (() => Connections) | undefined;
  /** Asks the store, and nothing that grows with it. */
  readonly unfinished: () => Promise<readonly Unfinished[]>;
}

/** How long a scrape waits for the database, in milliseconds: when it is away, that is what has to be seen. */
const patience = 250;

/**
 * Says how the store is. Where it does not answer at once, what it would have said is left out.
 * @returns asks it; to be awaited before the registry is read
 */
export const watchStore =
  (registry: Registry) =>
  ({ connections, unfinished }: Watched): (() => Promise<void>) => {
    const registers = [registry];
    if (connections !== undefined) watchPool(registry, connections);
    const labelNames = ['process'];
    const count = new Gauge({
      name: 'portico_unfinished_processes',
      help: 'Payments and refunds that were begun and are not settled. 1000 means at least so many.',
      labelNames,
      registers,
    });
    const oldest = new Gauge({
      name: 'portico_unfinished_process_oldest_age_seconds',
      help: 'How long ago the oldest of them was begun.',
      labelNames,
      registers,
    });
    const up = new Gauge({
      name: 'portico_database_up',
      help: '1 when the database answered this scrape, 0 when it did not within 250 ms.',
      registers,
    });

    let asked: Promise<readonly Unfinished[]> | undefined;
    /** Whoever is slow to answer is not asked once more meanwhile. */
    const ask = (): Promise<readonly Unfinished[]> => {
      asked ??= unfinished().finally(() => {
        asked = undefined;
      });
      return asked;
    };

    return async () => {
      const found = await within(
        patience,
        // A database that cannot be asked is what `up` tells.
        ask().catch(() => undefined),
        undefined,
      );
      up.set(found === undefined ? 0 : 1);
      count.reset();
      oldest.reset();
      for (const { process, count: number, age } of found ?? []) {
        count.set({ process }, number);
        oldest.set({ process }, age);
      }
    };
  };

const watchPool = (registry: Registry, connections: () => Connections): void => {
  new Gauge({
    name: 'portico_database_connections',
    help: 'Connections of this process to the database, by state, and units of work that wait for one.',
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
