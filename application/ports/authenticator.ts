import type { ApiKeyId } from '#domain/api-key.ts';
import type { Caller } from '../preconditions.ts';

export interface Authenticator {
  /**
   * Authenticates a bearer token. A revoked or expired key stops working within five seconds in every process, and a
   * changed role applies as soon.
   *
   * @returns undefined when the token is not valid
   * @throws ApplicationError 'unavailable' when the token cannot be checked now
   */
  authenticate(token: string): Promise<Caller | undefined>;
}

/** Makes the secret of a new key. Only the hash is stored, so the token cannot be shown again. */
export type MintToken = (id: ApiKeyId) => { readonly token: string; readonly secretHash: string };
