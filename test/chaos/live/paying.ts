import { setTimeout as pause } from 'node:timers/promises';
import { createdSubject, type Subject } from '../../lab/clients/response.ts';
import { actsWithinMs } from '../conditions.ts';
import type { Visit } from '../visit.ts';
import { whenPaymentIs } from './reading.ts';
import { cancelPayment, payPresent } from './requests.ts';

/** A payment of an order that is begun, and goes on at the provider. Each gives the payment when it has succeeded soon. */
type LivePaying = (visit: Visit, order: Subject) => Promise<Subject | undefined>;

/** The payer consents, refuses, pays with another card or does nothing, as people do. */
const asked: LivePaying = async (visit, order) => {
  const payment = createdSubject(await visit.send(payPresent(visit, order)));
  return payment && whenPaymentIs(visit, payment, ['succeeded']);
};

const askedTwiceAtOnce: LivePaying = async (visit, order) => {
  const payment = createdSubject(await visit.sendTwiceAtOnce(payPresent(visit, order)));
  return payment && whenPaymentIs(visit, payment, ['succeeded']);
};

/** The page is closed before it has learned what the payer has to do. */
const askedInVain: LivePaying = async (visit, order) => {
  await visit.sendAndAbandon(payPresent(visit, order));
  return undefined;
};

/**
 * Gives a payment up, while its payer may consent at the same instant. The order is open again when the cancellation came first, and
 * is paid by another card then.
 */
const cancelsConsent: LivePaying = async (visit, order) => {
  const { random, provider, counts } = visit;
  const payment = createdSubject(await visit.send(payPresent(visit, order)));
  if (payment?.status !== 'requires_action') return undefined;
  const token = random.chance(0.8) ? visit.customer : visit.shop.staff;
  const canceling = cancelPayment(visit, payment, token);
  const isRace = random.chance(0.7);
  if (!isRace) await pause(random.between(0, actsWithinMs));
  const [{ status }] = await Promise.all([
    random.chance(0.3) ? visit.sendTwiceAtOnce(canceling) : visit.send(canceling),
    isRace && payment.reference !== null
      ? pause(random.between(0, 150)).then(() => provider.consent(payment.reference ?? ''))
      : undefined,
  ]);
  if (status === 200) {
    counts.cancellations += 1;
    if (random.chance(0.5)) await visit.send(visit.pay(order));
    return undefined;
  }
  counts.lostCancellations += 1;
  return whenPaymentIs(visit, payment, ['succeeded']);
};

export const livePayings = { asked, askedTwiceAtOnce, askedInVain, cancelsConsent };
