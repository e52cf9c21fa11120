import type { Store } from '#adapters/persistence/store.ts';
import { fixedWindowLimiter } from '#adapters/rate-limit/fixed-window.ts';
import { leasedWindowLimiter } from '#adapters/rate-limit/leased-window.ts';
import type { DatabaseClock } from '#adapters/system/database-clock.ts';
import type { RateLimiter } from '#application/ports/rate-limiter.ts';
import type { Config } from '../../config/config.ts';
import { openAdapter } from '../modules/load-adapter.ts';
import type { Closable } from '../tokens.ts';
import { storeKindOf } from './store-kind.ts';

/**
 * Opens the rate limiter: a module from outside, or Portico's own, which shares quotas where the store can.
 * @param clock the store's; it is measured anew where a window of the store does not fit it
 * @throws SettingError when the module cannot be used
 */
export const openRateLimiter = async (
  { rateLimit, rateLimiter, database }: Config,
  quotas: Store['quotas'],
  { milliseconds: now, measureAgain: onMistimed }: DatabaseClock,
): Promise<Closable<RateLimiter>> => {
  if (rateLimiter !== undefined) {
    const { limit, windowMilliseconds: windowMs } = rateLimit;
    const parts = { consume: 'function' } as const;
    return openAdapter<Closable<RateLimiter>>(rateLimiter, { limit, windowMs, now }, parts);
  }
  if (quotas === undefined) return fixedWindowLimiter({ ...rateLimit, now });
  // A shared file still serves reads while its disk is full or another process writes.
  const withoutStore = storeKindOf(database).sharesFile ? 'count locally' : 'reject';
  return leasedWindowLimiter({ ...rateLimit, quotas, now, onMistimed, withoutStore });
};
