import { price, summary } from '../shop.ts';
import type { Step } from '../step.ts';

const parts: Step = {
  name: 'a charge is refunded in parts, and not beyond',
  run: async (shop, observe) => {
    const payment = await shop.paid('pm_card_visa');
    const response = await shop.refund(payment, 300);
    observe('refund', summary(response), '201 succeeded');
    observe('origin', response.body.data.origin, 'portico');
    observe('payment', (await shop.get(`payments/${payment.id}`)).status, 'partially_refunded');
    observe('refund of more than is left', summary(await shop.refund(payment, 701)), '409 AMOUNT_EXCEEDED');
    observe('refund of the rest', summary(await shop.refund(payment)), '201 succeeded');
    const { status, refunded } = await shop.get(`payments/${payment.id}`);
    observe('payment', `${status} ${refunded.amount}`, `refunded ${price}`);
    observe('order', await shop.orderStatus(payment.order_id), 'refunded');
    const { data } = await shop.stripe.refunds.list({ payment_intent: payment.provider_reference });
    const amounts = data.map(({ amount }) => amount).toSorted((one, other) => one - other);
    observe('refunds at Stripe', amounts, [300, 700]);
  },
};

const outside: Step = {
  name: 'a refund in the dashboard is recorded',
  isLate: true,
  run: async (shop, observe) => {
    const payment = await shop.paid('pm_card_visa');
    const { id } = await shop.stripe.refunds.create({
      payment_intent: payment.provider_reference,
      amount: 400,
    });
    const [refund] = await shop.eventually(
      () => shop.get(`refunds?payment_id=${payment.id}`),
      ([first]) => first?.status === 'succeeded',
    );
    const { origin, status, amount, provider_reference: reference } = refund ?? {};
    observe('refund', `${origin} ${status} ${amount?.amount} ${reference}`, `provider succeeded 400 ${id}`);
    const { status: now, refunded } = await shop.get(`payments/${payment.id}`);
    observe('payment', `${now} ${refunded.amount}`, 'partially_refunded 400');
  },
};

const waits: Step = {
  name: 'a refund of pm_card_pendingRefund waits, and succeeds later',
  isLate: true,
  run: async (shop, observe) => {
    const payment = await shop.paid('pm_card_pendingRefund');
    const response = await shop.refund(payment);
    observe('refund', summary(response), '201 pending');
    observe('order', await shop.orderStatus(payment.order_id), 'paid');
    const { status } = await shop.eventually(
      () => shop.get(`refunds/${response.body.data.id}`),
      (refund) => refund.status !== 'pending',
    );
    observe('refund, later', status, 'succeeded');
    observe('order, later', await shop.orderStatus(payment.order_id), 'refunded');
  },
};

const fails: Step = {
  name: 'a refund of pm_card_refundFail succeeds, and fails later',
  isLate: true,
  run: async (shop, observe) => {
    const payment = await shop.paid('pm_card_refundFail');
    const response = await shop.refund(payment);
    observe('refund', summary(response), '201 succeeded');
    const refund = await shop.eventually(
      () => shop.get(`refunds/${response.body.data.id}`),
      ({ status }) => status === 'failed',
    );
    observe('refund, later', refund.status, 'failed');
    observe('its failure', refund.failure === null ? 'not shown' : 'shown', 'shown');
    const { status, refunded } = await shop.get(`payments/${payment.id}`);
    observe('payment, later', `${status} ${refunded.amount}`, 'succeeded 0');
    observe('order, later', await shop.orderStatus(payment.order_id), 'refunded');
  },
};

export const refundSteps: readonly Step[] = [parts, outside, waits, fails];
