import type { Caller } from '#application/preconditions.ts';
import type { Pay } from '#application/use-cases/payments.ts';
import type { Order } from '#domain/order.ts';
import { offline, type Payment, type PaymentStatus } from '#domain/payment.ts';
import { newOperation } from '../client.ts';
import { secretMark } from '../provider/ledger.ts';
import { type Actors, impatiently } from './actors.ts';

const second = 1_000;
const minute = 60 * second;

/** All that clients do with the payments of an order. */
export const payments = (actors: Actors, orderId: Order['id'], name: string): readonly Promise<void>[] => {
  const { shop, random } = actors;
  const reported: Promise<void>[] = [];
  for (let rivals = random.chance(0.3) ? 2 : 1; rivals > 0; rivals -= 1) {
    const { caller, input } = online(actors, orderId);
    reported.push(
      ...impatiently(
        actors,
        newOperation(`pay-${name}-${rivals}`, caller, (to) => to.useCases.payments.pay, input),
      ),
    );
  }
  if (random.chance(0.2)) {
    const key = `pay-${name}-${offline}`;
    const input = { orderId, paymentMethod: offline, reference: key };
    reported.push(
      ...impatiently(
        actors,
        newOperation(key, shop.staff, (to) => to.useCases.payments.pay, input),
      ),
    );
  }
  if (random.chance(0.3)) reported.push(payAgain(actors, orderId, name));
  for (let pages = random.pick([0, 0, 1, 2]); pages > 0; pages -= 1)
    reported.push(read(actors, orderId, `read-${name}-${pages}`));
  if (random.chance(0.35)) reported.push(cancel(actors, orderId, `giveup-${name}`));
  for (let rivals = random.pick([0, 1, 3]); rivals > 0; rivals -= 1)
    reported.push(capture(actors, orderId, `capture-${name}-${rivals}`));
  return reported;
};

/** A payment with a card, by a payer who is present or not. Staff may capture later. */
const online = ({ shop, random }: Actors, orderId: Order['id']): { caller: Caller; input: Pay } => {
  const paymentMethod = random.weighted({ good: 5, declining: 1, asking: 4, deciding: 1 });
  const isPresent = paymentMethod === 'asking' ? random.chance(0.9) : random.chance(0.1);
  const present = isPresent && {
    payerPresent: true,
    ...(random.chance(0.5) && { returnUrl: `https://shop.example/${secretMark}/paid` }),
  };
  const byStaff = random.chance(0.35);
  return {
    caller: byStaff ? shop.staff : shop.ada,
    input: {
      orderId,
      paymentMethod,
      ...present,
      ...(byStaff && { capture: random.pick(['manual', 'automatic']) }),
    },
  };
};

/** The buyer tries once more to pay, much later. */
const payAgain = async (actors: Actors, orderId: Order['id'], name: string): Promise<void> => {
  const key = `pay-${name}-again`;
  const wait = actors.random.pick([30 * second, 10 * minute, 70 * minute]);
  await actors.schedule.sleep({ name: key, isGone: false }, wait, 'comes back');
  const { caller, input } = online(actors, orderId);
  await Promise.all(
    impatiently(
      actors,
      newOperation(key, caller, (to) => to.useCases.payments.pay, input),
    ),
  );
};

/** The page of a payer reads the payment until it waits for them no more. */
const read = async (actors: Actors, orderId: Order['id'], name: string): Promise<void> => {
  const { random, shop } = actors;
  const reader = { name, isGone: false };
  const payment = await waitFor(actors, orderId, ['requires_action'], name);
  if (payment === undefined) return;
  const caller = random.pick([shop.ada, shop.staff]);
  for (let reads = random.between(1, 4); reads > 0; reads -= 1) {
    await actors.read(reader, caller, payment.id);
    await actors.schedule.sleep(reader, random.pick([100, second, 5 * second, minute]), 'reads again');
  }
};

/** Gives a payment up that waits for its payer or its capture, at any moment of its life. */
const cancel = async (actors: Actors, orderId: Order['id'], key: string): Promise<void> => {
  const { shop, random } = actors;
  const statuses = ['requires_action', 'authorized'] as const;
  const payment = await waitFor(actors, orderId, statuses, key);
  if (payment === undefined) return;
  const caller = payment.captureMethod === 'manual' || random.chance(0.3) ? shop.staff : shop.ada;
  const input = { id: payment.id, expectedVersions: undefined };
  await Promise.all(
    impatiently(
      actors,
      newOperation(key, caller, (to) => to.useCases.payments.cancel, input),
    ),
  );
};

/** Takes the money of an authorized payment, in full or in part. */
const capture = async (actors: Actors, orderId: Order['id'], key: string): Promise<void> => {
  const { shop, random } = actors;
  const payment = await waitFor(actors, orderId, ['authorized'], key);
  if (payment === undefined) return;
  const amount = { amount: random.pick([1000, 700, 1]), currency: 'EUR' };
  const input = { paymentId: payment.id, ...(random.chance(0.5) && { amount }) };
  await Promise.all(
    impatiently(
      actors,
      newOperation(key, shop.staff, (to) => to.useCases.captures.create, input),
    ),
  );
};

/** Looks now and then whether a payment of the order has one of the statuses. */
export const waitFor = async (
  { shop, schedule, random }: Actors,
  orderId: Order['id'],
  statuses: readonly PaymentStatus[],
  name: string,
): Promise<Payment | undefined> => {
  const watcher = { name, isGone: false };
  for (let looks = 0; looks < 8; looks += 1) {
    await schedule.sleep(
      watcher,
      random.pick([500, 3 * second, 30 * second, 5 * minute]),
      'looks at the payments',
    );
    const { rows } = await shop.store.read(({ payments }) => payments.page({ orderId }, { limit: 10 }));
    const payment = rows.find(({ status }) => statuses.includes(status));
    if (payment !== undefined) return payment;
  }
  return undefined;
};
