import type { ApiKeyId } from '#domain/api-key.ts';
import type { Caller } from '../preconditions.ts';

/**
 * The subject of a valid token that no user is linked to yet. Its requests count against the rate limit before a user is created for
 * it or linked to it (just-in-time provisioning).
 */
export interface PendingCaller {
  /** That of the caller whom it becomes. */
  readonly keyId: ApiKeyId;
  /**
   * Creates or links the user. Concurrent calls share one attempt.
   * @param requestId of the request that it is done for
   * @returns undefined when the token may act for no user
   * @throws ApplicationError 'unavailable'
   */
  readonly provision: (requestId?: string) => Promise<Caller | undefined>;
}

/**
 * Finds out for whom a request is made.
 *
 * - The caller is a user of this shop. Their role is at most the user's own, and each scope belongs to that role.
 * - All requests with one token have the same `keyId`, and no two users share one: it is the subject of the rate limit.
 * - Tokens are compared code point by code point. Any other text, of any length, is a token that is not valid.
 * - A token stops working within five seconds in every process when it is revoked, when it expires, and when its user is
 *   removed or erased. A changed role, and a changed rate limit of a key, apply as soon.
 * - Where users are provisioned, the subject of a removed user is pending again.
 * - Checked fresh, a token has at once what is stored then: a request that waits is checked so, again and again.
 * - A token that could not be checked is checked fresh at its next request.
 */
export interface Authenticator {
  /**
   * Authenticates a bearer token.
   *
   * @param fresh whether nothing may come from a cache
   * @returns undefined when the token is not valid; a pending caller when its user is yet to be created or linked
   * @throws ApplicationError 'unavailable' when the token cannot be checked now
   */
  authenticate(token: string, fresh?: boolean): Promise<Caller | PendingCaller | undefined>;
}

/**
 * Makes the secret of a new key. Only the hash is stored, so the token cannot be shown again. The token of a publishable key differs
 * at first sight.
 */
export type MintToken = (
  id: ApiKeyId,
  publishable?: boolean,
) => { readonly token: string; readonly secretHash: string };
