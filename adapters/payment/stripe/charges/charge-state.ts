import type Stripe from 'stripe';
import type {
  ChargeState,
  NextAction,
  ProviderConfirmation,
  ProviderOutcome,
} from '#application/ports/charge.ts';
import { Instant } from '#domain/instant.ts';
import { moneyOf } from '../api/money.ts';
import { redactTokens } from '../api/redaction.ts';

export const notCharged: ProviderOutcome = {
  declined: { code: 'not_charged', message: 'The provider made no charge.' },
};

/** What an intent of this shop has in its metadata. */
export interface IntentMetadata {
  readonly payment_id?: string;
  /** `true` when the payer was present, and has got what lets them confirm the intent. */
  readonly payer_present?: string;
  /** `true` for an intent that only blocks the idempotency key. */
  readonly closed?: string;
  /** The id of the capture that was carried out. */
  readonly capture_id?: string;
}

export const metadataOf = ({ metadata }: Pick<Stripe.PaymentIntent, 'metadata'>): IntentMetadata =>
  metadata ?? {};

/** Whether an intent only blocks the idempotency key of a charge that was closed before it arrived. */
export const isBlocker = (intent: Stripe.PaymentIntent): boolean =>
  metadataOf(intent).closed === 'true' && intent.status !== 'succeeded';

/** Whether the payer could confirm a declined intent again, with another card: they were given its client secret. */
export const canBeTriedAgain = (intent: Stripe.PaymentIntent): boolean =>
  intent.status === 'requires_payment_method' && metadataOf(intent).payer_present === 'true';

/**
 * What became of a charge. https://docs.stripe.com/payments/paymentintents/lifecycle
 * @returns undefined while the intent waits for a confirmation
 */
export const chargeState = (intent: Stripe.PaymentIntent): ChargeState | undefined => {
  const { id: reference, status, amount, amount_received, last_payment_error: error } = intent;
  switch (status) {
    case 'succeeded':
      return movedBy(intent, amount_received ?? amount);
    case 'processing':
      return { ...movedBy(intent, amount), waitsFor: 'provider' };
    case 'requires_action':
      return { ...movedBy(intent, amount), waitsFor: 'payer', nextAction: nextAction(intent) };
    case 'requires_capture':
      return { ...movedBy(intent, amount), waitsFor: 'capture', captureBefore: captureBefore(intent) };
    default:
      if (error) return { declined: failureIn(error) };
      return status === 'canceled' ? { canceled: true, reference, ...expiry(intent) } : undefined;
  }
};

/** The state of an intent that is not to be closed: what waits for a confirmation waits for the payer. */
export const openState = (intent: Stripe.PaymentIntent): ChargeState =>
  chargeState(intent) ?? {
    ...movedBy(intent, intent.amount),
    waitsFor: 'payer',
    nextAction: nextAction(intent),
  };

/** The decisive state of all intents of one charge: money, or else a reason, or else that nothing was charged. */
export const decisive = <State extends ChargeState>(states: readonly State[]): State | undefined =>
  states.find((state) => !('declined' in state) && !('canceled' in state)) ??
  states.find((state) => state !== notCharged) ??
  states[0];

/** What moves, or has moved, by an intent. @param units in Stripe's unit */
const movedBy = (intent: Stripe.PaymentIntent, units: number | undefined): ProviderConfirmation => {
  const { payment_id: id } = metadataOf(intent);
  return { reference: intent.id, amount: moneyOf(units, intent.currency), ...(id && { id }) };
};

const failureIn = ({ code, decline_code, message }: Stripe.PaymentIntent.LastPaymentError) => ({
  code: decline_code || code || 'card_declined',
  message: redactTokens(message ?? 'The card was declined.'),
});

/** Stripe gives up by itself what was not captured in time. Older versions of its API report `automatic`. */
const expiry = ({ cancellation_reason: reason }: Stripe.PaymentIntent): { readonly expired?: true } =>
  reason === 'expired' || reason === 'automatic' ? { expired: true } : {};

/** An address to go to, or else what Stripe's library in the page needs. https://docs.stripe.com/payments/3d-secure */
const nextAction = ({ next_action: action, client_secret }: Stripe.PaymentIntent): NextAction | null => {
  const url = action?.type === 'redirect_to_url' ? action.redirect_to_url?.url : undefined;
  if (url) return { type: 'redirect', url };
  return client_secret ? { type: 'provider_sdk', clientSecret: client_secret } : null;
};

/** Until when an authorized charge can be captured. @returns null when Stripe does not report it */
const captureBefore = ({ latest_charge: charge }: Stripe.PaymentIntent): Instant | null => {
  if (charge === null || typeof charge !== 'object') return null;
  const details: object = charge.payment_method_details ?? {};
  for (const detail of Object.values(details)) {
    const seconds: unknown = detail?.capture_before;
    if (typeof seconds === 'number' && seconds > 0) return Instant.at(seconds * 1000);
  }
  return null;
};
