import type { ReadRepositories } from '#application/ports/repositories.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import { Instant } from '#domain/instant.ts';
import { Order } from '#domain/order.ts';
import { offline, type Payment } from '#domain/payment.ts';
import type { Refund } from '#domain/refund.ts';
import type { Operation } from './client.ts';
import type { Movement, SimulatedProvider } from './provider.ts';
import type { Shop } from './shop.ts';
import { judgeStock } from './stock-judgement.ts';

export type Problems = Generator<string, void, undefined>;

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
  { store, products }: Shop,
  provider: SimulatedProvider,
  errands: readonly Operation[],
): Promise<readonly string[]> => {
  const found = await store.read(everythingIn);
  return [
    ...errands.flatMap(({ contradictions }) => contradictions),
    ...found.payments.flatMap((payment) => [...judgePayment(payment, provider.charges, found.refunds)]),
    ...found.refunds.flatMap((refund) => [...judgeRefund(refund, provider.refunds)]),
    ...withoutRow(provider.charges, found.payments, 'charge'),
    ...withoutRow(provider.refunds, found.refunds, 'refund'),
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
  refunds,
  stockChanges,
}: ReadRepositories) => ({
  products: (await products.page({}, all)).rows,
  orders: (await orders.page({}, all)).rows,
  items: (await orderItems.page({}, all)).rows,
  payments: (await payments.page({}, all)).rows,
  refunds: (await refunds.page({}, all)).rows,
  stockChanges: (await stockChanges.page({}, all)).rows,
});

const isPending = ({ status }: { readonly status: string }): boolean => status === 'pending';

const hasSucceeded = ({ status }: Payment): boolean => status !== 'pending' && status !== 'failed';

function* judgePayment(payment: Payment, charges: readonly Movement[], refunds: readonly Refund[]): Problems {
  yield* judgeMovement('payment', payment, hasSucceeded(payment), charges);
  const succeeded = refunds.filter(
    ({ paymentId, status }) => paymentId === payment.id && status === 'succeeded',
  );
  const given = succeeded.reduce((sum, { amount }) => sum + amount.amount, 0);
  if (given !== payment.refunded.amount) {
    yield `The payment ${payment.id} says that ${payment.refunded.amount} went back, and ${given} did.`;
  }
  if (given > payment.amount.amount) yield `More went back of the payment ${payment.id} than came in.`;
  if (payment.refunding.amount !== 0)
    yield `The payment ${payment.id} keeps ${payment.refunding.amount} back.`;
  const whole = given === payment.amount.amount;
  if (whole !== (payment.status === 'refunded') && succeeded.length > 0)
    yield `The payment ${payment.id} is ${payment.status}.`;
}

const judgeRefund = (refund: Refund, movements: readonly Movement[]) =>
  judgeMovement('refund', refund, refund.status === 'succeeded', movements);

/** What succeeded here has moved money exactly once there, and what did not has moved none. */
function* judgeMovement(
  what: string,
  { id, amount, status, provider, providerReference }: Payment | Refund,
  succeeded: boolean,
  movements: readonly Movement[],
): Problems {
  const [first, ...more] = movements.filter((movement) => movement.id === id);
  if (provider === offline || amount.amount === 0) {
    if (!succeeded) yield `The ${what} ${id} is ${status}, although no provider has a say in it.`;
    if (first !== undefined) yield `The ${what} ${id} has reached the provider.`;
    return;
  }
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

/** A client who was told that a payment succeeded has paid. */
function* judgeAnswer({ key, finalResponse: response }: Operation, payments: readonly Payment[]): Problems {
  if (!key.startsWith('pay-') || response === undefined || !response.startsWith('{')) return;
  const { id, provider }: Pick<Payment, 'id' | 'provider'> = JSON.parse(response);
  if (key.endsWith(offline) !== (provider === offline)) yield `${key} was paid by ${provider}.`;
  if (!payments.some((payment) => payment.id === id && hasSucceeded(payment))) {
    yield `${key} was told of a payment that is none: ${response}`;
  }
}
