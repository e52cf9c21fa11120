import type { Instant } from '#domain/instant.ts';
import type { Money } from '#domain/money.ts';
import type { CaptureMethod, Failure, PaymentId } from '#domain/payment.ts';
import type { RefundId } from '#domain/refund.ts';

/**
 * What the provider confirms of money that it has moved. It is compared with what was asked, and a difference is never recorded as
 * a success. Only what the provider does not report is omitted.
 */
export interface ProviderConfirmation {
  /** The provider's name of the charge or refund, not empty. */
  readonly reference: string;
  readonly amount?: Money;
  /** The payment or refund for which it was moved. */
  readonly id?: string;
  /** The charge that was refunded. */
  readonly chargeReference?: string;
}

/** The provider's final outcome on a charge or a refund. */
export type ProviderOutcome = ProviderConfirmation | { readonly declined: Failure };

/** What became of a refund: an outcome, or that the provider has accepted it and is not finished. */
export type RefundState = ProviderOutcome | (ProviderConfirmation & { readonly waitsFor: 'provider' });

/** A charge that was stored here before the first request to the provider. */
export interface BegunCharge {
  readonly paymentId: PaymentId;
  readonly amount: Money;
  /** Time since the payment was created, in milliseconds. An age, unlike a time, does not suffer from clock skew. */
  readonly age: number;
  /** By default `automatic`. Of a charge that is `manual` less may have been captured than was asked for. */
  readonly captureMethod?: CaptureMethod;
}

export interface Charge extends BegunCharge {
  /** The provider's token for a card or account. It is passed on and never stored. */
  readonly paymentMethod: string;
  /** The payer, who can be asked for consent, and where they return to afterwards. Undefined when the payer is not present. */
  readonly payer?: { readonly returnUrl: string | null };
}

export interface RefundRequest {
  readonly refundId: RefundId;
  /** The provider's reference of the charge. */
  readonly chargeReference: string;
  readonly amount: Money;
}

/** What the payer has to do before a charge can succeed. It is shown to the payer only: never stored, never logged. */
export type NextAction =
  | { readonly type: 'redirect'; readonly url: string }
  /** For the provider's own library in the page of the payer. */
  | { readonly type: 'provider_sdk'; readonly clientSecret: string };

/** A charge without a final outcome, as the provider reports it. */
export type OpenCharge = ProviderConfirmation &
  (
    | /** The action is null when the provider does not report it. */
    { readonly waitsFor: 'payer'; readonly nextAction: NextAction | null }
    | { readonly waitsFor: 'provider' }
    /** The time is null when the provider does not report it. */
    | { readonly waitsFor: 'capture'; readonly captureBefore: Instant | null }
  );

/** A charge that captures no money any more, and was not declined: it was canceled, here or at the provider, or has expired there. */
export interface CanceledCharge {
  readonly canceled: true;
  readonly reference: string;
  /** Whether the provider has given it up by itself, because the payer did not act, or the shop did not capture it, in time. */
  readonly expired?: true;
}

/** What became of a charge. `amount` of a charge that was captured is what was captured. */
export type ChargeState = ProviderOutcome | OpenCharge | CanceledCharge;
