import type { Role } from './access.ts';
import type { Id } from './id.ts';
import type { Instant } from './instant.ts';
import { born, changed, type Resource } from './resource.ts';
import { keep, type TextRule, text } from './rule.ts';

export type UserId = Id<'user'>;

export interface UserDetails {
  /** Unique; kept in lower case. */
  readonly email: string;
  readonly name: string;
  readonly role: Role;
}

export interface User extends Resource<UserId>, UserDetails {}

/** The same form that browsers accept in `<input type="email">` (WHATWG HTML, valid e-mail address). */
const form =
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$/;

/** RFC 5321: a path has at most 256 characters, its angle brackets included. */
const longestEmail = 254;

const email: TextRule = {
  least: 3,
  most: longestEmail,
  form,
  fault: (value) =>
    value.length <= longestEmail && form.test(value) ? undefined : 'must be an e-mail address',
};

const normal = <T extends Partial<UserDetails>>(details: T): T =>
  details.email === undefined ? details : { ...details, email: details.email.toLowerCase() };

export const User = {
  rules: { email, name: text(1, 200) },

  /** @throws DomainError 'validation' */
  create: (id: UserId, details: UserDetails, at: Instant): User => ({
    ...born(id, at),
    ...normal(keep(User.rules, details)),
  }),

  /** @throws DomainError 'validation' */
  change: (user: User, details: Partial<UserDetails>, at: Instant): User =>
    changed(user, normal(keep<Partial<UserDetails>>(User.rules, details)), at),
};
