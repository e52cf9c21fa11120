import type { Caller } from '#application/access.ts';
import type { Authenticator } from '#application/ports/authenticator.ts';
import { HttpError } from '../../errors.ts';
import type { State } from '../context.ts';
import type { Middleware } from '../middleware.ts';
import { type ApiResponse, prerenderedError } from '../response.ts';

/** The scheme is case-insensitive (RFC 9110, 11.1). */
const bearer = /^bearer +([\x21-\x7e]+)$/i;

/** Finds out who asks, and refuses whom it does not know. A preflight passes without: browsers send no credential with it. */
export const authenticate =
  (authenticator: Authenticator): Middleware =>
  ({ req, state }) => {
    if (req.method === 'OPTIONS') return undefined;
    const token = bearer.exec(req.headers.authorization ?? '')?.[1];
    const found = token === undefined ? undefined : authenticator.authenticate(token);
    return found instanceof Promise ? found.then((caller) => admit(state, caller)) : admit(state, found);
  };

const unauthorized = prerenderedError(
  new HttpError('unauthorized', 'Authentication is required.', { 'WWW-Authenticate': 'Bearer' }),
);

const admit = (state: State, caller: Caller | undefined): ApiResponse | undefined => {
  if (caller === undefined) return unauthorized(state.requestId);
  state.caller = caller;
  return undefined;
};
