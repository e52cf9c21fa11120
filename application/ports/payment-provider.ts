import type { Money } from '#domain/money.ts';
import type { Failure, PaymentId } from '#domain/payment.ts';
import type { RefundId } from '#domain/refund.ts';

/** The provider's last word on a charge or reversal. */
export type Verdict = { readonly reference: string } | { readonly declined: Failure };

/** A charge that was written down here before the provider first heard of it. */
export interface BegunCharge {
  readonly paymentId: PaymentId;
  readonly amount: Money;
  /** How long ago it was begun, in milliseconds. Clocks differ; how much time has passed they agree about. */
  readonly age: number;
}

export interface Charge extends BegunCharge {
  /** The provider's token for a card or account. It is passed on and never kept. */
  readonly paymentMethod: string;
}

export interface Reversal {
  readonly refundId: RefundId;
  /** What the charge that it takes back is known by. */
  readonly chargeReference: string;
  readonly amount: Money;
}

/** How long something that was sent to a provider may be under way at the most, in milliseconds: an hour. */
export const maxRequestLifetimeMs = 60 * 60 * 1000;

/**
 * Whoever moves the money. A charge is made at most once for a payment id and a reversal at most once for a refund id,
 * and a repetition gives the verdict of the first; but a provider does not remember for ever, so whoever comes when it
 * may have forgotten does not ask again, but closes.
 *
 * Each call throws ApplicationError 'provider-failed' or 'provider-timeout' when its outcome is not known. Then the
 * money may have moved, may be on its way, or may never move.
 */
export interface PaymentProvider {
  readonly name: string;

  /** For how long after it was begun a charge or reversal may be repeated, in milliseconds. */
  readonly idempotencyWindowMs: number;

  charge(charge: Charge): Promise<Verdict>;

  /**
   * The verdict on a charge that was begun here. Where there is none the charge is declined for good: nothing that is
   * still on its way to the provider will move money, nor will a repetition.
   */
  closeCharge(charge: BegunCharge): Promise<Verdict>;

  reverse(reversal: Reversal): Promise<Verdict>;

  /**
   * The verdict on a reversal that was begun so long ago that nothing is on its way any more: the memory ago, for which it
   * may have been repeated, and then the longest way. Where there is none it is declined.
   */
  closeReversal(reversal: Reversal): Promise<Verdict>;
}
