import type { PaymentRow } from '../rows.ts';
import { type Violation, violation } from '../violations.ts';
import { describePayment, describeRefund, type Evidence } from './evidence.ts';

/**
 * What is unsettled after the grace period. A payment whose payer can be asked is closed only once the payer's time is over, so it
 * stays pending when its client gave up and no request of it has reached the provider.
 */
export const judgeUnfinished = ({
  ledger: { charges, open, canceled },
  rows: { payments, refunds, captures, keys },
}: Pick<Evidence, 'ledger' | 'rows'>): Violation[] => {
  const reached = new Set([...charges, ...open, ...canceled].map(({ paymentId }) => paymentId));
  const isLeft = ({ id, status, isAsked }: PaymentRow) => status === 'pending' && isAsked && !reached.has(id);
  const left = new Set(payments.filter(isLeft).map(({ id }) => id));
  return [
    ...payments.filter(({ id, status }) => status === 'pending' && !left.has(id)).map(describePayment),
    // The provider decides on one that it has accepted, and the judge of refunds compares that.
    ...refunds
      .filter(({ status, reference }) => status === 'pending' && reference === null)
      .map(describeRefund),
    ...captures.filter(({ status }) => status === 'pending').map(({ id }) => `capture ${id}`),
    ...keys
      .filter(({ unsettled, subject }) => unsettled && !left.has(subject ?? ''))
      .map(({ key, subject }) => `key ${key} of ${subject}`),
  ].map((detail) => violation('stranded', detail));
};
