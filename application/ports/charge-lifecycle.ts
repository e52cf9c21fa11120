import type { CaptureId } from '#domain/capture.ts';
import type { DisputeDetails } from '#domain/dispute.ts';
import type { Instant } from '#domain/instant.ts';
import type { Money } from '#domain/money.ts';
import type { Failure, PaymentId } from '#domain/payment.ts';
import type { BegunCharge, ChargeState, ProviderOutcome } from './charge.ts';

/** A request to capture an authorized charge. */
export interface CaptureRequest {
  readonly captureId: CaptureId;
  readonly paymentId: PaymentId;
  /** The provider's reference of the charge. */
  readonly chargeReference: string;
  /** What is captured. The rest of the authorization is released to the payer. */
  readonly amount: Money;
}

/** A refund as the provider reports it, requested here or there. */
export interface ProviderRefund {
  readonly reference: string;
  /** The refund here; null when it was made at the provider. */
  readonly refundId: string | null;
  readonly amount: Money;
  readonly status: 'pending' | 'succeeded' | 'failed';
  readonly failure: Failure | null;
}

/** Everything that has happened to the money of one charge. A provider that does not report refunds or disputes lists none. */
export interface ChargeSnapshot {
  readonly reference: string;
  /** The payment here for which the charge was made; null when the provider does not name one. */
  readonly paymentId: string | null;
  readonly charge: ChargeState;
  readonly refunds: readonly ProviderRefund[];
  readonly disputes: readonly DisputeDetails[];
}

/** The object that an event of a provider names. Nothing else of an event is believed: the object is retrieved. */
export interface ProviderObject {
  readonly kind: 'charge' | 'refund' | 'dispute';
  readonly reference: string;
}

/** An event of the provider's own list. */
export interface ProviderEvent extends ProviderObject {
  /** The provider's id of the event. Lists overlap, and an event that was read before is skipped. */
  readonly eventId: string;
}

/** A request that arrived in the name of a provider, as it was received. */
export interface ProviderWebhook {
  readonly body: Uint8Array;
  /** By names in lower case, as the provider's signature needs them. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/**
 * The objects that a webhook names. It is empty for an event that is not about money.
 *
 * - `forged`: the provider has not signed it
 * - `stale`: the provider has signed it too long ago
 * - `malformed`: the provider has signed it, and it is no event
 */
export type ParsedWebhook = 'forged' | 'stale' | 'malformed' | readonly ProviderObject[];

/**
 * What a provider offers that can be asked what became of its charges. Each call only reads but `cancel` and `capture`, and throws
 * as the calls of `PaymentProvider` do when the outcome is unknown. A declined charge moves no money any more: one that its payer
 * could try again is closed before it is reported as declined.
 *
 * A provider omits what it does not offer. Portico rejects requests that need it, and never calls it.
 */
export interface ChargeLifecycle {
  /** Whether the payer can be asked for consent. By default not. It needs `cancel`. */
  readonly asksPayer?: boolean;

  /**
   * Finds a charge without closing it. @returns undefined when it has not reached the provider, as far as it knows now
   * @param charge with the reference, once the provider has given one: no other charge is returned then, whichever payment it names
   */
  findCharge(charge: BegunCharge & { readonly reference?: string }): Promise<ChargeState | undefined>;

  /** Reads a charge with all its refunds and disputes. @returns undefined when the provider knows no such charge of this shop */
  retrieveCharge(reference: string): Promise<ChargeSnapshot | undefined>;

  /**
   * Gives up a charge that waits for the payer, or for its capture. @returns what became of it: it may have succeeded meanwhile.
   * Undefined when no charge waits for either.
   */
  cancel?(charge: BegunCharge & { readonly reference: string }): Promise<ChargeState>;

  /**
   * Captures an authorized charge, at most once per capture id. A retry returns the outcome of the first request.
   * Undefined when each charge is captured at once. It needs `cancel`.
   */
  capture?(request: CaptureRequest): Promise<ProviderOutcome>;

  /**
   * Finds the charge of an object, such as a refund or dispute. @returns its reference; undefined when it is none of this shop
   * Undefined when no event names an object.
   */
  findChargeOf?(providerObject: ProviderObject): Promise<string | undefined>;

  /**
   * Lists the provider's own events from a time on by its clock, in any order.
   * Undefined when it has no such list. It needs `findChargeOf`.
   * @returns the time of the newest event; null when there is none
   */
  listProviderEvents?(
    time: Instant,
  ): Promise<{ readonly events: readonly ProviderEvent[]; readonly newest: Instant | null }>;

  /**
   * Verifies and parses a webhook, if its signature is valid and at most 300 s old. Anyone can send one: it does
   * no work in the database, and asks the provider nothing that a forged one could make it ask often. Undefined for a provider that
   * sends no events.
   * @param now by the clock of the database
   */
  readonly parseWebhook?: (event: ProviderWebhook, now: Instant) => Promise<ParsedWebhook>;
}

/** All of it, but for the events that a provider sends only where it is set up to. */
export type CompleteChargeLifecycle = Required<Omit<ChargeLifecycle, 'parseWebhook'>> &
  Pick<ChargeLifecycle, 'parseWebhook'>;
