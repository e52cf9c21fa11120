import type { Role } from './access.ts';
import { Email } from './email.ts';
import { DomainError } from './errors.ts';
import { externalId } from './external-id.ts';
import type { Instant } from './instant.ts';
import { Metadata, type MetadataPatch } from './metadata.ts';
import { type Id, newResource, type Resource, updated } from './resource.ts';
import { requireValid, requireValidChanges, type TextRule } from './rule.ts';
import { label } from './text.ts';

export type UserId = Id<'user'>;

export interface UserDetails {
  /** Unique among all users. Stored in lower case, with its domain in ASCII. */
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  /** The number of the user in another system. Unique among all users. */
  readonly externalId: string | null;
  readonly metadata: Metadata;
}

/** A new user. External id and metadata can come later. */
export type NewUser = Pick<UserDetails, 'email' | 'name' | 'role'> & Partial<UserDetails>;

/** A JSON merge patch of a user (RFC 7396). Metadata are merged name by name. */
export type UserChanges = Partial<Omit<UserDetails, 'metadata'>> & { readonly metadata?: MetadataPatch };

export const userStatuses = ['active', 'erased'] as const;
export type UserStatus = (typeof userStatuses)[number];

export interface User extends Resource<UserId>, UserDetails {
  /** Nothing can be done as or to an erased user. */
  readonly status: UserStatus;
}

const rules = { email: Email.given, name: label(1, 200), externalId };

/** No mail reaches this domain (RFC 2606 section 2), and each erased user has an address of their own there. */
const erasedDomain = '@erased.invalid';

/** The address of an erased user must stay free, or that user could not be erased. */
const newEmail: TextRule = {
  ...rules.email,
  violation: (value) =>
    rules.email.violation(value) ??
    (Email.normalize(value).endsWith(erasedDomain)
      ? `must not end with ${erasedDomain}, which is for erased users`
      : undefined),
};

const writtenRules = { ...rules, email: newEmail };

export const User = {
  rules,

  /** The rule for an address that a user gets, which is stricter than that of one that is searched for. */
  newEmail,

  erasedEmail: (id: UserId): string => `erased-${id}${erasedDomain}`,

  /** @throws DomainError 'validation' */
  create: (id: UserId, details: NewUser, at: Instant): User => {
    const { metadata = Metadata.none, ...rest } = { externalId: null, ...details };
    return {
      ...newResource(id, at),
      ...requireValid(writtenRules, rest),
      status: 'active',
      metadata: Metadata.requireValid(metadata),
    };
  },

  /** @throws DomainError 'validation'; 'invalid-state' when the user is erased */
  change: (user: User, { metadata, ...changes }: UserChanges, at: Instant): User => {
    User.requireActive(user);
    const valid = requireValidChanges<Partial<UserDetails>>(writtenRules, user, changes);
    const merged = metadata && { metadata: Metadata.merge(user.metadata, metadata) };
    return updated(user, { ...valid, ...merged }, at);
  },

  /** @throws DomainError 'invalid-state' when the user is erased */
  requireActive: (user: User): User => {
    if (user.status === 'erased')
      throw new DomainError(
        'invalid-state',
        'The user has been erased. Nothing can be done as them or to them.',
      );
    return user;
  },
};
