import type { Allowance, RateLimiter } from '#application/ports/rate-limiter.ts';
import { HttpError } from '../../errors.ts';
import type { State } from '../context.ts';
import type { Middleware } from '../middleware.ts';
import { type ApiResponse, prerenderedError } from '../response.ts';

/** Counts a caller's requests, says where they stand on every answer, and refuses those that are too many. */
export const rateLimit = (limiter: RateLimiter): Middleware => {
  const refuse = refusing();
  const say = ({ headers, requestId }: State, allowance: Allowance): ApiResponse | undefined => {
    const { allowed, limit, remaining, resetAt, wait } = allowance;
    headers.push('X-RateLimit-Limit', `${limit}`, 'X-RateLimit-Remaining', `${remaining}`);
    headers.push('X-RateLimit-Reset', `${Math.ceil(resetAt / 1000)}`);
    return allowed ? undefined : refuse(Math.max(1, Math.ceil(wait / 1000)), requestId);
  };

  return ({ state }) => {
    if (state.caller === undefined) return undefined;
    const taken = limiter.take(state.caller.keyId);
    return taken instanceof Promise ? taken.then((allowance) => say(state, allowance)) : say(state, taken);
  };
};

/** Whoever goes on asking is refused with the same words for a second. */
const refusing = () => {
  let last = { wait: 0, answer: prerenderedError(tooMany(0)) };
  return (wait: number, requestId: string): ApiResponse => {
    if (wait !== last.wait) last = { wait, answer: prerenderedError(tooMany(wait)) };
    return last.answer(requestId);
  };
};

const tooMany = (wait: number): HttpError =>
  new HttpError('rate-limited', `Too many requests: wait ${wait} second${wait === 1 ? '' : 's'}.`, {
    'Retry-After': `${wait}`,
  });
