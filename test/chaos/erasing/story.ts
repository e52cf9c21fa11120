import { setTimeout as pause } from 'node:timers/promises';
import { createdSubject, type Subject } from '../../lab/clients/response.ts';
import { NoFinalResponseError } from '../../lab/clients/retried-request.ts';
import { sendRequest } from '../../lab/clients/send-request.ts';
import type { Token } from '../../lab/clients/shop.ts';
import { whenPaymentIs } from '../live/reading.ts';
import { payings } from '../paying.ts';
import type { Visit } from '../visit.ts';
import { markOf, Person } from './person.ts';
import {
  describe,
  erasure,
  newUser,
  orderFor,
  orderWithTexts,
  refundWithReason,
  review,
} from './requests.ts';
import { fulfillPaid } from './sending.ts';

/** How often an erasure is requested while a payment of the person is unsettled, and how often a key for them is. */
const maxAttempts = 60;

/** What an erased customer gets: a process that has cached their key knows it for a few seconds. */
const rejected = ['401 UNAUTHORIZED', '409 INVALID_STATE'];

/** An administrator erases a customer who has orders in every state, beside the customer's last requests. */
export const erasing = async (visit: Visit): Promise<void> => {
  const person = new Person(markOf(visit.name));
  const user = createdSubject(await visit.send(newUser(visit, person)));
  if (user === undefined) return;
  person.id = user.id;
  person.token = await issueKey(visit, user);
  const theirs = visit.as(person);
  const pending = await Promise.all(Object.values(histories).map((history) => history(theirs, person)));

  person.isForgotten = true;
  const [isErased] = await Promise.all([
    erase(visit, theirs, person),
    actBeside(theirs, person, visit.random.pick(pending)),
  ]);
  if (!isErased) return;
  person.late = orderWithTexts(theirs, person, [theirs.line()], ['401 UNAUTHORIZED']);
  await theirs.send(orderWithTexts(theirs, person, [theirs.line()], rejected));
  await theirs.send(orderFor(theirs, person, theirs.line()));
};

/** It is rejected while a payment is unsettled, or an order must still be sent. @returns whether the person is erased */
const erase = async (visit: Visit, theirs: Visit, person: Person): Promise<boolean> => {
  for (let attempts = 0; attempts < maxAttempts; attempts += 1) {
    const rejection = { isForgotten: false };
    const { status } = await visit.send(erasure(visit, person, rejection));
    if (status === 201) return true;
    rejection.isForgotten = true;
    await fulfillPaid(theirs, person);
    await pause(500);
  }
  return false;
};

/** The erasure comes before these or behind them, or meanwhile. */
const actBeside = async (theirs: Visit, person: Person, pending: Subject): Promise<void> => {
  const details = { note: `Beside ${person.mark}`, metadata: person.metadata };
  await Promise.all([
    theirs.send(theirs.pay(pending, ...rejected)),
    theirs.send(orderWithTexts(theirs, person, [theirs.line()], ['201', ...rejected])),
    // It is not retried, because an hour later it would write after the erasure.
    theirs.sendAndAbandon(describe(theirs, 'orders', pending, details, '409 INVALID_STATE')),
  ]);
};

/** What a customer does with an order. @returns an order that is still pending, most of the time */
type History = (visit: Visit, person: Person) => Promise<Subject>;

const ordered: History = async (visit, person) => {
  const order = createdSubject(await visit.send(orderWithTexts(visit, person, [visit.line(), visit.line()])));
  if (order === undefined) throw new NoFinalResponseError('There is no order.');
  const texts = { external_id: person.nextExternalId(), metadata: person.metadata };
  await visit.send(describe(visit, 'orders', order, texts));
  return order;
};

const canceled: History = async (visit, person) => {
  const order = await ordered(visit, person);
  await visit.send(visit.change(order, visit.customer, 'canceled'));
  return ordered(visit, person);
};

const reviewed: History = async (visit, person) => {
  const order = await ordered(visit, person);
  const item = createdSubject(await visit.send(visit.addItem(order, visit.line())));
  const payment = await payings.inCash(visit, order);
  if (payment === undefined || item === undefined) return order;
  await visit.send(visit.change(order, visit.shop.staff, 'fulfilled'));
  await visit.send(review(visit, person, item));
  return order;
};

const refunded: History = async (visit, person) => {
  const order = await ordered(visit, person);
  const begun = await payings.once(visit, order);
  const payment = begun && (await whenPaymentIs(visit, begun, ['succeeded']));
  if (payment === undefined) return order;
  await visit.send(describe(visit, 'payments', payment, { metadata: person.metadata }));
  const amount = visit.random.chance(0.5) ? 1 : undefined;
  const refund = createdSubject(await visit.send(refundWithReason(visit, person, payment, amount)));
  if (refund !== undefined)
    await visit.send(describe(visit, 'refunds', refund, { metadata: person.metadata }));
  return order;
};

/** The erasure has to wait for the payment. */
const left: History = async (visit, person) => {
  const order = await ordered(visit, person);
  if (visit.random.chance(0.3)) await payings.leaves(visit, order);
  return order;
};

const histories: Readonly<Record<string, History>> = { ordered, canceled, reviewed, refunded, left };

/** A key whose response was lost is never known, so each attempt makes another one. @throws NoFinalResponseError */
export const issueKey = async (visit: Visit, { id }: Subject): Promise<Token> => {
  const { random, fleet, shop } = visit;
  const body = JSON.stringify({ user_id: id, name: 'Chaos' });
  for (let attempts = 0; attempts < maxAttempts; attempts += 1) {
    const key = `${visit.name}-api-key-${attempts}`;
    const request = { method: 'POST', path: '/v1/api-keys', token: shop.admin, key, body };
    const received = await sendRequest(fleet.any(random), request, { keepAlive: false, cutAfter: undefined });
    if (typeof received !== 'string' && received.status === 201) return JSON.parse(received.text).data.token;
    await pause(500);
  }
  throw new NoFinalResponseError('There is no key.');
};
