import type { Limit, Quotas } from '#adapters/support/quota-store.ts';
import { ApplicationError } from '#application/errors.ts';
import type { Allowance, RateLimiter } from '#application/ports/rate-limiter.ts';
import type { ApiKeyId } from '#domain/api-key.ts';
import { Errands } from './errands.ts';
import { Share } from './share.ts';

interface Settings extends Limit {
  readonly quotas: Quotas;
  /** The store's time, in milliseconds since 1970. */
  readonly now: () => number;
  /**
   * What is done while the store hands nothing out: whoever asks is refused as unavailable, or counted by this process
   * alone, which tells the store as soon as it answers. The second is for a store that still answers those who only read.
   */
  readonly withoutStore?: 'refuse' | 'count alone';
}

interface LeasedLimiter extends RateLimiter {
  /** Gives back what is held. */
  close(): Promise<void>;
}

/** How often is looked after what is held, in milliseconds. */
const round = 50;

/** When what is held of a key has not been touched for so long, others may have it; sooner when little is left. */
const silence = { usual: 400, scarce: 100 };

/** The same, of a key of which little is held while plenty is left for others. */
const longSilence = 5_000;

/** How long the store is waited for, in milliseconds; not for long where this process can count alone. */
const patience = { refuse: 2_000, 'count alone': 50 };

/** When the store has failed, how long it is not asked while somebody waits, in milliseconds. */
const respite = 500;

/** How long what the store has said of a key that is in use may be believed, in milliseconds. */
const credence = 500;

/** How many requests of a key may wait for what another process holds; there may be a flood of them. */
const mostWaiting = 256;

/** How often keys that are used no more are forgotten, in milliseconds, and how many at once. */
const forgetting = { pause: 60_000, most: 1_000 };

/**
 * Counts for all processes together. Each of them leases quota in blocks, before it runs out, and spends it in memory, so
 * that a request hardly ever waits for the store. What it does not use it gives back soon; a little it keeps for longer
 * while plenty is left for others, so that keys which ask seldom do not wait either.
 */
export const leasedWindowLimiter = ({
  quotas,
  limit,
  windowMilliseconds,
  now,
  withoutStore = 'refuse',
}: Settings): LeasedLimiter => {
  const shares = new Map<string, Share>();
  let restingUntil = 0;

  const failed = (share: Share, error: unknown): void => {
    if (withoutStore === 'count alone' && isAway(error)) {
      restingUntil = performance.now() + respite;
      share.serveAlone(now());
    } else share.fail(error);
  };

  const errands = new Errands({
    quotas,
    now,
    patience: patience[withoutStore],
    failed,
    late: () => {
      for (const share of shares.values()) {
        if (withoutStore === 'count alone') share.serveAlone(now());
        else share.fail(away());
      }
    },
  });
  let timer: NodeJS.Timeout | undefined;
  // Processes that were started together do not all come at once.
  let forgetAt = performance.now() + forgetting.pause * Math.random();

  const shareOf = (key: ApiKeyId): Share => {
    const known = shares.get(key);
    if (known !== undefined) return known;
    const share = new Share(key, { limit, windowMilliseconds });
    shares.set(key, share);
    timer ??= setInterval(lookAfter, round).unref();
    return share;
  };

  const waitFor = (share: Share, time: number): Allowance | Promise<Allowance> => {
    if (performance.now() < restingUntil) return share.spendAlone(time);
    if (errands.isLate && withoutStore === 'count alone') return share.spendAlone(time);
    if (errands.isLate) return Promise.reject(away());
    const { promise, resolve, reject } = Promise.withResolvers<Allowance>();
    share.waiting.push({ resolve, reject });
    if (!share.isRefused || share.mayAsk(time)) errands.ask(share);
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
    share.heed(time);
    if (share.isAsking || share.returning > 0) return;
    const isSilent = time - share.usedAt >= (share.rest * 10 <= limit ? silence.scarce : silence.usual);
    if (share.waiting.length > 0) {
      if (share.mayAsk(time)) errands.ask(share);
    } else if (time >= share.resetAt) shares.delete(share.key);
    else if (share.debt > 0) settle(share);
    else if (share.held > 0) (share.isModest ? lookAfterModest : lookAfterHeld)(share, time, isSilent);
    else if (isSilent && !share.isRefused) shares.delete(share.key);
  };

  const settle = (share: Share): void => {
    if (!errands.isLate && performance.now() >= restingUntil) errands.ask(share);
  };

  const lookAfterHeld = (share: Share, time: number, isSilent: boolean): void => {
    if (!isSilent && time - share.contactAt < credence) return;
    const spare = share.spare(isSilent);
    if (spare > 0) errands.giveBack(share, spare);
    else errands.ask(share);
  };

  /** Others may need it once less is left: that is looked at, as often as they can wait for. */
  const lookAfterModest = (share: Share, time: number, isSilent: boolean): void => {
    if (time - share.usedAt >= longSilence) errands.giveBack(share, share.held);
    else if (share.runsDry && !isSilent) errands.ask(share);
    else if (time - share.lookedAt >= silence.usual) errands.look(share);
  };

  const forget = (): void => {
    forgetAt = Number.POSITIVE_INFINITY;
    const next = (forgotten: number): void => {
      forgetAt = forgotten === forgetting.most ? 0 : performance.now() + forgetting.pause;
    };
    quotas.forget(forgetting.most).then(next, () => next(0));
  };

  return {
    take: (key) => {
      const time = now();
      const share = shareOf(key);
      share.heed(time);
      if (time < share.resetAt) {
        if (share.held > 0) {
          const allowance = share.spend(time);
          if (share.runsDry && !share.isLeisurely(time)) errands.ask(share);
          return allowance;
        }
        const isCrowded = share.isRefused && share.waiting.length >= mostWaiting;
        if (isCrowded || share.isSpent(time)) {
          if (share.mayAsk(time)) errands.ask(share);
          return share.allowance(false, time);
        }
      }
      return waitFor(share, time);
    },

    close: async () => {
      clearInterval(timer);
      // What is on its way here comes first.
      await errands.done();
      for (const share of shares.values()) if (share.held > 0) errands.giveBack(share, share.held);
      await errands.done();
    },
  };
};

const isAway = (error: unknown): boolean => error instanceof ApplicationError && error.kind === 'unavailable';

const away = (): ApplicationError =>
  new ApplicationError('unavailable', 'The rate limit cannot be looked up now.');
