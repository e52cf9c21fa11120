import type { ApiKeyId } from '#domain/api-key.ts';
import type { Caller } from '../access.ts';

export interface Authenticator {
  /**
   * Who shows this token; undefined when nobody may. A key that has been revoked or has expired, and a role that
   * has been changed, is obeyed within five seconds by every process.
   * Who has asked just before is known at once, without a promise.
   * @throws ApplicationError 'unavailable' when that cannot be found out now
   */
  authenticate(token: string): Caller | undefined | Promise<Caller | undefined>;
}

/** Makes the secret of a new key. The token can be shown now and never again: only the hash is kept. */
export type MintToken = (id: ApiKeyId) => { readonly token: string; readonly secretHash: string };
