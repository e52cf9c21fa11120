import type { Authenticator } from '#application/ports/authenticator.ts';
import { HttpError } from '../../errors.ts';
import type { Middleware } from '../middleware.ts';
import { prerenderedError } from '../response.ts';

/** The scheme is case-insensitive (RFC 9110, section 11.1). */
const bearer = /^bearer +([\x21-\x7e]+)$/i;

/** Sets the caller, or responds 401. A CORS preflight passes without a credential, because browsers send none with it. */
export const authenticate =
  (authenticator: Authenticator): Middleware =>
  async ({ req, state }) => {
    if (req.method === 'OPTIONS') return undefined;
    const token = bearer.exec(req.headers.authorization ?? '')?.[1];
    const caller = token === undefined ? undefined : await authenticator.authenticate(token);
    if (caller === undefined) return unauthorized(state.requestId);
    state.caller = caller;
    return undefined;
  };

const unauthorized = prerenderedError(
  new HttpError('unauthorized', 'Authentication is required.', { 'WWW-Authenticate': 'Bearer' }),
);
