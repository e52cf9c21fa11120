import type { Authenticator } from '#application/ports/authenticator.ts';
import { HttpError } from '../../errors.ts';
import type { Middleware } from '../context.ts';
import { prerenderedError } from '../response.ts';

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
