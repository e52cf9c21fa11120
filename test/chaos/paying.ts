import { createdSubject, type Subject } from '../lab/clients/response.ts';
import type { Visit } from './visit.ts';

/** The ways in which an order is paid, or not. Each gives the payment that succeeded, when the client knows of one. */
type Paying = (visit: Visit, order: Subject) => Promise<Subject | undefined>;

/** A declined card is tried again with a new key, as a person would. */
const once: Paying = async (visit, order) => {
  for (let tries = 0; tries < 3; tries += 1) {
    const payment = createdSubject(await visit.send(visit.pay(order)));
    if (payment !== undefined) return payment;
  }
  return undefined;
};

const twiceAtOnce: Paying = async (visit, order) =>
  createdSubject(await visit.sendTwiceAtOnce(visit.pay(order)));

/** Two payments of one order, each with a key of its own: one of them at most may go through. */
const rivals: Paying = async (visit, order) => {
  const pay = () => visit.send(visit.pay(order, '409 INVALID_STATE'));
  const [one, other] = await Promise.all([pay(), pay()]);
  return createdSubject(one) ?? createdSubject(other);
};

const badCardFirst: Paying = async (visit, order) => {
  await visit.send(visit.payWithBadCard(order));
  return once(visit, order);
};

const leaves: Paying = async (visit, order) => {
  await visit.sendAndAbandon(visit.pay(order));
  return undefined;
};

const cancels: Paying = async (visit, order) => {
  await visit.send(visit.change(order, visit.customer, 'canceled'));
  return undefined;
};

/** It is paid or canceled, never both. */
const cancelsMeanwhile: Paying = async (visit, order) => {
  const canceling = visit.change(order, visit.customer, 'canceled', '409 INVALID_STATE');
  const [payment] = await Promise.all([
    visit.send(visit.pay(order, '409 INVALID_STATE')),
    visit.send(canceling),
  ]);
  return createdSubject(payment);
};

const inCash: Paying = async (visit, order) =>
  createdSubject(await visit.sendTwiceAtOnce(visit.payOffline(order)));

/** With a card and in cash at once: one of them at most may go through. */
const cashAndCard: Paying = async (visit, order) => {
  const [cash, card] = await Promise.all([
    visit.send(visit.payOffline(order, '409 INVALID_STATE')),
    visit.send(visit.pay(order, '409 INVALID_STATE')),
  ]);
  return createdSubject(cash) ?? createdSubject(card);
};

export const payings = {
  ...{ once, twiceAtOnce, rivals, badCardFirst, leaves, cancels, cancelsMeanwhile },
  ...{ inCash, cashAndCard },
};
