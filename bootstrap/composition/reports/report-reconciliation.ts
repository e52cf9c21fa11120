import type { Metrics } from '#adapters/metrics/metrics.ts';
import type { OpenLog } from '#adapters/system/log.ts';
import type { ReconciliationObserver, ReconciliationWarning } from '#application/reconciliation/observer.ts';

const messages: Readonly<Record<ReconciliationWarning['reason'], string>> = {
  unanswered:
    'This could not be reconciled with the payment provider for days, and is not tried any more. Look it up there, and correct what differs here.',
  undecided:
    'The payment provider has not decided for 21 days. Look the payment up there, then run portico payments settle.',
  'refund-failed-late':
    'A refund that had succeeded has failed at the payment provider: the payer does not get the money. Refund the payment again.',
  'unknown-dispute-status':
    'The payment provider reports an unknown status of a dispute. It counts as under_review.',
  'mismatched-dispute-amount':
    'The payment provider reports an amount of a dispute that cannot be counted here. The recorded amount counts.',
  'other-provider':
    'Payments and refunds wait for a provider that is not configured any more. Set PAYMENT_PROVIDER back until they are settled.',
};

/** Logs and counts reconciliation with the payment provider. */
export const observingReconciliation = (
  { reconciliation }: Pick<Metrics, 'reconciliation'>,
  log: Pick<OpenLog, 'warn'>,
): { readonly reconciliationObserver: ReconciliationObserver } => ({
  reconciliationObserver: {
    ...reconciliation,
    warn: ({ reason, ...fields }) => log.warn({ reason, ...fields }, messages[reason]),
  },
});
