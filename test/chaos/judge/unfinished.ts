import type { Rows } from '../rows.ts';
import { type Violation, violation } from '../violations.ts';
import { describePayment, describeRefund } from './evidence.ts';

/** What is unsettled after the grace period. */
export const judgeUnfinished = ({
  rows: { payments, refunds, captures, keys },
}: {
  readonly rows: Rows;
}): Violation[] =>
  [
    ...payments.filter(({ status }) => status === 'pending').map(describePayment),
    // The provider decides on one that it has accepted, and the judge of refunds compares that.
    ...refunds
      .filter(({ status, reference }) => status === 'pending' && reference === null)
      .map(describeRefund),
    ...captures.filter(({ status }) => status === 'pending').map(({ id }) => `capture ${id}`),
    ...keys.filter(({ unsettled }) => unsettled).map(({ key, subject }) => `key ${key} of ${subject}`),
  ].map((detail) => violation('stranded', detail));
