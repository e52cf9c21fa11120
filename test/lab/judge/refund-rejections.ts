import type { RefundRow, Rows } from '../rows.ts';
import { byId, type ClientOutcome, capturedOf, type Evidence, groupedBy, sumOf } from './evidence.ts';

/**
 * Why a refund can have been rejected: another was given since its client looked, less was left than it wanted, a dispute was open, or it failed at the provider. What was gone when
 * it was rejected is at most all that has ever been refunded or disputed of the payment, even if it has come back since.
 * @returns what tells of a rejection without a reason
 */
export const refundRejections = (
  rows: Rows,
  ledger: Evidence['ledger'],
): ((outcome: ClientOutcome, row: RefundRow | undefined) => string | undefined) => {
  const payments = byId(rows.payments);
  const refundsOf = groupedBy(rows.refunds, ({ paymentId }) => paymentId);
  const disputesOf = groupedBy(rows.disputes, ({ paymentId }) => paymentId);
  const failed = new Set(
    ledger.refunds.filter(({ status }) => status === 'failed').map(({ refundId }) => refundId),
  );

  return ({ response, subjectId = '', asked }, row) => {
    const payment = payments.get(subjectId);
    if (payment === undefined) return `there is no payment ${subjectId}`;
    const captured = capturedOf(payment);
    const others = (refundsOf.get(subjectId) ?? []).filter(({ id }) => id !== row?.id);
    const disputes = disputesOf.get(subjectId) ?? [];
    const gone = sumOf([...others, ...disputes], ({ amount }) => amount);
    const wanted = asked?.amount ?? 0;
    const isExceeded = gone > 0 && wanted + gone > captured;
    const hasReason = {
      AMOUNT_EXCEEDED: asked?.amount === undefined ? gone > 0 : isExceeded,
      // What was seen differs from what was gone at any time: without another refund that was nothing.
      CONFLICT: asked?.seen !== undefined && (others.length > 0 || asked.seen > 0),
      INVALID_STATE: disputes.length > 0 || gone >= captured,
      PAYMENT_DECLINED: row !== undefined && (failed.has(row.id) || gone > 0),
    }[response?.code ?? ''];
    if (hasReason) return undefined;
    return `of ${captured} of the payment ${subjectId} at most ${gone} were gone`;
  };
};
