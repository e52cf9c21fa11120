import { amountOf, paymentOf } from '../../lab/clients/requests.ts';
import type { Subject } from '../../lab/clients/response.ts';
import type { RetriedRequest } from '../../lab/clients/retried-request.ts';
import type { Token } from '../../lab/clients/shop.ts';
import type { Visit } from '../visit.ts';

/** With it ends each address that a payer returns to. It must be in no dump and no log. */
export const returnMark = 'wolpertinger-returns';

/** Cards whose payer has to consent, most of which are good. */
const askingCards = [
  'pm_card_authenticationRequired',
  'pm_card_threeDSecure2Required',
  'pm_card_threeDSecureRequiredChargeDeclined',
];

/** Pays with a payer who is present, and is asked for consent most of the time. */
export const payPresent = (visit: Visit, order: Subject): RetriedRequest => {
  const { random } = visit;
  const card = random.chance(0.85) ? random.pick(askingCards) : 'pm_card_visa';
  const details = {
    ...{ payment_method: card, payer_present: true },
    ...(random.chance(0.5) && { return_url: `https://shop.example/${returnMark}` }),
  };
  return visit.newRequest(paymentOf(order, visit.customer, details, ['201', '422 PAYMENT_DECLINED']));
};

/** Staff have the money of an order authorized. */
export const authorize = (visit: Visit, order: Subject): RetriedRequest => {
  const isAsked = visit.random.chance(0.3);
  const details = {
    ...{ capture: 'manual', payer_present: isAsked },
    payment_method: isAsked ? 'pm_card_authenticationRequired' : 'pm_card_visa',
  };
  return visit.newRequest(paymentOf(order, visit.shop.staff, details, ['201', '422 PAYMENT_DECLINED']));
};

/**
 * It is rejected when a merchant has captured or canceled the charge in the dashboard, or staff with another key. The judge asks for a reason.
 * @param amount all that was authorized, unless given
 */
export const capture = (visit: Visit, { id }: Subject, amount?: number): RetriedRequest =>
  visit.newRequest({
    ...{ kind: 'capture', method: 'POST', path: '/v1/captures', subjectId: id, token: visit.shop.staff },
    body: { payment_id: id, ...amountOf(amount) },
    expectedOutcomes: ['201', '409 INVALID_STATE', '422 PAYMENT_DECLINED'],
  });

/** It loses against a consent or a capture that came before, and comes too late when a merchant has canceled the charge. */
export const cancelPayment = (visit: Visit, { id }: Subject, token: Token): RetriedRequest =>
  visit.newRequest({
    ...{ kind: 'cancellation', method: 'PATCH', path: `/v1/payments/${id}`, subjectId: id, token },
    body: { status: 'canceled' },
    expectedOutcomes: ['200', '409 INVALID_STATE'],
  });
