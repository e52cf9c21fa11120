import { faultsOf, type Mutant } from './mutant.ts';

const late = 'gives its money back to the payment, leaves the order refunded, and is a warning';
const mismatched = 'of another currency, of nothing or of more than was paid is reported, and not recorded';

/** Faults in what is recorded of the word of a provider. */
export const reconciliationMutants: readonly Mutant[] = [
  ...faultsOf('reconciliation', 'reconciliation/refunds.ts', [
    ['late failures that are ignored', 'if (isLate) await revert', 'if (false) await revert', late],
    [
      'amounts of refunds that are not compared',
      "requireSameMoney('refund', refund, reported.amount);",
      '',
      'holds back no refund of ours that ends, and one of ours holds back no other',
    ],
  ]),
  ...faultsOf('reconciliation', 'reconciliation/revert-refund.ts', [
    ['money that a late failure does not give back', 'await payments.save(reverted);', '', late],
  ]),
  ...faultsOf('reconciliation', 'payments/external-captures.ts', [
    [
      'a second row for a capture of ours',
      '!found.some(Capture.isLive)',
      'found !== undefined',
      'and of which one of ours under way turns out to have been it has that row only',
    ],
    [
      'captures of what was taken at once',
      "payment.captureMethod !== 'manual' || ",
      '',
      'has no row when nothing was to be captured later',
    ],
  ]),
  ...faultsOf('reconciliation', 'reconciliation/manual-resolution.ts', [
    [
      'a settled refund of more than is left',
      'amount.amount > left',
      'amount.amount > left + payment.amount.amount',
      'must be there, have ended, and be at most what is left',
    ],
    [
      'another amount than that of a capture under way',
      'if (await awaitsCapture(repositories, payment, snapshot.charge)) throw isUnderWay(id);',
      '',
      'is no charge of which a capture under way asks for another amount, until that is settled',
    ],
  ]),
  ...faultsOf('reconciliation', 'reconciliation/external-refunds.ts', [
    [
      'amounts of external refunds that are not compared',
      'requirePart(payment, left,',
      '((..._: unknown[]) => {})(payment, left,',
      mismatched,
    ],
    [
      'external refunds that wait for nothing',
      'if (outcome === undefined) await scheduleRefundReconciliation(reconciliationTasks, refund, at);',
      'if (outcome === undefined) return;',
      'is reconciled without events while it is pending',
    ],
    [
      'external refunds that leave the payment as it is',
      'await payments.save(Payment.followRefund(payment, reported.amount, at));',
      '',
      'appears as one from the provider, and the payment follows',
    ],
  ]),
  ...faultsOf('reconciliation', 'reconciliation/disputes.ts', [
    [
      'words of a provider that are believed',
      'if (disputeStatuses.includes(reported.status)) return reported;',
      'if (reported.status !== undefined) return reported;',
      'counts as under review, with a warning, when its status is not known here',
    ],
    [
      'a row for each word on a dispute',
      'const before = all.get(details.providerReference);',
      'const before = undefined as Dispute | undefined;',
      'has one row, with its payment and its order, however often it is reported',
    ],
  ]),
];
