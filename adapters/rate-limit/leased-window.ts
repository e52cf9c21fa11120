import type { QuotaStore, RateLimit } from '#adapters/support/quota-store.ts';
import { ApplicationError, UnavailableError } from '#application/errors.ts';
import type { Allowance, RateLimiter } from '#application/ports/rate-limiter.ts';
import type { ApiKeyId } from '#domain/api-key.ts';
import { blockLeases } from './block-leases.ts';
import { KeyWindow } from './key-window.ts';

interface Options extends RateLimit {
  /** The quotas of keys that have this limit; all share the same windows. */
  readonly quotas: (rateLimit: RateLimit) => QuotaStore;
  /** The store's time, in milliseconds since 1970. */
  readonly now: () => number;
  /** Called when a window of the store does not fit `now`, so that the store's time is measured anew. */
  readonly onMistimed?: () => void;
  /**
   * What happens while the store is unavailable: requests are rejected as unavailable, or counted by this process alone,
   * which the store counts later. The latter suits a store that can still serve reads.
   */
  readonly withoutStore?: 'reject' | 'count locally';
}

interface LeasedLimiter extends RateLimiter {
  /** Returns the leased quota to the store. */
  close(): Promise<void>;
}

/** Interval at which all windows are checked, in milliseconds. */
const sweepIntervalMs = 50;

/** Timeout and backoff of the store, in milliseconds. Where requests cannot be counted locally, each tries the store. */
const storeTimeouts = {
  reject: { timeoutMs: 2_000, backoffMs: 0 },
  'count locally': { timeoutMs: 50, backoffMs: 500 },
};

/** Interval at which ended windows are deleted from the store, in milliseconds, and how many at once. */
const purge = { intervalMs: 60_000, maxBatchSize: 1_000 };

/**
 * A fixed-window rate limiter for several processes. Each leases blocks of a key's quota from the store, ahead of use, and
 * consumes them in memory, so that few requests wait for the store. Unused quota is returned soon.
 */
export const leasedWindowLimiter = (options: Options): LeasedLimiter => {
  const { quotas, now, limit, windowMilliseconds, withoutStore = 'reject' } = options;
  const countsLocally = withoutStore === 'count locally';
  const windows = new Map<ApiKeyId, KeyWindow>();

  const byLimit = new Map<number, QuotaStore>();
  const quotasOf = (limitOfKeys: number): QuotaStore => {
    const known = byLimit.get(limitOfKeys) ?? quotas({ limit: limitOfKeys, windowMilliseconds });
    byLimit.set(limitOfKeys, known);
    return known;
  };

  const serveWithoutStore = (window: KeyWindow, error: unknown): void => {
    if (countsLocally && isUnavailable(error)) window.serveWaitingAlone(now());
    else window.rejectWaiting(error);
  };

  const leases = blockLeases({
    quotasOf,
    now,
    ...storeTimeouts[withoutStore],
    onFailure: serveWithoutStore,
    onForget: ({ key }) => windows.delete(key),
    onMistimed: options.onMistimed ?? (() => undefined),
  });

  const sweep = (): void => {
    const failure = leases.isAvailable() ? undefined : unavailable();
    const time = now();
    for (const window of windows.values()) {
      if (failure !== undefined) serveWithoutStore(window, failure);
      else if (window.nextStep(time) !== undefined) leases.add(window);
    }
  };
  const sweeping = setInterval(sweep, sweepIntervalMs).unref();

  const purgeAll = async (): Promise<void> => {
    while ((await quotasOf(limit).purge(purge.maxBatchSize)) === purge.maxBatchSize);
  };
  // Jitter: processes that start together do not purge at the same time.
  const purgeIntervalMs = purge.intervalMs * (1 + Math.random());
  // What one purge has not removed, the next removes.
  const purging = setInterval(() => purgeAll().catch(() => undefined), purgeIntervalMs).unref();

  const windowOf = (key: ApiKeyId): KeyWindow => {
    const known = windows.get(key);
    if (known !== undefined) return known;
    const window = new KeyWindow(key, options);
    windows.set(key, window);
    return window;
  };

  const consumeFromStore = async (window: KeyWindow, time: number): Promise<Allowance> => {
    if (leases.isAvailable()) {
      const allowance = window.wait(time);
      const step = window.nextStep(time);
      if (step === 'lease' || step === 'return') leases.add(window);
      return allowance;
    }
    if (countsLocally) return window.consumeAlone(time);
    throw unavailable();
  };

  return {
    // Not an async function: the decision in memory is the hot path of a flood of rejected requests.
    consume: (key, limitOfKey = limit) => {
      const time = now();
      const window = windowOf(key);
      window.setLimit(limitOfKey);
      const allowance = window.consume(time);
      return allowance === undefined ? consumeFromStore(window, time) : Promise.resolve(allowance);
    },

    close: async () => {
      clearInterval(sweeping);
      clearInterval(purging);
      for (const window of windows.values()) {
        window.retire();
        leases.add(window);
      }
      await leases.settled();
    },
  };
};

const isUnavailable = (error: unknown): boolean =>
  error instanceof ApplicationError && error.kind === 'unavailable';

const unavailable = (): UnavailableError =>
  new UnavailableError('database-unavailable', undefined, 'The rate limit cannot be checked now. Try again.');
