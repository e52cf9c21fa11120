import type { Metrics } from '#adapters/metrics/metrics.ts';
import type { OpenLog } from '#adapters/system/log.ts';
import type { LookUpObserver, LookUpWarning } from '#application/reconciliation/observer.ts';

const messages: Readonly<Record<LookUpWarning['reason'], string>> = {
  unanswered:
    'No look-up of this at the payment provider has succeeded for days, and none is made any more. Look it up there, and correct what differs here.',
  undecided:
    'The payment provider has not decided for 21 days. Look the payment up there, then run portico payments settle.',
  'refund-failed-late':
    'A refund that had succeeded has failed at the payment provider: the payer does not get the money. Refund the payment again.',
  'unknown-dispute-status':
    'The payment provider tells a status of a dispute that is not known here. It counts as under_review.',
  'unfit-dispute-amount':
    'The payment provider tells an amount of a dispute that cannot be counted here. The recorded amount counts.',
  'other-provider':
    'Payments and refunds wait for a provider that is not configured any more. Set PAYMENT_PROVIDER back until they are settled.',
};

/** Logs and counts what the look-ups at the payment provider do. */
export const observingLookUps = (
  { lookUps }: Pick<Metrics, 'lookUps'>,
  log: Pick<OpenLog, 'warn'>,
): { readonly lookUpObserver: LookUpObserver } => ({
  lookUpObserver: {
    ...lookUps,
    warn: ({ reason, ...fields }) => log.warn({ reason, ...fields }, messages[reason]),
  },
});
