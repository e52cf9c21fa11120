import type { Money } from '#domain/money.ts';
import type { Failure, PaymentId } from '#domain/payment.ts';
import type { RefundId } from '#domain/refund.ts';

/**
 * The provider's own word on money that it has moved. It is compared with what was asked, and a difference is never recorded as
 * a success. Only what the provider does not say is left out.
 */
export interface Moved {
  /** The provider's name of the charge or refund, not empty. */
  readonly reference: string;
  readonly amount?: Money;
  /** The payment or refund for which it was moved. */
  readonly id?: string;
  /** The charge that was reversed. */
  readonly chargeReference?: string;
}

/** The provider's final verdict on a charge or a reversal. */
export type Verdict = Moved | { readonly declined: Failure };

/** A charge that was stored here before the first request to the provider. */
export interface BegunCharge {
  readonly paymentId: PaymentId;
  readonly amount: Money;
  /** Time since the payment was created, in milliseconds. An age, unlike a time, does not suffer from clock skew. */
  readonly age: number;
}

export interface Charge extends BegunCharge {
  /** The provider's token for a card or account. It is passed on and never stored. */
  readonly paymentMethod: string;
}

export interface Reversal {
  readonly refundId: RefundId;
  /** The provider's reference of the charge. */
  readonly chargeReference: string;
  readonly amount: Money;
}

/** How long a request to a provider can stay in flight at most, in milliseconds: one hour. */
export const maxRequestLifetimeMs = 60 * 60 * 1000;

/**
 * A payment provider moves money.
 *
 * - It makes a charge at most once per payment id, and a reversal at most once per refund id.
 * - A retry within `idempotencyWindowMs` returns the verdict of the first request.
 * - After that window the provider may have forgotten the id, so the caller must close instead of retrying.
 *
 * Each call throws ApplicationError 'provider-failed' or 'provider-timeout' when the outcome is unknown. Then the money may
 * have moved, may still move, or may never move.
 */
export interface PaymentProvider {
  /** Kept with each payment and refund. Not `offline`, which stands for payments without a provider. */
  readonly name: string;

  /** The age up to which a charge or reversal can be retried, in milliseconds. */
  readonly idempotencyWindowMs: number;

  charge(charge: Charge): Promise<Verdict>;

  /**
   * Closes a charge: returns its verdict, or declines it for good when there is none, with the code `not_charged`. After
   * a decline neither a request in flight nor a retry moves money.
   */
  closeCharge(charge: BegunCharge): Promise<Verdict>;

  reverse(reversal: Reversal): Promise<Verdict>;

  /**
   * Closes a reversal: returns its verdict, or declines it when there is none, with the code `not_refunded`. The caller must
   * wait until no request can be in flight: for the idempotency window plus `maxRequestLifetimeMs`.
   */
  closeReversal(reversal: Reversal): Promise<Verdict>;
}
