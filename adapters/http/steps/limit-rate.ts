import type { Allowance, RateLimiter } from '#application/ports/rate-limiter.ts';
import type { State } from '../context.ts';
import { HttpError } from '../errors.ts';
import type { Step } from '../step.ts';

/** Counts a caller's requests, and says where they stand on every answer. @throws HttpError 'rate-limited' */
export const limitRate =
  (limiter: RateLimiter, now: () => number): Step =>
  ({ state }) => {
    if (state.caller === undefined) return undefined;
    const taken = limiter.take(state.caller.keyId);
    return taken instanceof Promise
      ? taken.then((allowance) => say(state, allowance, now))
      : say(state, taken, now);
  };

const say = (
  { headers }: State,
  { allowed, limit, remaining, resetAt }: Allowance,
  now: () => number,
): undefined => {
  headers.push('X-RateLimit-Limit', `${limit}`, 'X-RateLimit-Remaining', `${remaining}`);
  headers.push('X-RateLimit-Reset', `${Math.ceil(resetAt / 1000)}`);
  if (allowed) return;
  const wait = Math.max(1, Math.ceil((resetAt - now()) / 1000));
  const message = `Too many requests: wait ${wait} second${wait === 1 ? '' : 's'}.`;
  throw new HttpError('rate-limited', message, { 'Retry-After': `${wait}` });
};
