import type { Metrics } from '#adapters/metrics/metrics.ts';
import type { OpenLog } from '#adapters/system/log.ts';
import type { ReportMismatch } from '#application/payments/checked-provider.ts';
import type { ReconciliationObserver, ReconciliationWarning } from '#application/reconciliation/observer.ts';
import type { WebhookObserver } from '#application/webhooks/observer.ts';

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

/** Logs and counts what the payment provider reports differently from what was asked. A person has to check it. */
export const reporting = (
  { mismatch }: Pick<Metrics, 'mismatch'>,
  log: Pick<OpenLog, 'error'>,
): { readonly reportMismatch: ReportMismatch } => ({
  reportMismatch: ({ process, subject, difference }) => {
    mismatch(process);
    log.error(
      { process, id: subject, difference },
      'The payment provider does not confirm what was asked. Look it up there, then run portico payments settle.',
    );
  },
});

/** How often an error of one endpoint is logged at most, in milliseconds. */
const errorIntervalMs = 60_000;

/**
 * Logs and counts what the deliveries of webhooks do.
 * @param now milliseconds from any start
 */
export const observingWebhooks = (
  { webhooks }: Pick<Metrics, 'webhooks'>,
  log: Pick<OpenLog, 'warn'>,
  now: () => number = () => performance.now(),
): WebhookObserver => {
  const loggedAt = new Map<string, number>();
  return {
    ...webhooks,
    warn: (message, { endpointId, ...details }) => {
      if ('err' in details) {
        if (now() - (loggedAt.get(endpointId) ?? Number.NEGATIVE_INFINITY) < errorIntervalMs) return;
        loggedAt.set(endpointId, now());
      }
      log.warn({ webhookEndpointId: endpointId, ...details }, message);
    },
  };
};
