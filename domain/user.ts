import type { Role } from './access.ts';
import type { Instant } from './instant.ts';
import { type Id, newResource, type Resource, updated } from './resource.ts';
import { requireValid, type TextRule, text } from './rule.ts';

export type UserId = Id<'user'>;

export interface UserDetails {
  /** Unique among all users. Stored in lower case. */
  readonly email: string;
  readonly name: string;
  readonly role: Role;
}

export interface User extends Resource<UserId>, UserDetails {}

/** What browsers accept in `<input type="email">` (WHATWG HTML, valid e-mail address). */
const emailPattern =
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$/;

/** RFC 5321 section 4.5.3.1.3: a path has at most 256 characters, including its angle brackets. */
const maxEmailLength = 254;

const email: TextRule = {
  minLength: 3,
  maxLength: maxEmailLength,
  pattern: emailPattern,
  violation: (value) =>
    value.length <= maxEmailLength && emailPattern.test(value) ? undefined : 'must be an e-mail address',
};

const normalize = <T extends Partial<UserDetails>>(details: T): T =>
  details.email === undefined ? details : { ...details, email: details.email.toLowerCase() };

export const User = {
  rules: { email, name: text(1, 200) },

  /** @throws DomainError 'validation' */
  create: (id: UserId, details: UserDetails, at: Instant): User => ({
    ...newResource(id, at),
    ...normalize(requireValid(User.rules, details)),
  }),

  /** @throws DomainError 'validation' */
  change: (user: User, details: Partial<UserDetails>, at: Instant): User =>
    updated(user, normalize(requireValid<Partial<UserDetails>>(User.rules, details)), at),
};
