import { Email } from '#domain/email.ts';
import { DomainError } from '#domain/errors.ts';
import { User, type UserDetails, type UserId } from '#domain/user.ts';
import { readAll } from '../pages.ts';
import type { Collections, PageRequest } from '../ports/repositories.ts';
import type { Clock, NewId } from '../ports/system.ts';
import {
  type ExpectedVersions,
  requireFound,
  requireOwnerOrStaff,
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
  readonly changes: Partial<UserDetails>;
}

interface Dependencies {
  readonly clock: Clock;
  readonly newId: NewId;
}

/** Users. Administrators manage them, staff read them, and every user can read their own record. */
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
    (_caller, details: UserDetails) =>
      async ({ users }) => {
        const user = User.create(newId(), details, clock.now());
        await users.add(user);
        return user;
      },
  ),

  change: command(
    'users:write',
    ['not-found', 'precondition-failed', 'validation', 'conflict'],
    (_caller, { id, expectedVersions, changes }: ChangeUser) =>
      async ({ users }) => {
        const user = requireFound(await users.lock(id));
        requireVersion(user, expectedVersions);
        if (Object.keys(changes).length === 0) return user;
        const after = User.change(user, changes, clock.now());
        await users.save(after);
        return after;
      },
  ),

  /**
   * Removes a user with their API keys and the links to their identity providers.
   * @throws DomainError 'conflict' when the user has orders, or has been erased
   */
  remove: command(
    'users:write',
    ['not-found', 'precondition-failed', 'conflict'],
    (_caller, { id, expectedVersions }: Pick<ChangeUser, 'id' | 'expectedVersions'>) =>
      async ({ users, orders, apiKeys, identities, erasures }) => {
        requireVersion(requireFound(await users.lock(id)), expectedVersions);
        const { rows } = await orders.page({ userId: id }, { limit: 1 });
        if (rows.length > 0) throw new DomainError('conflict', 'The user has orders and cannot be deleted.');
        const [erasure] = await erasures.findBy('userId', [id]);
        if (erasure !== undefined)
          throw new DomainError('conflict', 'The user has been erased and cannot be deleted.');
        for (const { id: identity } of await identities.findBy('userId', [id]))
          await identities.remove(identity);
        for await (const key of readAll(apiKeys, { userId: id })) {
          await apiKeys.remove(key.id);
        }
        await users.remove(id);
      },
  ),
});
