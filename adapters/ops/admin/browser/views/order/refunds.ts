import { confirmAction, field, moneyField } from '../../components/dialog.ts';
import { as, type Values } from '../../elements.ts';
import { formatMoney } from '../../format.ts';
import { html, nothing } from '../../lit.ts';
import { amountToText, parseMoney } from '../../money.ts';
import type { Order, Payment, Refund } from '../../resources.ts';
import type { Context } from '../../view.ts';
import { refundableOf, seenPayment } from './seen-payment.ts';

export const paymentsOf = ({ expanded }: Order): readonly Payment[] => expanded?.payments ?? [];

/** Whether refunds that are on their way give all the money of the order back. The API does not let it be sent then. */
export const isBeingRefunded = (order: Order): boolean =>
  paymentsOf(order).some(
    ({ captured, refunded, refunding }) =>
      refunding.amount > 0 && refunded.amount + refunding.amount >= captured.amount,
  );

/** Whether the shop has received the payment itself, so that no provider pays it back. */
export const isOffline = ({ provider }: Payment): boolean => provider === 'offline';

const wayBack = (payment: Payment): string =>
  isOffline(payment)
    ? 'You pay this back yourself; Portico only records it.'
    : 'The money goes back the way it came, and cannot be taken again.';

/** What becomes of the order and its stock when an amount is refunded. A disputed payment is never refunded in full. */
const aboutStock = (order: Order, payment: Payment, isAll: boolean): string => {
  if (order.status === 'fulfilled')
    return 'The order stays sent, and nothing goes back into stock. Add what comes back to you under Products.';
  if (order.status !== 'paid') return 'The stock stays as it is.';
  return isAll && payment.disputed.amount === 0
    ? 'That is all the money. Once it is refunded, the order is listed under Refunded and not sent any more, and the pieces it took go back into stock.'
    : 'The order stays to be packed, and the stock stays as it is.';
};

const reasonField = () =>
  field('Reason', 'reason', { maxlength: 500, hint: 'For your own records. Optional.' });

export const refundPayment = (context: Context, order: Order, payment: Payment) => {
  const { currency } = payment.amount;
  const seen = seenPayment(context, order, payment);
  const parse = (text: string) => parseMoney(text, currency, { most: seen.left().amount, isPositive: true });
  /** @returns undefined for a text that is no amount yet */
  const amountOf = ({ amount = '' }: Values) => {
    try {
      return parse(amount);
    } catch {
      return undefined;
    }
  };
  const fillIn = ({ currentTarget }: Event) => {
    const { form } = as(currentTarget, HTMLButtonElement);
    const amount = as(form?.elements.namedItem('amount'), HTMLInputElement);
    amount.value = amountToText(seen.left());
    amount.dispatchEvent(new Event('input', { bubbles: true }));
  };
  const about = (amount: number) => aboutStock(seen.order(), seen.payment(), amount === seen.left().amount);
  const aboutAmount = (amount: number | undefined) => (amount === undefined ? nothing : about(amount));
  return confirmAction({
    title: `Refund order ${order.number}`,
    text: () => `Up to ${formatMoney(seen.left())} can be refunded. ${wayBack(payment)}`,
    fields: (values) => html`
      <div class="with-button">
        ${moneyField(`Amount in ${currency}`, 'amount', {})}
        <button type="button" @click=${fillIn}>All of it (${formatMoney(seen.left())})</button>
      </div>
      ${reasonField()}
      <p class="soft" aria-live="polite">${aboutAmount(amountOf(values))}</p>
    `,
    confirm: (values) => {
      const amount = amountOf(values);
      return amount === undefined ? 'Refund' : `Refund ${formatMoney({ amount, currency })}`;
    },
    isDangerous: true,
    isSentByEnter: false,
    run: async ({ amount = '', reason }, idempotencyKey) =>
      seen.refund({ amount: { amount: parse(amount), currency }, reason }, idempotencyKey),
  });
};

/** What of the payments of a paid order is left, so that a refund of it cancels the order; undefined where none does. */
export const cancelableBy = (order: Order): Payment | undefined =>
  order.status !== 'paid'
    ? undefined
    : paymentsOf(order).find(
        (payment) =>
          payment.disputed.amount === 0 &&
          (refundableOf(payment) > 0 || (payment.status === 'succeeded' && isFree(payment))),
      );

const isFree = ({ amount }: Payment): boolean => amount.amount === 0;

/** Names what canceling a paid order does. Where nothing was paid nothing is paid back. */
export const cancelLabel = (payment: Payment): string =>
  isFree(payment)
    ? 'Cancel order'
    : `Cancel and refund ${formatMoney({ ...payment.amount, amount: refundableOf(payment) })}`;

/** Cancels a paid order that is not sent, by a refund of all that is left. */
export const cancelAndRefund = (context: Context, order: Order, payment: Payment) => {
  const seen = seenPayment(context, order, payment);
  const money = () => {
    const left = seen.left();
    const before = { ...left, amount: seen.payment().captured.amount - left.amount };
    return before.amount === 0
      ? `The customer gets all the money back: ${formatMoney(left)}.`
      : `The customer gets the rest of the money back: ${formatMoney(left)}. ${formatMoney(before)} was refunded before.`;
  };
  return confirmAction({
    title: `Cancel order ${order.number}?`,
    text: () => (isFree(payment) ? 'Nothing was paid for it.' : `${money()} ${wayBack(payment)}`),
    fields: () => html`
      <p>The order is not sent any more, and is listed under Refunded. The pieces it took go back into stock. This cannot be undone.</p>
      ${reasonField()}
    `,
    confirm: () => cancelLabel(seen.payment()),
    isDangerous: true,
    isSentByEnter: false,
    run: async ({ reason }, idempotencyKey) => {
      const amount = seen.left();
      // The dialog's stock and money are out of date.
      if (seen.order().status !== 'paid' || (amount.amount === 0 && !isFree(payment)))
        throw new Error('The order cannot be canceled any more. Go back, and look at it again.');
      if (isFree(payment)) return seen.refund({ reason }, idempotencyKey);
      return seen.refund({ amount, reason }, idempotencyKey);
    },
  });
};

/** What became of a refund, in a sentence. */
export const aboutRefund = ({ amount, status, failure }: Refund, payment: Payment): string => {
  const money = formatMoney(amount);
  if (status === 'failed') return `The refund of ${money} failed. ${failure?.message ?? ''}`;
  if (amount.amount === 0) return 'The order is canceled.';
  if (isOffline(payment)) return `Recorded: you pay ${money} back yourself.`;
  return status === 'succeeded' ? `${money} is refunded.` : `${money} is on its way back to the customer.`;
};
