import { ChangedMeanwhileError, errorOf } from '../../errors.ts';
import { formatMoney } from '../../format.ts';
import type { Money, Order, Payment, Refund } from '../../resources.ts';
import type { Context } from '../../view.ts';

/** What of a payment can still be refunded, as the API has it: refunds that are pending count as if they had succeeded. */
export const refundableOf = ({ captured, refunded, refunding, disputed }: Payment): number =>
  Math.max(0, captured.amount - refunded.amount - refunding.amount - disputed.amount);

/** What was refunded of a payment, and is being refunded. */
const refundedOf = ({ refunded, refunding }: Payment): number => refunded.amount + refunding.amount;

/**
 * A payment of an order as the person who refunds it has seen it. Each refund is sent with that, so of two people who have seen the
 * same only one gives it. The other sees what has been refunded meanwhile, and decides again.
 */
export const seenPayment = (
  { api }: { readonly api: Pick<Context['api'], 'send'> },
  shownOrder: Order,
  shownPayment: Payment,
): SeenPayment => {
  let [order, payment] = [shownOrder, shownPayment];
  const { id } = payment;
  const { currency } = payment.amount;

  const readAgain = async () => {
    const path = { order_id: order.id };
    const { data } = await api.send('GET /orders/{order_id}', { path, query: { expand: 'payments' } });
    const before = payment;
    const now = data.expanded?.payments?.find((one) => one.id === id) ?? before;
    [order, payment] = [data, now];
    return new ChangedMeanwhileError(aboutChange(refundedOf(now) - refundedOf(before), currency), now);
  };

  return {
    order: () => order,
    payment: () => payment,
    left: () => ({ amount: refundableOf(payment), currency }),
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

interface SeenPayment {
  readonly order: () => Order;
  readonly payment: () => Payment;
  /** What can still be refunded. */
  readonly left: () => Money;
  /** @throws ChangedMeanwhileError when it is not as it was shown; from then on it is as it is now */
  readonly refund: (
    wanted: { readonly amount?: Money; readonly reason?: string | undefined },
    idempotencyKey: string,
  ) => Promise<Refund>;
}

const isAboutSeen = (error: unknown): boolean => {
  const { code, details = [] } = errorOf(error);
  return code === 'CONFLICT' && details.some(({ field }) => field === 'expected_refunded');
};

const aboutChange = (difference: number, currency: string): string => {
  const money = formatMoney({ amount: Math.abs(difference), currency });
  const what =
    difference > 0
      ? `${money} was refunded meanwhile`
      : difference < 0
        ? `A refund of ${money} has failed meanwhile`
        : 'The refunds of this payment have changed meanwhile';
  return `${what}. Yours was not given. Confirm again if it is still to be given.`;
};
