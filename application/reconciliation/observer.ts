import type { ProviderObject } from '../ports/charge-lifecycle.ts';

/**
 * What became of a reconciliation task.
 *
 * - `recorded`: what the provider reported is recorded
 * - `unknown`: the object belongs to no payment here
 * - `leased`: another process works on the payment, and the task is retried
 * - `failed`: the provider or the store failed, or the provider reported a mismatch, and the task is retried
 * - `given_up`: it has failed, or the payment has waited, for too long, and it is not made again
 */
export const reconciliationResults = ['recorded', 'unknown', 'leased', 'failed', 'given_up'] as const;
export type ReconciliationResult = (typeof reconciliationResults)[number];

/** What needs an operator. */
export type ReconciliationWarning =
  /** No attempt has succeeded for three days, or for 21 where a payment waits or another charge is reported. */
  | { readonly reason: 'unanswered'; readonly provider: string; readonly providerObject: ProviderObject }
  /** The provider has not decided for 21 days. */
  | {
      readonly reason: 'undecided';
      readonly provider: string;
      readonly providerObject: ProviderObject;
      readonly paymentId: string;
    }
  /** A refund that had succeeded has failed. Its goods are back already where its order is refunded. */
  | {
      readonly reason: 'refund-failed-late';
      readonly refundId: string;
      readonly paymentId: string;
      readonly orderId: string;
    }
  /** A dispute has a status that is not known here. It counts as under review. */
  | { readonly reason: 'unknown-dispute-status'; readonly status: string; readonly disputeReference: string }
  /** The provider reports an amount of a recorded dispute that cannot be counted. The recorded amount counts. */
  | {
      readonly reason: 'mismatched-dispute-amount';
      readonly paymentId: string;
      readonly disputeReference: string;
      /** Both with their currencies. */
      readonly reported: string;
      readonly recorded: string;
    }
  /** Tasks wait for a provider that is not configured any more. */
  | { readonly reason: 'other-provider'; readonly provider: string };

/** Observes reconciliation, for log and metrics. */
export interface ReconciliationObserver {
  readonly warn: (warning: ReconciliationWarning) => void;
  readonly ended: (result: ReconciliationResult) => void;
  /** @param ms how long ago the most overdue task was due, in milliseconds */
  readonly overdue: (ms: number) => void;
  /** @param count how many events of the provider's own list were read */
  readonly eventsRead: (count: number) => void;
}

export const silentObserver: ReconciliationObserver = {
  warn: () => undefined,
  ended: () => undefined,
  overdue: () => undefined,
  eventsRead: () => undefined,
};
