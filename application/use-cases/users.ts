import type { Role } from '#domain/access.ts';
import { Email } from '#domain/email.ts';
import { DomainError } from '#domain/errors.ts';
import { type NewUser, User, type UserChanges, type UserId } from '#domain/user.ts';
import { removeIdentities, removeKeys } from '../accounts/credentials.ts';
import type { Collections, PageRequest } from '../ports/repositories.ts';
import type { Clock, NewId } from '../ports/system.ts';
import {
  type ExpectedVersions,
  requireFound,
  requireOwnerOrAdmin,
  requireOwnerOrStaff,
  requireRole,
  requireVersion,
} from '../preconditions.ts';
import { command, query } from '../use-case.ts';

export interface ListUsers {
  readonly filter: Collections['users']['filter'];
  readonly page: PageRequest<UserId>;
}

export interface ChangeUser {
  readonly id: UserId;
  readonly expectedVersions: ExpectedVersions;
  readonly changes: UserChanges;
}

interface Dependencies {
  readonly clock: Clock;
  readonly newId: NewId;
}

/** Users. Administrators manage them, staff read them, and every user can read their own record and change their name. */
export const userUseCases = ({ clock, newId }: Dependencies) => ({
  list: query(
    'users:read',
    [],
    (_caller, { filter, page }: ListUsers) =>
      ({ users }) =>
        users.page(
          filter.email === undefined ? filter : { ...filter, email: Email.normalize(filter.email) },
          page,
        ),
    'staff',
  ),

  get: query('users:read', ['not-found', 'forbidden'], (caller, id: UserId) => async ({ users }) => {
    const user = requireFound(await users.find(id));
    requireOwnerOrStaff(caller, user.id);
    return user;
  }),

  create: command(
    'users:write',
    ['validation', 'conflict'],
    (_caller, details: NewUser) =>
      async ({ users }) => {
        const user = User.create(newId(), details, clock.now());
        await users.add(user);
        return user;
      },
    'admin',
  ),

  /**
   * @throws DomainError 'forbidden' for another user, unless the caller is an administrator, and for a field that the caller may not write
   * @throws DomainError 'invalid-state' when the user is erased
   */
  change: command(
    'users:write',
    ['not-found', 'forbidden', 'precondition-failed', 'validation', 'invalid-state', 'conflict'],
    (caller, { id, expectedVersions, changes }: ChangeUser) =>
      async ({ users }) => {
        const user = requireFound(await users.lock(id));
        requireOwnerOrAdmin(caller, user.id);
        for (const field of Object.keys(changes) as (keyof UserChanges)[])
          requireRole(caller, writers[field], [field]);
        requireVersion(user, expectedVersions);
        if (Object.keys(changes).length === 0) return user;
        const after = User.change(user, changes, clock.now());
        await users.save(after);
        return after;
      },
  ),

  /**
   * Removes a user with their API keys and the links to their identity providers.
   * @throws DomainError 'conflict' when the user has orders, 'invalid-state' when they are erased
   */
  remove: command(
    'users:write',
    ['not-found', 'precondition-failed', 'invalid-state', 'conflict'],
    (_caller, { id, expectedVersions }: Pick<ChangeUser, 'id' | 'expectedVersions'>) =>
      async (repositories) => {
        const { users, orders } = repositories;
        const user = requireFound(await users.lock(id));
        requireVersion(user, expectedVersions);
        User.requireActive(user);
        const { rows } = await orders.page({ userId: id }, { limit: 1 });
        if (rows.length > 0) throw new DomainError('conflict', 'The user has orders and cannot be deleted.');
        await removeIdentities(repositories, id);
        await removeKeys(repositories, id);
        await users.remove(id);
      },
    'admin',
  ),
});

/** The minimum role for each field of the caller's own record. Those of others are for administrators. */
const writers: Readonly<Record<keyof UserChanges, Role>> = {
  name: 'customer',
  externalId: 'staff',
  metadata: 'staff',
  email: 'admin',
  role: 'admin',
};
