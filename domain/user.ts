import type { Role } from './access.ts';
import { Email } from './email.ts';
import type { Instant } from './instant.ts';
import { Metadata } from './metadata.ts';
import { type Id, newResource, type Resource, updated } from './resource.ts';
import { requireValid, requireValidChanges } from './rule.ts';
import { label } from './text.ts';

export type UserId = Id<'user'>;

export interface UserDetails {
  /** Unique among all users. Stored in lower case, with its domain in ASCII. */
  readonly email: string;
  readonly name: string;
  readonly role: Role;
}

export const userStatuses = ['active', 'erased'] as const;
export type UserStatus = (typeof userStatuses)[number];

export interface User extends Resource<UserId>, UserDetails {
  /** Nothing can be done as or to an erased user. */
  readonly status: UserStatus;
  /** The number of the user in another system. Unique among all users. */
  readonly externalId: string | null;
  readonly metadata: Metadata;
}

export const User = {
  rules: { email: Email.given, name: label(1, 200) },

  /** @throws DomainError 'validation' */
  create: (id: UserId, details: UserDetails, at: Instant): User => ({
    ...newResource(id, at),
    ...requireValid(User.rules, details),
    status: 'active',
    externalId: null,
    metadata: Metadata.none,
  }),

  /** @throws DomainError 'validation' */
  change: (user: User, details: Partial<UserDetails>, at: Instant): User =>
    updated(user, requireValidChanges<Partial<UserDetails>>(User.rules, user, details), at),
};
