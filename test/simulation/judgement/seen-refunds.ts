import { Payment } from '#domain/payment.ts';
import type { Refund } from '#domain/refund.ts';
import type { Operation } from '../client.ts';
import type { Shop } from '../shop.ts';
import { seenByRefund } from '../stories/stories.ts';

/** A refund whose client has said what was refunded before began when that was still so, as the feed tells it. */
export const judgeSeenRefunds = (
  { store }: Shop,
  operations: readonly Operation[],
): Promise<readonly string[]> =>
  store.read(async ({ events }) => {
    const { rows } = await events.page({}, { after: 0, limit: 100_000 });
    return operations.flatMap(({ key, finalResponses }) => {
      const seen = seenByRefund(key);
      if (seen === undefined) return [];
      return [...finalResponses].flatMap((response) => {
        if (!response.startsWith('{')) return [];
        const { id, paymentId, amount }: Refund = JSON.parse(response);
        const begun = rows.findIndex(({ subject }) => subject.id === id && subject.version === 1);
        // The payment is saved just before its refund.
        const payment = rows.slice(0, begun).findLast(({ subject }) => subject.id === paymentId)?.data;
        if (payment === undefined) return [`${key} has begun without its payment.`];
        const before = Payment.refundedOrRefunding(payment as Payment).amount - amount.amount;
        return before === seen ? [] : [`${key} was given, although ${before} was refunded before.`];
      });
    });
  });
