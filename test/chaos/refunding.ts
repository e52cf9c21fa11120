import type { Subject } from '../lab/clients/response.ts';
import type { Visit } from './visit.ts';

/** The ways in which money goes back. */
type Refunding = (visit: Visit, payment: Subject) => Promise<void>;

const inFull: Refunding = async (visit, payment) => {
  await visit.send(visit.refund(payment));
};

const twiceAtOnce: Refunding = async (visit, payment) => {
  await visit.sendTwiceAtOnce(visit.refund(payment));
};

const inParts: Refunding = async (visit, payment) => {
  await visit.send(visit.refund(payment, partOf(visit, payment)));
  await visit.send(visit.refund(payment));
};

const inPartsAtOnce: Refunding = async (visit, payment) => {
  const part = partOf(visit, payment);
  const rest = amountOf(payment) - part;
  await Promise.all([part, rest].map((amount) => visit.send(visit.refund(payment, amount))));
};

/** All of it twice, each time with a key of its own: one of them at most may go through. */
const greedily: Refunding = async (visit, payment) => {
  const refund = () => visit.send(visit.refund(payment));
  await Promise.all([refund(), refund()]);
};

/** A part twice, from two dialogs that were opened before: one of them at most may go through. */
const fromTwoDialogs: Refunding = async (visit, payment) => {
  const part = partOf(visit, payment);
  await Promise.all([part, part].map((amount) => visit.send(visit.refundSeen(payment, amount, 0))));
};

const leaves: Refunding = async (visit, payment) => {
  await visit.sendAndAbandon(visit.refund(payment, partOf(visit, payment)));
};

export const refundings = { inFull, twiceAtOnce, inParts, inPartsAtOnce, greedily, fromTwoDialogs, leaves };

const amountOf = ({ id, amount }: Subject): number => {
  if (amount !== null && amount > 1) return amount;
  throw new TypeError(`The payment ${id} has nothing to be refunded in parts.`);
};

const partOf = ({ random }: Visit, payment: Subject): number => random.between(1, amountOf(payment) - 1);
