import type { Order } from '#domain/order.ts';
import { Payment } from '#domain/payment.ts';
import { Quantity } from '#domain/quantity.ts';
import { erasing, erasingAgain, newOperation, type Operation } from '../client.ts';
import type { Actor } from '../schedule.ts';
import type { Shop } from '../shop.ts';
import { type Actors, impatiently } from './actors.ts';
import { payments, waitFor } from './payments.ts';

/** The stories. Each resolves when all of its clients have a response or have given up. */
export const stories = (actors: Actors): readonly Promise<void>[] => [
  ...actors.shop.orders.flatMap((order, index) => storiesOf(actors, order, nameOfOrder(index))),
  ...buyers(actors),
  ...stockTakers(actors),
  ...(actors.random.chance(0.15) ? [forget(actors)] : []),
];

/** @param index of the order among those that there are when the story begins */
export const nameOfOrder = (index: number): string => `${index + 1}`;

/** The key under which a client cancels an order. */
export const keyOfCancellation = (name: string): string => `cancel-${name}`;

const storiesOf = (actors: Actors, { id: orderId }: Order, name: string): readonly Promise<void>[] => {
  const { shop, random } = actors;
  const reported = [...payments(actors, orderId, name)];
  if (random.chance(0.2)) {
    const input = { id: orderId, expectedVersions: undefined, status: 'canceled' } as const;
    reported.push(
      ...impatiently(
        actors,
        newOperation(keyOfCancellation(name), shop.ada, (to) => to.useCases.orders.change, input),
      ),
    );
  }
  for (let refunds = random.pick([0, 1, 2, 2]); refunds > 0; refunds -= 1) {
    reported.push(refund(actors, orderId, `refund-${name}-${refunds}`, Number(name) % 2 === 0));
  }
  return reported;
};

/** Each orders up to three items at once. The last digits of the quantities tell whose order it is. */
const buyers = (actors: Actors): readonly Promise<void>[] =>
  Array.from({ length: actors.random.below(3) }, (_, index) => {
    const { random, shop } = actors;
    const size = random.between(1, 3);
    const items = Array.from({ length: size }, () => ({
      productId: random.pick(shop.products).id,
      quantity: quantityOfBuyer(index),
    }));
    const [only] = items;
    const input = only !== undefined && size === 1 ? only : { items };
    return impatiently(
      actors,
      newOperation(keyOfBuyer(index, size), shop.ada, (to) => to.useCases.orders.place, input),
    );
  }).flat();

/** The reason of a change tells whose it is. */
const stockTakers = (actors: Actors): readonly Promise<void>[] =>
  Array.from({ length: actors.random.below(3) }, (_, index) => {
    const key = `stock-${index}`;
    const change = Quantity.of(actors.random.pick([2, 1, -1]));
    const input = { productId: actors.random.pick(actors.shop.products).id, change, reason: key };
    return impatiently(
      actors,
      newOperation(key, actors.shop.staff, (to) => to.useCases.stockChanges.create, input),
    );
  }).flat();

export const quantityOfBuyer = (index: number): Quantity => Quantity.of((1001 + index) / 1000);

const keyOfBuyer = (index: number, items: number): string => `buy-${index}-${items}`;

/** The buyer whose key it is, and how many items that one orders. */
export const buyerOf = (key: string): { readonly index: number; readonly size: number } | undefined => {
  const [, index, size] = /^buy-(\d+)-(\d+)$/.exec(key) ?? [];
  return index === undefined ? undefined : { index: Number(index), size: Number(size) };
};

const keyOfSeen = (name: string, sum: number): string => `${name}-seen-${sum}`;

/** What the client of a refund has seen as refunded, in cents; undefined when its key is that of another request. */
export const seenByRefund = (key: string): number | undefined => {
  const [, sum] = /^refund-.+-seen-(\d+)$/.exec(key) ?? [];
  return sum === undefined ? undefined : Number(sum);
};

/** An administrator erases the user of all orders, some time or other. When something is paid, staff send it first. */
const forget = async (actors: Actors): Promise<void> => {
  const { shop, schedule, random } = actors;
  const waiting: Actor = { name: erasing, isGone: false };
  await schedule.sleep(waiting, random.pick([500, 10_000, 60_000, 3_600_000]), 'is asked to forget Ada');
  const input = shop.ada.userId;
  const one = newOperation(erasing, shop.admin, (to) => to.useCases.erasures.begin, input);
  await Promise.all(impatiently(actors, one));
  if (!one.finalResponse?.includes('must still be sent')) return;
  await schedule.sleep(waiting, random.pick([500, 10_000, 3_600_000]), 'lets all orders be sent');
  await Promise.all((await paidOrders(shop)).map((order) => actors.send(fulfillment(shop, order))));
  const again = newOperation(erasingAgain, shop.admin, (to) => to.useCases.erasures.begin, input);
  await Promise.all(impatiently(actors, again));
};

const paidOrders = ({ store }: Shop): Promise<readonly Order[]> =>
  store.read(async ({ orders }) => (await orders.page({ status: 'paid' }, { limit: 1_000 })).rows);

const fulfillment = ({ staff }: Shop, { id }: Order): Operation => {
  const input = { id, expectedVersions: undefined, status: 'fulfilled' } as const;
  return newOperation(`fulfill-${id}`, staff, (to) => to.useCases.orders.change, input);
};

/** Waits for the order to be paid, and gives all or some of it back. @param saysSeen whether with what was refunded when it looked */
const refund = async (
  actors: Actors,
  orderId: Order['id'],
  name: string,
  saysSeen: boolean,
): Promise<void> => {
  const { shop, random } = actors;
  const payment = await waitFor(actors, orderId, ['succeeded'], name);
  if (payment === undefined) return;
  const amount = { amount: random.pick([1000, 600, 400]), currency: 'EUR' };
  const expectedRefunded = Payment.refundedOrRefunding(payment);
  const input = {
    ...{ paymentId: payment.id, reason: null, ...(payment.amount.amount > 0 && { amount }) },
    ...(saysSeen && { expectedRefunded }),
  };
  const key = saysSeen ? keyOfSeen(name, expectedRefunded.amount) : name;
  const one = newOperation(key, shop.staff, (to) => to.useCases.refunds.create, input);
  await Promise.all(impatiently(actors, one));
};
