import { createdSubject, type ParsedResponse, type Subject } from '../../lab/clients/response.ts';
import type { Visit } from '../visit.ts';
import { whenPaymentIs } from './reading.ts';
import { authorize, cancelPayment, capture } from './requests.ts';

/** A payment that is authorized, and what staff do about it. Each gives the payment, with what was captured of it. */
type Capturing = (visit: Visit, payment: Subject) => Promise<Subject | undefined>;

/** Authorizes the payment of an order, and goes on with it once it is. */
const authorizing =
  (goOn: Capturing) =>
  async (visit: Visit, order: Subject): Promise<Subject | undefined> => {
    const begun = createdSubject(await visit.send(authorize(visit, order)));
    const payment = begun && (await whenPaymentIs(visit, begun, ['authorized'], visit.shop.staff));
    return payment && goOn(visit, payment);
  };

const captured = (payment: Subject, ...responses: readonly ParsedResponse[]): Subject | undefined => {
  const made = responses.map(createdSubject).find((each) => each !== undefined);
  return made && { ...payment, status: 'succeeded', amount: made.amount };
};

const inFull: Capturing = async (visit, payment) =>
  captured(payment, await visit.send(capture(visit, payment)));

const inPart: Capturing = async (visit, payment) =>
  captured(payment, await visit.sendTwiceAtOnce(capture(visit, payment, partOf(visit, payment))));

/** Two captures, each with a key of its own: one of them at most may go through. */
const rivals: Capturing = async (visit, payment) => {
  const make = (amount?: number) => visit.send(capture(visit, payment, amount));
  return captured(payment, ...(await Promise.all([make(), make(partOf(visit, payment))])));
};

const canceled: Capturing = async (visit, payment) => {
  await visit.send(cancelPayment(visit, payment, visit.shop.staff));
  return undefined;
};

/** It is captured or canceled, never both. */
const capturedMeanwhile: Capturing = async (visit, payment) => {
  const [made] = await Promise.all([
    visit.send(capture(visit, payment)),
    visit.send(cancelPayment(visit, payment, visit.shop.staff)),
  ]);
  return captured(payment, made);
};

const left: Capturing = async (visit, payment) => {
  if (visit.random.chance(0.5)) await visit.sendAndAbandon(capture(visit, payment, partOf(visit, payment)));
  return undefined;
};

export const capturings = {
  capturedInFull: authorizing(inFull),
  capturedInPart: authorizing(inPart),
  capturedByRivals: authorizing(rivals),
  capturedMeanwhile: authorizing(capturedMeanwhile),
  authorizedAndCanceled: authorizing(canceled),
  authorizedAndLeft: authorizing(left),
};

const partOf = ({ random }: Visit, { amount }: Subject): number => random.between(1, (amount ?? 1) - 1);
