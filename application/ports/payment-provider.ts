import type { BegunCharge, Charge, ChargeState, RefundRequest, RefundState } from './charge.ts';
import type { ChargeLifecycle, CompleteChargeLifecycle } from './charge-lifecycle.ts';

export type * from './charge.ts';

/** How long a request to a provider can stay in flight at most, in milliseconds: one hour. */
export const maxRequestLifetimeMs = 60 * 60 * 1000;

/**
 * A payment provider moves money.
 *
 * - It makes a charge at most once per payment id, and a refund at most once per refund id.
 * - A retry within `idempotencyWindowMs` returns the outcome of the first request.
 * - After that window the provider may have forgotten the id, so the caller must close instead of retrying.
 *
 * Each call throws ApplicationError 'provider-failed' or 'provider-timeout' when the outcome is unknown. Then the money may
 * have moved, may still move, or may never move. Only a provider whose books are in Portico's own database throws 'unavailable', with
 * the same meaning, while that is unavailable.
 */
export interface PaymentProvider {
  /** Kept with each payment and refund. Not `offline`, which stands for payments without a provider. */
  readonly name: string;

  /** The age up to which a charge or refund can be retried, in milliseconds. */
  readonly idempotencyWindowMs: number;

  charge(charge: Charge): Promise<ChargeState>;

  /**
   * Closes a charge: returns its outcome, or declines it for good when there is none, with the code `not_charged`. After
   * a decline neither a request in flight nor a retry moves money. What cannot be closed is returned as it is: a charge that the
   * provider decides later, or that is authorized.
   */
  closeCharge(charge: BegunCharge): Promise<ChargeState>;

  refund(request: RefundRequest): Promise<RefundState>;

  /**
   * Closes a refund: returns its outcome, or declines it when there is none, with the code `not_refunded`. The caller must
   * wait until no request can be in flight: for the idempotency window plus `maxRequestLifetimeMs`.
   */
  closeRefund(request: RefundRequest): Promise<RefundState>;

  /** Undefined for a provider that cannot be asked later: then payers give no consent, and all captures are automatic. */
  readonly lifecycle?: ChargeLifecycle;
}

/** A provider that offers everything. */
export interface CompleteProvider extends PaymentProvider {
  readonly lifecycle: CompleteChargeLifecycle;
}
