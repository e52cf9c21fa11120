import type { Role } from './access.ts';
import { Email } from './email.ts';
import type { Instant } from './instant.ts';
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

export interface User extends Resource<UserId>, UserDetails {}

export const User = {
  rules: { email: Email.given, name: label(1, 200) },

  /** @throws DomainError 'validation' */
  create: (id: UserId, details: UserDetails, at: Instant): User => ({
    ...newResource(id, at),
    ...requireValid(User.rules, details),
  }),

  /** @throws DomainError 'validation' */
  change: (user: User, details: Partial<UserDetails>, at: Instant): User =>
    updated(user, requireValidChanges<Partial<UserDetails>>(User.rules, user, details), at),
};
