import type { Place } from '../ports/charge-lifecycle.ts';

/**
 * What became of a look-up.
 *
 * - `recorded`: what the provider told is recorded
 * - `unknown`: the place belongs to no payment here
 * - `leased`: another process works on the payment, and the look-up is made again
 * - `failed`: the provider or the store failed, or what the provider told does not fit, and the look-up is made again
 * - `given_up`: it has failed, or the payment has waited, for too long, and it is not made again
 */
export const lookUpResults = ['recorded', 'unknown', 'leased', 'failed', 'given_up'] as const;
export type LookUpResult = (typeof lookUpResults)[number];

/** What an operator has to look at. */
export type LookUpWarning =
  /** No look-up of the place has succeeded for three days, or for 21 where a payment waits or another charge is told of. */
  | { readonly reason: 'unanswered'; readonly provider: string; readonly place: Place }
  /** The provider has not decided for 21 days. */
  | {
      readonly reason: 'undecided';
      readonly provider: string;
      readonly place: Place;
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
  /** The provider tells an amount of a recorded dispute that cannot be counted. The recorded amount counts. */
  | {
      readonly reason: 'unfit-dispute-amount';
      readonly paymentId: string;
      readonly disputeReference: string;
      /** Both with their currencies. */
      readonly told: string;
      readonly recorded: string;
    }
  /** Look-ups wait for a provider that is not configured any more. */
  | { readonly reason: 'other-provider'; readonly provider: string };

/** Gets what the look-ups do, for log and metrics. */
export interface LookUpObserver {
  readonly warn: (warning: LookUpWarning) => void;
  readonly ended: (result: LookUpResult) => void;
  /** @param ms for how long the look-up that is longest due has been due, in milliseconds */
  readonly overdue: (ms: number) => void;
  /** @param count how many places the provider's own list of events has named */
  readonly news: (count: number) => void;
}

export const silentObserver: LookUpObserver = {
  warn: () => undefined,
  ended: () => undefined,
  overdue: () => undefined,
  news: () => undefined,
};
