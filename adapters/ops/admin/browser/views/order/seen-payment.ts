// @ts-nocheck
import { ChangedMeanwhileError } from '../../errors.ts';
import { formatMoney } from '../../format.ts';

/** What of a payment can still be refunded, as the API has it: refunds that are pending count as if they had succeeded. */
export const refundableOf = ({ captured, refunded, refunding, disputed }) =>
  Math.max(0, captured.amount - refunded.amount - refunding.amount - disputed.amount);

/** What was refunded of a payment, and is being refunded. */
const refundedOf = ({ refunded, refunding }) => refunded.amount + refunding.amount;

/**
 * A payment of an order as the person who refunds it has seen it. Each refund is sent with that, so of two people who have seen the
 * same only one gives it. The other sees what has been refunded meanwhile, and decides anew.
 */
export const seenPayment = ({ api }, shownOrder, shownPayment) => {
  let [order, payment] = [shownOrder, shownPayment];
  const { id } = payment;
  const { currency } = payment.amount;

  const readAgain = async () => {
    const path = { order_id: order.id };
    const { data } = await api.send('GET /orders/{order_id}', { path, query: { expand: 'payments' } });
    const before = payment;
    const now = data.expanded.payments.find((one) => one.id === id);
    [order, payment] = [data, now];
    return new ChangedMeanwhileError(aboutChange(refundedOf(now) - refundedOf(before), currency), now);
  };

  return {
    order: () => order,
    payment: () => payment,
    left: () => ({ amount: refundableOf(payment), currency }),
    /** @throws ChangedMeanwhileError when it is not as it was shown; from then on it is as it is now */
    refund: async ({ amount, reason }, idempotencyKey) => {
      const body = {
        ...{ payment_id: id, ...(amount && { amount }), ...(reason && { reason }) },
        expected_refunded: { amount: refundedOf(payment), currency },
      };
      try {
        return (await api.send('POST /refunds', { body, idempotencyKey })).data;
      } catch (error) {
        throw isAboutSeen(error) ? await readAgain() : error;
      }
    },
  };
};

const isAboutSeen = ({ code, details = [] }) =>
  code === 'CONFLICT' && details.some(({ field }) => field === 'expected_refunded');

const aboutChange = (difference, currency) => {
  const money = formatMoney({ amount: Math.abs(difference), currency });
  const what =
    difference > 0
      ? `${money} was refunded meanwhile`
      : difference < 0
        ? `A refund of ${money} has failed meanwhile`
        : 'The refunds of this payment have changed meanwhile';
  return `${what}. Yours was not given. Confirm again if it is still to be given.`;
};
