import type { ReadRepositories } from '#application/ports/repositories.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import { Instant } from '#domain/instant.ts';
import { Order } from '#domain/order.ts';
import { offline, Payment } from '#domain/payment.ts';
import type { Refund } from '#domain/refund.ts';
import type { Operation } from '../client.ts';
import type { SimulatedProvider } from '../provider/provider.ts';
import type { Shop } from '../shop.ts';
import { judgeMoney } from './money.ts';
import { judgeStock } from './stock.ts';

export type Problems = Generator<string, void, undefined>;

const all = { limit: 1_000 };

/**
 * What is unsettled although there was time enough.
 * @param overdue orders that were placed by then and are not paid should have been canceled
 * @param mayWait whether payers and banks may still decide
 */
export const leftOpen = (store: UnitOfWork, overdue: Instant, mayWait: boolean): Promise<readonly string[]> =>
  store.read(async (from) => {
    const never = Instant.at(Date.UTC(2100, 0, 1));
    const keys = await from.idempotencyKeys.findStale({
      ...all,
      createdBefore: never,
      now: never,
      leaseMs: 0,
    });
    const { payments, refunds, captures, orders } = await everythingIn(from);
    const isOpen = ({ status }: Payment): boolean =>
      status === 'pending' || (!mayWait && (unendingStatuses as readonly string[]).includes(status));
    const isUnknown = (refund: Refund): boolean =>
      isPending(refund) && !(mayWait && refund.providerReference !== null);
    const isWaited = ({ id }: Order): boolean =>
      mayWait && payments.some((payment) => payment.orderId === id && Payment.isLive(payment));
    const erasures = mayWait ? [] : (await from.erasures.page({ status: 'pending' }, all)).rows;
    const lookUps = mayWait ? [] : await from.lookUps.due('simulated', never, all.limit);
    return [
      ...keys.map(({ key }) => `The key ${key} is unsettled.`),
      ...payments.filter(isOpen).map(({ id }) => `The payment ${id} is stranded.`),
      ...refunds.filter(isUnknown).map(({ id }) => `The refund ${id} is stranded.`),
      ...captures.filter(isPending).map(({ id }) => `The capture ${id} is stranded.`),
      ...orders
        .filter((order) => order.paying && !isWaited(order))
        .map(({ id }) => `The order ${id} is being paid for ever.`),
      ...orders
        .filter((order) => isPending(order) && order.createdAt <= overdue && !(mayWait && order.unlockedAt))
        .filter((order) => !isWaited(order))
        .map(({ id }) => `The order ${id} waits to be paid for ever.`),
      ...erasures.map(({ id }) => `The erasure ${id} is not completed.`),
      ...lookUps.map(({ kind, reference }) => `The ${kind} ${reference} is looked up for ever.`),
    ];
  });

/** Compares the provider's ledger, the store and the responses. @returns the contradictions */
export const judge = async (
  { store, products }: Shop,
  provider: SimulatedProvider,
  errands: readonly Operation[],
): Promise<readonly string[]> => {
  const found = await store.read(everythingIn);
  return [
    ...errands.flatMap(({ contradictions }) => contradictions),
    ...judgeMoney(found, provider),
    ...found.orders.flatMap((order) => [...judgeOrder(order, found.payments)]),
    ...judgeStock(found, products, errands),
    ...errands.flatMap((one) => [...judgeAnswer(one, found.payments)]),
  ];
};

export type Found = Awaited<ReturnType<typeof everythingIn>>;

const everythingIn = async ({
  products,
  orders,
  orderItems,
  payments,
  captures,
  refunds,
  disputes,
  stockChanges,
}: ReadRepositories) => ({
  products: (await products.page({}, all)).rows,
  orders: (await orders.page({}, all)).rows,
  items: (await orderItems.page({}, all)).rows,
  payments: (await payments.page({}, all)).rows,
  captures: (await captures.page({}, all)).rows,
  refunds: (await refunds.page({}, all)).rows,
  disputes: (await disputes.page({}, all)).rows,
  stockChanges: (await stockChanges.page({}, all)).rows,
});

const isPending = ({ status }: { readonly status: string }): boolean => status === 'pending';

/** Statuses in which a payment can be only for a time. */
const unendingStatuses = ['requires_action', 'processing', 'authorized'] as const;

function* judgeOrder(order: Order, payments: readonly Payment[]): Problems {
  const succeeded = payments.filter((payment) => payment.orderId === order.id && Payment.isPaid(payment));
  const live = payments.filter((payment) => payment.orderId === order.id && Payment.isLive(payment));
  if (live.length > 1) yield `The order ${order.id} has ${live.length} live payments.`;
  if (succeeded.length > 1) yield `The order ${order.id} was paid ${succeeded.length} times.`;
  if (Order.wasPaid(order) !== succeeded.length > 0) {
    yield `The order ${order.id} is ${order.status}, with ${succeeded.length} payments.`;
  }
}

/** A client who was told that a payment has succeeded or was given up was told the truth. */
function* judgeAnswer({ key, finalResponse: response }: Operation, payments: readonly Payment[]): Problems {
  const isCancellation = key.startsWith('giveup-');
  if ((!key.startsWith('pay-') && !isCancellation) || !response?.startsWith('{')) return;
  const { id, provider, status }: Pick<Payment, 'id' | 'provider' | 'status'> = JSON.parse(response);
  const payment = payments.find((one) => one.id === id);
  const isTrue = isCancellation ? payment?.status === 'canceled' : payment && Payment.isPaid(payment);
  if (key.endsWith(offline) !== (provider === offline)) yield `${key} was paid by ${provider}.`;
  if (payment === undefined || (!isTrue && (isCancellation || status === 'succeeded')))
    yield `${key} was told of a payment that is none: ${response}`;
}
