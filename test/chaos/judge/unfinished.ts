import type { Rows } from '../rows.ts';
import { type Violation, violation } from '../violations.ts';
import { describeOrder, describePayment, describeRefund } from './evidence.ts';

/** What is unsettled after the grace period. */
export const judgeUnfinished = ({
  rows: { orders, payments, refunds, keys },
}: {
  readonly rows: Rows;
}): Violation[] =>
  [
    ...payments.filter(({ status }) => status === 'pending').map(describePayment),
    ...refunds.filter(({ status }) => status === 'pending').map(describeRefund),
    ...orders.filter(({ paying }) => paying).map(describeOrder),
    ...keys.filter(({ unsettled }) => unsettled).map(({ key, subject }) => `key ${key} of ${subject}`),
  ].map((detail) => violation('stranded', detail));
