import type { RateLimiter } from '#application/ports/rate-limiter.ts';
import type { Middleware } from '../context.ts';
import { HttpError } from '../errors.ts';

/** Counts a caller's requests, and says where they stand on every answer. @throws HttpError 'rate-limited' */
export const limitRate =
  (limiter: RateLimiter, now: () => number): Middleware =>
  async (context, next) => {
    const { caller } = context.state;
    if (caller === undefined) return next();
    const taken = limiter.take(caller.keyId);
    const { allowed, limit, remaining, resetAt } = taken instanceof Promise ? await taken : taken;
    context.set({
      'X-RateLimit-Limit': `${limit}`,
      'X-RateLimit-Remaining': `${remaining}`,
      'X-RateLimit-Reset': `${Math.ceil(resetAt / 1000)}`,
    });
    if (!allowed) {
      const wait = Math.max(1, Math.ceil((resetAt - now()) / 1000));
      const message = `Too many requests: wait ${wait} second${wait === 1 ? '' : 's'}.`;
      throw new HttpError('rate-limited', message, { 'Retry-After': `${wait}` });
    }
    return next();
  };
