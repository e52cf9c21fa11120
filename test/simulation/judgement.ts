import type { ReadRepositories } from '#application/ports/repositories.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import { Instant } from '#domain/instant.ts';
import { Order, type OrderItem } from '#domain/order.ts';
import type { Payment } from '#domain/payment.ts';
import { Quantity } from '#domain/quantity.ts';
import type { Refund } from '#domain/refund.ts';
import type { Operation } from './client.ts';
import type { Movement, SimulatedProvider } from './provider.ts';
import type { Shop } from './shop.ts';
import { quantityOfBuyer } from './stories.ts';

type Problems = Generator<string, void, undefined>;

const all = { limit: 1_000 };

/**
 * What is unsettled although there was time enough.
 * @param overdue orders that were placed by then and are not paid should have been canceled
 */
export const leftOpen = (store: UnitOfWork, overdue: Instant): Promise<readonly string[]> =>
  store.read(async (from) => {
    const never = Instant.at(Date.UTC(2100, 0, 1));
    const keys = await from.idempotencyKeys.findStale({
      ...all,
      createdBefore: never,
      now: never,
      leaseMs: 0,
    });
    const { payments, refunds, orders } = await everythingIn(from);
    return [
      ...keys.map(({ key }) => `The key ${key} is unsettled.`),
      ...payments.filter(isPending).map(({ id }) => `The payment ${id} is stranded.`),
      ...refunds.filter(isPending).map(({ id }) => `The refund ${id} is stranded.`),
      ...orders.filter(({ paying }) => paying).map(({ id }) => `The order ${id} is being paid for ever.`),
      ...orders
        .filter((order) => isPending(order) && order.createdAt <= overdue)
        .map(({ id }) => `The order ${id} waits to be paid for ever.`),
    ];
  });

/** Compares the provider's ledger, the store and the responses. @returns the contradictions */
export const judge = async (
  { store, stock, product }: Shop,
  provider: SimulatedProvider,
  errands: readonly Operation[],
): Promise<readonly string[]> => {
  const found = await store.read(everythingIn);
  const { stock: left } = (await store.read(({ products }) => products.find(product))) ?? { stock: null };
  return [
    ...errands.flatMap(({ contradictions }) => contradictions),
    ...found.payments.flatMap((payment) => [...judgePayment(payment, provider.charges, found.refunds)]),
    ...found.refunds.flatMap((refund) => [...judgeRefund(refund, provider.refunds)]),
    ...withoutRow(provider.charges, found.payments, 'charge'),
    ...withoutRow(provider.refunds, found.refunds, 'refund'),
    ...found.orders.flatMap((order) => [...judgeOrder(order, found.payments)]),
    ...judgeStock(found, stock, left),
    ...judgeBuyers(found.items, errands),
    ...errands.flatMap((one) => [...judgeAnswer(one, found.payments)]),
  ];
};

type Found = Awaited<ReturnType<typeof everythingIn>>;

const everythingIn = async ({ orders, orderItems, payments, refunds }: ReadRepositories) => ({
  orders: (await orders.page({}, all)).rows,
  items: (await orderItems.page({}, all)).rows,
  payments: (await payments.page({}, all)).rows,
  refunds: (await refunds.page({}, all)).rows,
});

const isPending = ({ status }: { readonly status: string }): boolean => status === 'pending';

const hasSucceeded = ({ status }: Payment): boolean => status !== 'pending' && status !== 'failed';

