import { type Violation, violation } from '../violations.ts';
import { groupedBy, type Judge } from './evidence.ts';

/**
 * Of two clients who have seen the same of a payment, one refunds it. While no refund of it fails, what is refunded or being refunded
 * only grows, so it is the same never again.
 */
export const judgeSeenRefunds: Judge = ({ rows, clientOutcomes }) => {
  const refundsOf = groupedBy(rows.refunds, ({ paymentId }) => paymentId);
  const given = clientOutcomes.filter(
    ({ kind, asked, response }) => kind === 'refund' && asked?.seen !== undefined && response?.status === 201,
  );
  const found: Violation[] = [];
  for (const [seen, outcomes] of groupedBy(
    given,
    ({ subjectId, asked }) => `${asked?.seen} of ${subjectId}`,
  )) {
    const [{ subjectId = '' } = {}] = outcomes;
    const hasFailed = (refundsOf.get(subjectId) ?? []).some(({ status }) => status === 'failed');
    if (outcomes.length === 1 || hasFailed) continue;
    const keys = outcomes.map(({ key }) => key).join(' and ');
    found.push(violation('duplicateRefunds', `${keys} have both seen ${seen}, and both have refunded`));
  }
  return found;
};
