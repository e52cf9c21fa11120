import { randomUUID } from 'node:crypto';
import { price, summary } from '../shop.ts';
import type { Step } from '../step.ts';

const charged: Step = {
  name: 'pm_card_visa is charged once, also when the request is repeated with its key',
  run: async (shop, observe) => {
    const order = await shop.newOrder();
    const key = randomUUID();
    const since = Math.floor(Date.now() / 1000) - 60;
    const response = await shop.pay(order, 'pm_card_visa', {}, key);
    observe('response', summary(response), '201 succeeded');
    const payment = response.body.data;
    observe('captured', payment.captured.amount, price);
    observe('order', await shop.orderStatus(order), 'paid');
    const again = await shop.pay(order, 'pm_card_visa', {}, key);
    observe('repeated response', again.text === response.text ? 'the same' : again.text, 'the same');
    const second = await shop.pay(order, 'pm_card_visa');
    observe('second payment of the order', summary(second), '409 INVALID_STATE');
    const intent = await shop.stripe.paymentIntents.retrieve(payment.provider_reference);
    const { status, amount_received: received, currency } = intent;
    observe('intent at Stripe', `${status} ${received} ${currency}`, `succeeded ${price} eur`);
    const all = await shop.stripe.paymentIntents
      .list({ created: { gte: since }, limit: 100 })
      .autoPagingToArray({ limit: 1_000 });
    const own = all.filter(({ metadata: { payment_id: paymentId } }) => paymentId === payment.id);
    observe('intents of the payment', own.map(({ id }) => id).join(), payment.provider_reference);
  },
};

/** https://docs.stripe.com/testing#declined-payments. Without a decline code the error code is shown. */
const declines: Readonly<Record<string, string>> = {
  pm_card_visa_chargeDeclined: 'generic_decline',
  pm_card_visa_chargeDeclinedInsufficientFunds: 'insufficient_funds',
  pm_card_visa_chargeDeclinedLostCard: 'lost_card',
  pm_card_visa_chargeDeclinedStolenCard: 'stolen_card',
  pm_card_chargeDeclinedExpiredCard: 'expired_card',
  pm_card_chargeDeclinedIncorrectCvc: 'incorrect_cvc',
  pm_card_chargeDeclinedProcessingError: 'processing_error',
  pm_card_visa_chargeDeclinedVelocityLimitExceeded: 'card_velocity_exceeded',
  pm_card_authenticationRequired: 'authentication_required',
};

const declined = (method: string, code: string): Step => ({
  name: `${method} is declined where no payer is present, and the order can be paid by another card`,
  run: async (shop, observe) => {
    const order = await shop.newOrder();
    observe('response', summary(await shop.pay(order, method)), '422 PAYMENT_DECLINED');
    const [payment] = await shop.get(`payments?order_id=${order}`);
    observe('payment', `${payment.status} ${payment.failure?.code}`, `failed ${code}`);
    observe('order', await shop.orderStatus(order), 'pending');
    observe('another card', summary(await shop.pay(order, 'pm_card_visa')), '201 succeeded');
  },
});

export const chargeSteps: readonly Step[] = [
  charged,
  ...Object.entries(declines).map(([method, code]) => declined(method, code)),
];
