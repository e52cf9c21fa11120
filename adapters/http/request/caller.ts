import type { IncomingHttpHeaders } from 'node:http';
import type { Authenticator, PendingCaller } from '#application/ports/authenticator.ts';
import type { Allowance, RateLimiter } from '#application/ports/rate-limiter.ts';
import type { Caller } from '#application/preconditions.ts';
import type { ApiKeyId } from '#domain/api-key.ts';
import { HttpError } from '../errors.ts';
import type { ApiResponse, Middleware } from './context.ts';
import { prerenderedError } from './response.ts';

/** The scheme is case-insensitive (RFC 9110, section 11.1). */
const bearer = /^bearer +([\x21-\x7e]+)$/i;

/**
 * Renders the 401 once.
 * @param helpUrl the docs, where clients can reach them
 */
export const unauthorizedResponse = (helpUrl: string | undefined): ((requestId: string) => ApiResponse) =>
  prerenderedError(
    new HttpError(
      'unauthorized',
      'The API key or access token is missing, unknown or expired. Send a valid one as `Authorization: Bearer <key>`. The operator of this server creates keys.',
      {
        'WWW-Authenticate': 'Bearer',
        ...(helpUrl !== undefined && { Link: `<${helpUrl}>; rel="help"` }),
      },
    ),
  );

type Unauthorized = ReturnType<typeof unauthorizedResponse>;

/** Sets the caller, or responds 401. A CORS preflight passes without a credential, because browsers send none with it. */
export const authenticate =
  (authenticator: Authenticator, unauthorized: Unauthorized): Middleware =>
  async ({ req, state }, next) => {
    if (req.method === 'OPTIONS') return next();
    const caller = await callerOf(authenticator, req.headers);
    if (caller === undefined) {
      state.response = unauthorized(state.requestId);
      return;
    }
    if ('provision' in caller) state.pendingCaller = caller;
    else state.caller = caller;
    return next();
  };

const callerOf = async (
  authenticator: Authenticator,
  { authorization = '' }: IncomingHttpHeaders,
  fresh?: boolean,
): ReturnType<Authenticator['authenticate']> => {
  const token = bearer.exec(authorization)?.[1];
  return token === undefined ? undefined : authenticator.authenticate(token, fresh);
};

/** Authenticates a request that has had a caller before, by what is stored now. @returns undefined when the credential is no longer valid */
export const authenticateAgain = async (
  authenticator: Authenticator,
  headers: IncomingHttpHeaders,
): Promise<Caller | undefined> => {
  const caller = await callerOf(authenticator, headers, true);
  return caller === undefined || 'provision' in caller ? undefined : caller;
};

/**
 * Counts the requests of a caller's key, adds the `X-RateLimit-*` headers, and responds 429 above the limit. A pending caller gets
 * their user afterwards, or 401.
 */
export const rateLimit = (limiter: RateLimiter, unauthorized: Unauthorized): Middleware => {
  const tooManyRequests = cachedRejection();
  const countProvisioning = provisioningLimit(limiter);
  return async ({ state }, next) => {
    const { caller, pendingCaller } = state;
    const counted = caller ?? pendingCaller;
    if (counted === undefined) return next();
    let allowance = await limiter.consume(counted.keyId, caller?.rateLimit);
    if (allowance.allowed && pendingCaller !== undefined) {
      const shared = await countProvisioning(pendingCaller);
      if (shared.allowed) {
        state.caller = await pendingCaller.provision(state.requestId);
        if (state.caller === undefined) {
          state.response = unauthorized(state.requestId);
          return;
        }
      } else allowance = shared;
    }
    const { allowed, limit, remaining, resetAt, wait } = allowance;
    state.headers.push('X-RateLimit-Limit', `${limit}`, 'X-RateLimit-Remaining', `${remaining}`);
    state.headers.push('X-RateLimit-Reset', `${Math.ceil(resetAt / 1000)}`);
    if (allowed) return next();
    state.response = tooManyRequests(Math.max(1, Math.ceil(wait / 1000)), state.requestId);
  };
};

/** Counts what is provisioned, in a UUID of version 8 that no key has. */
const provisioningKey = '00000000-0000-8000-8000-000000000000' as ApiKeyId;

/**
 * All pending callers together have the limit of one key, so that a flood of new subjects does not fill the database. Requests
 * that share an attempt count once.
 */
const provisioningLimit = (limiter: RateLimiter) => {
  const counted = new WeakMap<PendingCaller, Promise<Allowance>>();
  return (pending: PendingCaller): Promise<Allowance> => {
    const known = counted.get(pending);
    if (known !== undefined) return known;
    const allowance = limiter.consume(provisioningKey);
    counted.set(pending, allowance);
    allowance.catch(() => counted.delete(pending));
    return allowance;
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
