import type { Money } from '#domain/money.ts';
import type { Failure, PaymentId } from '#domain/payment.ts';
import type { RefundId } from '#domain/refund.ts';

/** The provider's last word on a charge or refund. */
export type Verdict = { readonly reference: string } | { readonly declined: Failure };

interface Charge {
  readonly paymentId: PaymentId;
  readonly amount: Money;
  /** The provider's token for a card or account. It is passed on and never kept. */
  readonly paymentMethod: string;
}

interface Reversal {
  readonly refundId: RefundId;
  /** What the charge that it takes back is known by. */
  readonly chargeReference: string;
  readonly amount: Money;
}

/**
 * Whoever moves the money. Every call may be repeated: a charge is made at most once for a payment id, a reversal at
 * most once for a refund id, and a repetition gives the verdict of the first.
 *
 * Each call throws ApplicationError 'provider-failed' or 'provider-timeout' when its outcome is not known. Then the
 * money may have moved or not; `findCharge` and `findReversal` tell.
 */
export interface PaymentProvider {
  readonly name: string;
  charge(charge: Charge): Promise<Verdict>;
  reverse(reversal: Reversal): Promise<Verdict>;
  /** Undefined when the provider knows of no charge for the payment. */
  findCharge(payment: PaymentId): Promise<Verdict | undefined>;
  /** Undefined when the provider knows of no reversal for the refund. */
  findReversal(refund: RefundId): Promise<Verdict | undefined>;
}
