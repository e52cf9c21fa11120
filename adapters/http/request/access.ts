import type { Authenticator } from '#application/ports/authenticator.ts';
import type { RateLimiter } from '#application/ports/rate-limiter.ts';
import { HttpError } from '../errors.ts';
import type { ApiResponse, Middleware } from './context.ts';
import { prerenderedError } from './response.ts';

/**
 * Behind a trusted proxy, accepts only requests that every hop received by HTTPS according to `X-Forwarded-Proto`.
 * @throws HttpError 'https-required'
 */
export const requireHttps: Middleware = (context, next) => {
  const protocols = context.get('X-Forwarded-Proto').split(',');
  if (protocols.some((protocol) => protocol.trim().toLowerCase() !== 'https')) throw httpsRequired();
  return next();
};

/**
 * Rejects every request on a plaintext listener, whatever its headers claim.
 * @throws HttpError 'https-required'
 */
export const rejectPlaintext: Middleware = () => {
  throw httpsRequired();
};

const httpsRequired = (): HttpError =>
  new HttpError('https-required', 'Plain HTTP is not accepted. Use HTTPS.');

/** The scheme is case-insensitive (RFC 9110, section 11.1). */
const bearer = /^bearer +([\x21-\x7e]+)$/i;

/** Sets the caller, or responds 401. A CORS preflight passes without a credential, because browsers send none with it. */
export const authenticate =
  (authenticator: Authenticator): Middleware =>
  async ({ req, state }, next) => {
    if (req.method === 'OPTIONS') return next();
    const token = bearer.exec(req.headers.authorization ?? '')?.[1];
    state.caller = token === undefined ? undefined : await authenticator.authenticate(token);
    if (state.caller !== undefined) return next();
    state.response = unauthorized(state.requestId);
  };

const unauthorized = prerenderedError(
  new HttpError('unauthorized', 'Authentication is required.', { 'WWW-Authenticate': 'Bearer' }),
);

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
