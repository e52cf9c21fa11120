import type { Repositories } from '#application/ports/repositories.ts';
import { Instant } from '#domain/instant.ts';
import type { Order, OrderId } from '#domain/order.ts';
import { OrderExpiry } from '#domain/order-expiry.ts';
import { replacing } from './replacing.ts';

/** What the watch of orders goes by. */
export interface OrderRules {
  readonly now: () => Instant;
  readonly orderLifetimeMs: number;
  /** Whether a client has asked to cancel the order. */
  readonly isGivenUp: (id: OrderId) => boolean;
}

/**
 * Watches that no order is canceled before its time: while a payment locks it, within its lifetime, or within 15 minutes after a lock that
 * has outlasted it, so that the payer has a second try, which is given once. Clients and erasures may cancel an order that is not locked at any time.
 * Watches, too, that an order says when it was paid.
 * @param notice is called with each breach, and what has begun may still roll back
 */
export const watchedOrders = (
  { orders, users }: Repositories,
  rules: OrderRules,
  notice: (breach: string) => void,
): Pick<Repositories, 'orders'> => ({
  orders: replacing(orders, {
    save: async (order) => {
      const before = await orders.find(order.id);
      if (before?.status === 'pending' && order.status === 'canceled') {
        if (before.paying) notice(`The order ${order.id} was canceled while it was being paid.`);
        const isErased = (await users.find(order.userId))?.status !== 'active';
        if (!isErased && !rules.isGivenUp(order.id) && rules.now() < lastsUntil(before, rules))
          notice(`The order ${order.id} was canceled before its time.`);
      }
      if (before !== undefined && hasSecondTry(before, rules) && order.unlockedAt !== before.unlockedAt)
        notice(`The order ${order.id} was given a second try once more.`);
      for (const breach of paymentBreaches(before, order)) notice(breach);
      await orders.save(order);
    },
  }),
});

/** An order says when it was paid, once and for all: not before, and whatever becomes of it. */
const paymentBreaches = (before: Order | undefined, after: Order): readonly string[] => {
  const { id, status, paidAt, updatedAt } = after;
  const paidBefore = before?.paidAt ?? null;
  return [
    ...(paidBefore !== null && paidBefore !== paidAt
      ? [`The order ${id} was paid at another time than before.`]
      : []),
    ...(status === 'paid' && before?.status !== 'paid' && paidAt !== updatedAt
      ? [`The order ${id} does not say when it was paid.`]
      : []),
    ...(status === 'pending' && paidAt !== null ? [`The order ${id} was paid before it was.`] : []),
  ];
};

const endOf = ({ createdAt }: Order, { orderLifetimeMs }: OrderRules): Instant =>
  Instant.plus(createdAt, orderLifetimeMs);

const hasSecondTry = (order: Order, rules: OrderRules): boolean =>
  order.unlockedAt !== null && order.unlockedAt > endOf(order, rules);

const lastsUntil = (order: Order, rules: OrderRules): Instant =>
  order.unlockedAt !== null && hasSecondTry(order, rules)
    ? Instant.plus(order.unlockedAt, OrderExpiry.secondTryMs)
    : endOf(order, rules);
