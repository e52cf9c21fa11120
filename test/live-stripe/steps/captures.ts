import type { Json } from '../../http/support/client.ts';
import { euros, price, type Shop, summary } from '../shop.ts';
import type { Observe, Step } from '../step.ts';

const day = 24 * 60 * 60 * 1000;

const authorize = async (shop: Shop, observe: Observe): Promise<Json> => {
  const payment = await shop.paid('pm_card_visa', { capture: 'manual' });
  observe('payment', `${payment.status} ${payment.captured.amount}`, 'authorized 0');
  observe('order', await shop.orderStatus(payment.order_id), 'pending');
  return payment;
};

const capture = (shop: Shop, payment: Json, amount?: number) =>
  shop.send('captures', {
    payment_id: payment.id,
    ...(amount !== undefined && { amount: euros(amount) }),
  });

const received = async ({ stripe }: Shop, { provider_reference: reference }: Json): Promise<string> => {
  const { status, amount_received: amount } = await stripe.paymentIntents.retrieve(reference);
  return `${status} ${amount}`;
};

const whole: Step = {
  name: 'what was authorized is captured as a whole, later',
  run: async (shop, observe) => {
    const payment = await authorize(shop, observe);
    const days = (Date.parse(payment.capture_before) - Date.now()) / day;
    observe('days to capture it', days > 1 && days < 31 ? 'some' : days, 'some');
    observe('intent at Stripe', await received(shop, payment), 'requires_capture 0');
    observe(
      'more than was authorized',
      summary(await capture(shop, payment, price + 1)),
      '409 AMOUNT_EXCEEDED',
    );
    observe('capture', summary(await capture(shop, payment)), '201 succeeded');
    const { status, captured } = await shop.get(`payments/${payment.id}`);
    observe('payment', `${status} ${captured.amount}`, `succeeded ${price}`);
    observe('order', await shop.orderStatus(payment.order_id), 'paid');
    observe('intent at Stripe', await received(shop, payment), `succeeded ${price}`);
    observe('second capture', summary(await capture(shop, payment)), '409 INVALID_STATE');
  },
};

const partial: Step = {
  name: 'a part is captured, the rest is given back, and only the part can be refunded',
  run: async (shop, observe) => {
    const payment = await authorize(shop, observe);
    observe('capture', summary(await capture(shop, payment, 400)), '201 succeeded');
    const { status, captured } = await shop.get(`payments/${payment.id}`);
    observe('payment', `${status} ${captured.amount}`, 'succeeded 400');
    observe('order', await shop.orderStatus(payment.order_id), 'paid');
    observe('intent at Stripe', await received(shop, payment), 'succeeded 400');
    observe('refund of more', summary(await shop.refund(payment, 401)), '409 AMOUNT_EXCEEDED');
    observe('refund of the part', summary(await shop.refund(payment)), '201 succeeded');
    const { status: refunded } = await shop.get(`payments/${payment.id}`);
    observe('payment', refunded, 'refunded');
  },
};

const given: Step = {
  name: 'what was authorized is given up',
  run: async (shop, observe) => {
    const payment = await authorize(shop, observe);
    observe('cancellation', summary(await shop.cancel(payment)), '200 canceled');
    observe('intent at Stripe', await received(shop, payment), 'canceled 0');
    observe('capture', summary(await capture(shop, payment)), '409 INVALID_STATE');
    observe('another card', summary(await shop.pay(payment.order_id, 'pm_card_visa')), '201 succeeded');
  },
};

export const captureSteps: readonly Step[] = [whole, partial, given];
