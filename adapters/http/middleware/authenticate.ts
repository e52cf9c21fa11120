import type { Authenticator } from '#application/ports/authenticator.ts';
import type { Middleware } from '../context.ts';
import { HttpError } from '../errors.ts';

/** The scheme is case-insensitive (RFC 9110, 11.1). */
const bearer = /^bearer +([\x21-\x7e]+)$/i;

/**
 * Finds out who asks. A preflight passes without: browsers send no credential with it.
 * @throws HttpError 'unauthorized'
 */
export const authenticate =
  (authenticator: Authenticator): Middleware =>
  async (context, next) => {
    if (context.method === 'OPTIONS') return next();
    const token = bearer.exec(context.get('Authorization'))?.[1];
    const caller = token === undefined ? undefined : await authenticator.authenticate(token);
    if (caller === undefined) {
      throw new HttpError('unauthorized', 'Authentication is required.', { 'WWW-Authenticate': 'Bearer' });
    }
    context.state.caller = caller;
    return next();
  };
