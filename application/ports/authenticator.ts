import type { ApiKeyId } from '#domain/api-key.ts';
import type { Caller } from '../preconditions.ts';

/**
 * Finds out for whom a request is made.
 *
 * - The caller is a user of this shop. Their role is at most the user's own, and each scope belongs to that role.
 * - All requests with one token have the same `keyId`, and no two users share one: it is the subject of the rate limit.
 * - Tokens are compared code point by code point. Any other text, of any length, is a token that is not valid.
 * - A token stops working within five seconds in every process when it is revoked, when it expires, and when its user is
 *   removed or erased. A changed role, and a changed rate limit of a key, apply as soon.
 * - A token that could not be checked is checked anew at its next request.
 */
export interface Authenticator {
  /**
   * Authenticates a bearer token.
   *
   * @returns undefined when the token is not valid
   * @throws ApplicationError 'unavailable' when the token cannot be checked now
   */
  authenticate(token: string): Promise<Caller | undefined>;
}

/**
 * Makes the secret of a new key. Only the hash is stored, so the token cannot be shown again. The token of a publishable key differs
 * at first sight.
 */
export type MintToken = (
  id: ApiKeyId,
  publishable?: boolean,
) => { readonly token: string; readonly secretHash: string };
