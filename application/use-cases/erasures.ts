import { Dispute } from '#domain/dispute.ts';
import { Erasure, type ErasureId, unsent, unsettled } from '#domain/erasure.ts';
import { DomainError } from '#domain/errors.ts';
import type { Instant } from '#domain/instant.ts';
import type { Order, OrderId } from '#domain/order.ts';
import { Payment, type PaymentId } from '#domain/payment.ts';
import type { User, UserId } from '#domain/user.ts';
import { removeKeys } from '../accounts/credentials.ts';
import { isOperator } from '../accounts/operator-account.ts';
import { readAll } from '../pages.ts';
import type { PageRequest, Repositories } from '../ports/repositories.ts';
import type { Clock, NewId } from '../ports/system.ts';
import { type Caller, requireFound } from '../preconditions.ts';
import { command, query } from '../use-case.ts';

interface Dependencies {
  readonly clock: Clock;
  readonly newId: NewId;
}

/** How many pending orders of a user a request locks at most. A background job checks any others one by one. */
const maxLockedOrders = 10_000;

const batchSize = 100;

/** How many orders that must still be sent an error names. */
const maxNamedOrders = 20;

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
   * @throws DomainError 'invalid-state' for the caller, for the operator, for a user who is erased already, while a payment, refund or
   *   dispute of theirs is unsettled, and while an order of theirs is paid and must still be sent
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
 * @throws DomainError 'invalid-state' while a payment, refund or dispute of the user is unsettled, or an order is paid
 */
const requireSettled = async (repositories: Repositories, userId: UserId, at: Instant): Promise<void> => {
  const { orders, payments, refunds, disputes } = repositories;
  for await (const { status } of readAll(refunds, { userId })) {
    if (status === 'pending') throw unsettled('refund');
  }
  for await (const pending of lockPendingOrders(repositories, userId)) {
    if (pending.some(({ paying }) => paying)) throw unsettled('payment');
    await orders.saveAll(pending.map((order) => Erasure.ofOrder(order, at)));
  }
  await requireNothingToSend(orders, userId);
  const disputed: PaymentId[] = [];
  for await (const payment of readAll(payments, { userId })) {
    if (Payment.isUndecided(payment) || payment.status === 'authorized') throw unsettled('payment');
    if (payment.disputed.amount > 0) disputed.push(payment.id);
  }
  if (disputed.length === 0) return;
  const found = await disputes.findBy('paymentId', disputed);
  if (found.some(Dispute.isOpen)) throw unsettled('dispute');
};

/**
 * Orders that are paid need their address. Call it after the pending ones are locked, so that one that was paid meanwhile is seen.
 * @throws DomainError 'invalid-state' while the user has an order that is paid
 */
const requireNothingToSend = async (
  orders: Pick<Repositories['orders'], 'page'>,
  userId: UserId,
): Promise<void> => {
  const { rows, hasMore } = await orders.page({ userId, status: 'paid' }, { limit: maxNamedOrders });
  const ids: readonly OrderId[] = rows.map(({ id }) => id);
  if (ids.length > 0) throw unsent(ids, hasMore);
};

/** Locks pending orders in batches, and ends with those that are placed meanwhile. */
async function* lockPendingOrders(
  { orders }: Pick<Repositories, 'orders'>,
  userId: UserId,
): AsyncGenerator<readonly Order[], void, undefined> {
  let after: Order['id'] | undefined;
  for (let count = 0, hasMore = true; hasMore && count < maxLockedOrders; count += batchSize) {
    const page = await orders.page({ userId, status: 'pending' }, { after, limit: batchSize });
    const ids = page.rows.map(({ id }) => id);
    const locked = await orders.lockBy('id', ids);
    yield locked.filter(({ status }) => status === 'pending');
    ({ hasMore } = page);
    after = ids.at(-1);
  }
}
