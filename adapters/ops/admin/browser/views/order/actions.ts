import { confirmAction, moneyField } from '../../components/dialog.ts';
import type { Values } from '../../elements.ts';
import { formatMoney } from '../../format.ts';
import { amountToText, parseMoney } from '../../money.ts';
import type { Order, Payment } from '../../resources.ts';
import type { Context } from '../../view.ts';

const changeStatus =
  ({ api }: Context, { id, version }: Order, status: 'canceled' | 'fulfilled') =>
  async (_: Values, idempotencyKey: string) =>
    api.send('PATCH /orders/{order_id}', {
      ...{ path: { order_id: id }, body: { status }, ifMatch: version, idempotencyKey },
    });

export const markAsSent = (context: Context, order: Order) =>
  confirmAction({
    title: `Mark order ${order.number} as sent?`,
    text: 'Do this when it is packed and on its way. It cannot be undone.',
    confirm: 'Mark as sent',
    run: changeStatus(context, order, 'fulfilled'),
  });

export const cancelOrder = (context: Context, order: Order) =>
  confirmAction({
    title: `Cancel order ${order.number}?`,
    text: 'What it has taken from the stock returns. It cannot be undone.',
    confirm: 'Cancel order',
    isDangerous: true,
    run: changeStatus(context, order, 'canceled'),
  });

/** Ends an order whose money was lost in a dispute before it was sent. */
export const cancelLostOrder = (context: Context, order: Order) =>
  confirmAction({
    title: `Cancel order ${order.number}?`,
    text: 'Its money was lost in a dispute. The order is not sent any more, and the pieces it took go back into stock. What is left of the money can still be refunded. It cannot be undone.',
    confirm: 'Cancel order',
    isDangerous: true,
    run: changeStatus(context, order, 'canceled'),
  });

/** Captures an authorized payment. What is not captured is released to the payer. */
export const capturePayment = ({ api }: Context, order: Order, payment: Payment) => {
  const { currency } = payment.amount;
  const whole = amountToText(payment.amount);
  return confirmAction({
    title: `Take the payment of order ${order.number}`,
    text: `${formatMoney(payment.amount)} is reserved. You can take less, once: the rest goes back to the payer, and the order is paid in full.`,
    fields: () => moneyField(`Amount in ${currency}`, 'amount', { value: whole }),
    confirm: 'Take the payment',
    run: async ({ amount: text = '' }, idempotencyKey) => {
      const limits = { most: payment.amount.amount, isLeft: 'that are reserved', isPositive: true };
      const amount = parseMoney(text, currency, limits);
      const body = { payment_id: payment.id, amount: { amount, currency } };
      const { data: capture } = await api.send('POST /captures', { body, idempotencyKey });
      return capture;
    },
  });
};

/** Gives an authorized payment back to the payer, so that the order can be paid in another way or canceled. */
export const releasePayment = ({ api }: Context, order: Order, payment: Payment) =>
  confirmAction({
    title: `Release the payment of order ${order.number}?`,
    text: `${formatMoney(payment.amount)} goes back to the payer, and cannot be taken any more. The order is not paid then.`,
    confirm: 'Release the payment',
    isDangerous: true,
    run: (_, idempotencyKey) =>
      api.send('PATCH /payments/{id}', {
        ...{ path: { id: payment.id }, body: { status: 'canceled' }, idempotencyKey },
      }),
  });
