import type { Instant } from './instant.ts';
import { type Id, newResource, type Resource } from './resource.ts';
import type { UserId } from './user.ts';

export type IdentityId = Id<'identity'>;

/** Links a subject of an identity provider to a user (RFC 7519 sections 4.1.1 and 4.1.2). */
export interface Identity extends Resource<IdentityId> {
  readonly userId: UserId;
  readonly issuer: string;
  readonly subject: string;
  /** Identifies issuer and subject in at most 320 characters. Unique among all identities. */
  readonly key: string;
}

export const Identity = {
  link: (
    id: IdentityId,
    details: Pick<Identity, 'userId' | 'issuer' | 'subject' | 'key'>,
    at: Instant,
  ): Identity => ({ ...newResource(id, at), ...details }),
};