function* judgePayment(payment: Payment, charges: readonly Movement[], refunds: readonly Refund[]): Problems {
  yield* judgeMovement('payment', payment, hasSucceeded(payment), charges);
  const given = refunds
    .filter(({ paymentId, status }) => paymentId === payment.id && status === 'succeeded')
    .reduce((sum, { amount }) => sum + amount.amount, 0);
  if (given !== payment.refunded.amount) {
    yield `The payment ${payment.id} says that ${payment.refunded.amount} went back, and ${given} did.`;
  }
  if (given > payment.amount.amount) yield `More went back of the payment ${payment.id} than came in.`;
  if (payment.refunding.amount !== 0)
    yield `The payment ${payment.id} keeps ${payment.refunding.amount} back.`;
  const whole = given === payment.amount.amount;
  if (whole !== (payment.status === 'refunded') && given > 0)
    yield `The payment ${payment.id} is ${payment.status}.`;
}

const judgeRefund = (refund: Refund, movements: readonly Movement[]) =>
  judgeMovement('refund', refund, refund.status === 'succeeded', movements);

/** What succeeded here has moved money exactly once there, and what did not has moved none. */
function* judgeMovement(
  what: string,
  { id, amount, status, providerReference }: Payment | Refund,
  succeeded: boolean,
  movements: readonly Movement[],
): Problems {
  const [first, ...more] = movements.filter((movement) => movement.id === id);
  if (more.length > 0) yield `The ${what} ${id} has moved money ${more.length + 1} times.`;
  if (first === undefined) {
    if (succeeded) yield `The ${what} ${id} is ${status}, and no money has moved.`;
  } else if (!succeeded) {
    yield `The ${what} ${id} is ${status}, and its money has moved.`;
  } else if (first.amount.amount !== amount.amount || first.reference !== providerReference) {
    yield `The ${what} ${id} is not as the provider has it.`;
  }
}

const withoutRow = (
  movements: readonly Movement[],
  rows: readonly { readonly id: string }[],
  what: string,
): readonly string[] =>
  movements
    .filter(({ id }) => !rows.some((row) => row.id === id))
    .map(({ id }) => `Of the ${what} ${id} nothing is known here.`);

function* judgeOrder(order: Order, payments: readonly Payment[]): Problems {
  const succeeded = payments.filter((payment) => payment.orderId === order.id && hasSucceeded(payment));
  if (succeeded.length > 1) yield `The order ${order.id} was paid ${succeeded.length} times.`;
  if (Order.wasPaid(order) !== succeeded.length > 0) {
    yield `The order ${order.id} is ${order.status}, with ${succeeded.length} payments.`;
  }
}

/** What is left and what is in orders that stand is what there was. */
function* judgeStock({ orders, items }: Found, stock: number, left: Quantity | null): Problems {
  if (left === null || left < 0) {
    yield `There are ${left} left.`;
    return;
  }
  const standing = new Set(
    orders.filter(({ status }) => status !== 'canceled' && status !== 'refunded').map(({ id }) => id),
  );
  const taken = items
    .filter(({ orderId }) => standing.has(orderId))
    .reduce((sum, { quantity }) => sum + Quantity.toNumber(quantity), 0);
  const sum = Quantity.toNumber(left) + taken;
  if (Math.abs(sum - stock) > 0.0005)
    yield `Of ${stock} there are ${Quantity.toNumber(left)} left and ${taken} taken.`;
}

/** One order for each key, until the key expires. */
function* judgeBuyers(items: readonly OrderItem[], errands: readonly Operation[]): Problems {
  for (const { key, lives } of errands) {
    if (!key.startsWith('buy-')) continue;
    const quantity = quantityOfBuyer(Number(key.slice('buy-'.length)));
    const made = items.filter((item) => item.quantity === quantity).length;
    if (made > lives) yield `${key} has made ${made} orders.`;
  }
}

/** A client who was told that a payment succeeded has paid. */
function* judgeAnswer({ key, finalResponse: response }: Operation, payments: readonly Payment[]): Problems {
  if (!key.startsWith('pay-') || response === undefined || !response.startsWith('{')) return;
  const { id }: { readonly id: string } = JSON.parse(response);
  if (!payments.some((payment) => payment.id === id && hasSucceeded(payment))) {
    yield `${key} was told of a payment that is none: ${response}`;
  }
}
