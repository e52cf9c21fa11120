import { Erasure, type ErasureId, unsettled } from '#domain/erasure.ts';
import { DomainError } from '#domain/errors.ts';
import type { User, UserId } from '#domain/user.ts';
import { removeKeys } from '../credentials.ts';
import { isOperator } from '../operator-account.ts';
import { readAll } from '../pages.ts';
import type { PageRequest, Repositories } from '../ports/repositories.ts';
import type { Clock, NewId } from '../ports/system.ts';
import { type Caller, requireFound } from '../preconditions.ts';
import { command, query } from '../use-case.ts';

interface Dependencies {
  readonly clock: Clock;
  readonly newId: NewId;
}

/** How many pending orders a request locks. A background job checks the others one by one. */
const maxLockedOrders = 100;

/** Erasures of personal data. Administrators begin and read them; a background job completes them. */
export const erasureUseCases = ({ clock, newId }: Dependencies) => ({
  list: query(
    'users:read',
    [],
    (_caller, page: PageRequest<ErasureId>) =>
      ({ erasures }) =>
        erasures.page({}, page),
    'admin',
  ),

  get: query(
    'users:read',
    ['not-found'],
    (_caller, id: ErasureId) =>
      async ({ erasures }) =>
        requireFound(await erasures.find(id)),
    'admin',
  ),

  /**
   * Locks a user at once: their record is erased and read-only, and their API keys are gone. Their rows follow in batches.
   * @throws DomainError 'invalid-state' for the caller, for the operator, for a user who is erased already, and while a payment or
   *   refund of theirs is unsettled
   */
  begin: command(
    'users:write',
    ['not-found', 'invalid-state'],
    (caller, userId: UserId) => async (repositories) => {
      const { users, erasures } = repositories;
      const user = requireFound(await users.lock(userId));
      requireErasable(caller, user);
      const at = clock.now();
      const erased = Erasure.ofUser(user, at);
      await requireSettled(repositories, userId, at);
      await users.save(erased);
      await removeKeys(repositories, userId);
      const erasure = Erasure.begin(newId(), userId, at);
      await erasures.add(erasure);
      return erasure;
    },
    'admin',
  ),
});

/** @throws DomainError 'invalid-state' for the caller and for the operator */
const requireErasable = (caller: Caller, user: User): void => {
  if (user.id === caller.userId) throw new DomainError('invalid-state', 'You cannot erase yourself.');
  if (isOperator(user))
    throw new DomainError('invalid-state', 'The account of the operator cannot be erased.');
};

/**
 * Pending orders are locked and changed, because a payment begins with the same: it is rejected then, or it is seen here.
 * @throws DomainError 'invalid-state' while a payment or refund of the user is unsettled
 */
const requireSettled = async (
  { orders, payments, refunds }: Repositories,
  userId: UserId,
  at: Parameters<typeof Erasure.ofOrder>[1],
): Promise<void> => {
  for await (const { status } of readAll(refunds, { userId })) {
    if (status === 'pending') throw unsettled('refund');
  }
  const { rows } = await orders.page({ userId, status: 'pending' }, { limit: maxLockedOrders });
  const locked = await Promise.all(rows.map(({ id }) => orders.lock(id)));
  const pending = locked.filter((order) => order?.status === 'pending').map(requireFound);
  if (pending.some(({ paying }) => paying)) throw unsettled('payment');
  const unfinished = await payments.page({ userId, status: 'pending' }, { limit: 1 });
  if (unfinished.rows.length > 0) throw unsettled('payment');
  await orders.saveAll(pending.map((order) => Erasure.ofOrder(order, at)));
};
