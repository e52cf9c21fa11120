import type { RateLimiter } from '#application/ports/rate-limiter.ts';
import { HttpError } from '../../errors.ts';
import type { ApiResponse, Middleware } from '../context.ts';
import { prerenderedError } from '../response.ts';

/** Counts the requests of a caller's key, adds the `X-RateLimit-*` headers, and responds 429 above the limit. */
export const rateLimit = (limiter: RateLimiter): Middleware => {
  const tooManyRequests = cachedRejection();
  return async ({ state }, next) => {
    if (state.caller === undefined) return next();
    const { allowed, limit, remaining, resetAt, wait } = await limiter.consume(state.caller.keyId);
    state.headers.push('X-RateLimit-Limit', `${limit}`, 'X-RateLimit-Remaining', `${remaining}`);
    state.headers.push('X-RateLimit-Reset', `${Math.ceil(resetAt / 1000)}`);
    if (allowed) return next();
    state.response = tooManyRequests(Math.max(1, Math.ceil(wait / 1000)), state.requestId);
  };
};

/** Renders the 429 again only when the seconds to wait change, so that a client in a tight loop stays cheap to reject. */
const cachedRejection = () => {
  let cached = { seconds: 0, response: prerenderedError(rateLimited(0)) };
  return (seconds: number, requestId: string): ApiResponse => {
    if (seconds !== cached.seconds) cached = { seconds, response: prerenderedError(rateLimited(seconds)) };
    return cached.response(requestId);
  };
};

const rateLimited = (seconds: number): HttpError =>
  new HttpError('rate-limited', `Too many requests: wait ${seconds} second${seconds === 1 ? '' : 's'}.`, {
    'Retry-After': `${seconds}`,
  });
