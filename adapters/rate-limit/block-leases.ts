import type { QuotaStore, WindowState } from '#adapters/support/quota-store.ts';
import { endOfTurn, sleep } from '#adapters/support/time.ts';
import type { KeyWindow } from './key-window.ts';

interface Options {
  /** The quotas of the keys that have this limit. */
  readonly quotasOf: (limit: number) => QuotaStore;
  /** The store's time, in milliseconds since 1970. */
  readonly now: () => number;
  /** How long requests wait for a response of the store, in milliseconds. A later response is still used. */
  readonly timeoutMs: number;
  /** How long requests do not wait for the store after a failure, in milliseconds. */
  readonly backoffMs: number;
  readonly onFailure: (window: KeyWindow, error: unknown) => void;
  readonly onForget: (window: KeyWindow) => void;
  /** Called when a lease does not fit the time. */
  readonly onMistimed: () => void;
}

type Send = (quotas: QuotaStore, windows: readonly KeyWindow[]) => Promise<readonly WindowState[]>;

/** Maximum number of keys in one statement. */
const maxBatchSize = 500;

/** How long shutdown waits for the store, in milliseconds. */
const closeTimeoutMs = 2_000;

/**
 * Leases, returns and reads rate-limit blocks in batches: one statement is in flight at a time, and windows added meanwhile share the
 * next. So the responses for a key arrive in order. Keys with different limits have statements of their own.
 */
export const blockLeases = (options: Options) => {
  const { quotasOf, now, timeoutMs, backoffMs, onFailure, onForget, onMistimed } = options;
  const pending = new Set<KeyWindow>();
  let running: Promise<void> | undefined;
  let sentAt: number | undefined;
  let failedAt = Number.NEGATIVE_INFINITY;

  /** Sends one statement for each limit that the windows have. */
  const call = async (windows: readonly KeyWindow[] = [], send: Send): Promise<void> => {
    for (const [limit, sameLimit] of Map.groupBy(windows, (window) => window.limit))
      await callFor(limit, sameLimit, send);
  };

  const callFor = async (limit: number, windows: readonly KeyWindow[], send: Send): Promise<void> => {
    sentAt = performance.now();
    try {
      const sent = send(quotasOf(limit), windows);
      const states = new Map((await sent).map((state) => [state.key, state]));
      for (const window of windows) window.receive(states.get(window.key), now(), limit);
      if (windows.some(({ isMistimed }) => isMistimed)) onMistimed();
    } catch (error) {
      failedAt = performance.now();
      for (const window of windows) onFailure(window, error);
    }
    sentAt = undefined;
  };

  const runBatch = async (batch: readonly KeyWindow[]): Promise<void> => {
    const time = now();
    const startedAt = performance.now();
    const steps = Map.groupBy(batch, (window) => window.nextStep(time));
    steps.get('forget')?.forEach(onForget);
    await call(steps.get('return'), (quotas, windows) =>
      quotas.returnBlocks(windows.map((window) => window.releaseSpare(time))),
    );
    await call(steps.get('lease'), (quotas, windows) =>
      quotas.lease(windows.map((window) => window.request(now()))),
    );
    await call(steps.get('read'), (quotas, windows) => quotas.read(windows.map(({ key }) => key)));
    for (const window of batch) {
      pending.delete(window);
      const step = window.nextStep(now());
      // What came up during the calls. After a failure it waits for the next sweep.
      if (failedAt < startedAt && (step === 'lease' || step === 'return')) pending.add(window);
    }
  };

  const run = async (): Promise<void> => {
    while (pending.size > 0) {
      await endOfTurn();
      await runBatch([...pending].slice(0, maxBatchSize));
    }
    running = undefined;
  };

  return {
    /** False after a failure, and while the store exceeds its timeout. */
    isAvailable: (): boolean => {
      const time = performance.now();
      return time - (sentAt ?? time) < timeoutMs && time - failedAt >= backoffMs;
    },
    /** Carries out the next step of a window. */
    add: (window: KeyWindow): void => {
      pending.add(window);
      running ??= run();
    },
    /** Resolves when all steps have been carried out, or after a timeout. */
    settled: async (): Promise<void> => {
      await Promise.race([running, sleep(closeTimeoutMs, { ref: false })]);
    },
  };
};
