import type { Instant } from './instant.ts';
import { type Id, newResource, type Resource } from './resource.ts';
import { asLabel, text } from './text.ts';
import { User, type UserId } from './user.ts';

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
  /** A subject has at most 255 characters (OpenID Connect Core 1.0 section 2). */
  rules: { subject: text(1, 255) },

  /**
   * The name of a user who is created for an identity: what the provider reports, in the form of a name, or else the local part of the
   * address.
   */
  userName: (name: string | undefined, email: string): string => {
    const { maxLength } = User.rules.name;
    const label = asLabel(name ?? '', maxLength);
    if (User.rules.name.violation(label) === undefined) return label;
    return email.slice(0, Math.min(email.lastIndexOf('@'), maxLength));
  },

  link: (
    id: IdentityId,
    details: Pick<Identity, 'userId' | 'issuer' | 'subject' | 'key'>,
    at: Instant,
  ): Identity => ({ ...newResource(id, at), ...details }),
};
