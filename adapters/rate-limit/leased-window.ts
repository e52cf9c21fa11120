import type { Limit, Quotas } from '#adapters/support/quota-store.ts';
import { ApplicationError, UnavailableError } from '#application/errors.ts';
import type { Allowance, RateLimiter } from '#application/ports/rate-limiter.ts';
import type { ApiKeyId } from '#domain/api-key.ts';
import { Errands } from './errands.ts';
import { Share } from './share.ts';

interface Options extends Limit {
  readonly quotas: Quotas;
  /** The store's time, in milliseconds since 1970. */
  readonly now: () => number;
  /**
   * What happens while the store is unavailable: requests are rejected as unavailable, or counted by this process alone,
   * which settles with the store later. The latter suits a store that can still serve reads.
   */
  readonly withoutStore?: 'reject' | 'count locally';
}

interface LeasedLimiter extends RateLimiter {
  /** Returns the leased quota to the store. */
  close(): Promise<void>;
}

/** Interval of the sweep over all shares, in milliseconds. */
const sweepIntervalMs = 50;

/** Idle time after which a key's leased quota is returned, in milliseconds; shorter when little quota is left. */
const idleReturnMs = { usual: 400, scarce: 100 };

/** The same for a small lease, while plenty of quota is left. */
const smallLeaseIdleReturnMs = 5_000;

/** Timeout of the store, in milliseconds; short when this process can count locally. */
const storeTimeoutMs = { reject: 2_000, 'count locally': 50 };

/** Backoff after the store has failed, in milliseconds: requests do not wait for it until then. */
const retryAfterFailureMs = 500;

/** Maximum age of a used key's state, in milliseconds. */
const maxStalenessMs = 500;

/** Maximum number of requests of one key that wait for quota that another process holds. */
const maxWaitingRequests = 256;

/** Interval at which unused keys are deleted from the store, in milliseconds, and how many at once. */
const purge = { intervalMs: 60_000, maxBatchSize: 1_000 };

/**
 * A fixed-window rate limiter for several processes. Each leases quota from the store in blocks, ahead of use, and
 * consumes it in memory, so that few requests wait for the store. Unused quota is returned soon. A small lease is kept
 * longer while plenty is left, so that rarely used keys do not wait either.
 */
export const leasedWindowLimiter = ({
  quotas,
  limit,
  windowMilliseconds,
  now,
  withoutStore = 'reject',
}: Options): LeasedLimiter => {
  const shares = new Map<string, Share>();
  let restingUntil = 0;

  const failed = (share: Share, error: unknown): void => {
    if (withoutStore === 'count locally' && isUnavailable(error)) {
      restingUntil = performance.now() + retryAfterFailureMs;
      share.serveAlone(now());
    } else share.fail(error);
  };

  const errands = new Errands({
    quotas,
    now,
    storeTimeoutMs: storeTimeoutMs[withoutStore],
    failed,
    late: () => {
      for (const share of shares.values()) {
        if (withoutStore === 'count locally') share.serveAlone(now());
        else share.fail(unavailable());
      }
    },
  });
  let timer: NodeJS.Timeout | undefined;
  // Jitter: processes that start together do not purge at the same time.
  let forgetAt = performance.now() + purge.intervalMs * Math.random();

  const shareOf = (key: ApiKeyId): Share => {
    const known = shares.get(key);
    if (known !== undefined) return known;
    const share = new Share(key, { limit, windowMilliseconds });
    shares.set(key, share);
    timer ??= setInterval(lookAfter, sweepIntervalMs).unref();
    return share;
  };

  const waitFor = (share: Share, time: number): Allowance | Promise<Allowance> => {
    if (performance.now() < restingUntil) return share.spendAlone(time);
    if (errands.isLate && withoutStore === 'count locally') return share.spendAlone(time);
    if (errands.isLate) return Promise.reject(unavailable());
    const { promise, resolve, reject } = Promise.withResolvers<Allowance>();
    share.waiting.push({ resolve, reject });
    if (!share.isRejected || share.mayAsk(time)) errands.ask(share);
    return promise;
  };

  const lookAfter = (): void => {
    const time = now();
    for (const share of shares.values()) lookAfterOne(share, time);
    if (shares.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
    if (performance.now() >= forgetAt) forget();
  };

  const lookAfterOne = (share: Share, time: number): void => {
    share.dropIfClockWentBack(time);
    if (share.isAsking || share.returning > 0) return;
    const isSilent =
      time - share.usedAt >= (share.rest * 10 <= limit ? idleReturnMs.scarce : idleReturnMs.usual);
    if (share.waiting.length > 0) {
      if (share.mayAsk(time)) errands.ask(share);
    } else if (time >= share.resetAt) shares.delete(share.key);
    else if (share.debt > 0) settle(share);
    else if (share.held > 0) (share.isModest ? lookAfterModest : lookAfterHeld)(share, time, isSilent);
    else if (isSilent && !share.isRejected) shares.delete(share.key);
  };

  const settle = (share: Share): void => {
    if (!errands.isLate && performance.now() >= restingUntil) errands.ask(share);
  };

  const lookAfterHeld = (share: Share, time: number, isSilent: boolean): void => {
    if (!isSilent && time - share.contactAt < maxStalenessMs) return;
    const spare = share.spare(isSilent);
    if (spare > 0) errands.giveBack(share, spare);
    else errands.ask(share);
  };

  /** A small lease is kept only while plenty of quota is left, which is read at intervals. */
  const lookAfterModest = (share: Share, time: number, isSilent: boolean): void => {
    if (time - share.usedAt >= smallLeaseIdleReturnMs) errands.giveBack(share, share.held);
    else if (share.runsDry && !isSilent) errands.ask(share);
    else if (time - share.lookedAt >= idleReturnMs.usual) errands.look(share);
  };

  const forget = (): void => {
    forgetAt = Number.POSITIVE_INFINITY;
    const next = (forgotten: number): void => {
      forgetAt = forgotten === purge.maxBatchSize ? 0 : performance.now() + purge.intervalMs;
    };
    quotas.forget(purge.maxBatchSize).then(next, () => next(0));
  };

  return {
    consume: async (key) => {
      const time = now();
      const share = shareOf(key);
      share.dropIfClockWentBack(time);
      if (time < share.resetAt) {
        if (share.held > 0) {
          const allowance = share.spend(time);
          if (share.runsDry && !share.isLeisurely(time)) errands.ask(share);
          return allowance;
        }
        const isCrowded = share.isRejected && share.waiting.length >= maxWaitingRequests;
        if (isCrowded || share.isSpent(time)) {
          if (share.mayAsk(time)) errands.ask(share);
          return share.allowance(false, time);
        }
      }
      return waitFor(share, time);
    },

    close: async () => {
      clearInterval(timer);
      // Leases in flight arrive first, so that they are returned too.
      await errands.done();
      for (const share of shares.values()) if (share.held > 0) errands.giveBack(share, share.held);
      await errands.done();
    },
  };
};

const isUnavailable = (error: unknown): boolean =>
  error instanceof ApplicationError && error.kind === 'unavailable';

const unavailable = (): UnavailableError =>
  new UnavailableError('database-unavailable', undefined, 'The rate limit cannot be checked now. Try again.');
