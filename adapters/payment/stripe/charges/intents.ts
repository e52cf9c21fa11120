import Stripe from 'stripe';
import { ApplicationError } from '#application/errors.ts';
import type { BegunCharge } from '#application/ports/charge.ts';
import type { Call } from '../api/client.ts';
import { findInList, maxPageSize } from '../api/pagination.ts';
import { canBeTriedAgain, isBlocker, metadataOf } from './charge-state.ts';

/** With an intent comes its charge, which has the time until which it can be captured. */
export const withCharge = { expand: ['latest_charge'] };

/** Tolerance of an age, in milliseconds: Stripe's timestamps are whole seconds, and clocks are adjusted. */
const ageToleranceMs = 60_000;

export const getIntent = ({ stripe, budget }: Call, id: string): Promise<Stripe.PaymentIntent> =>
  stripe.paymentIntents.retrieve(id, withCharge, budget());

/**
 * Cancels an intent. https://docs.stripe.com/api/payment_intents/cancel
 * @returns its state afterwards: what has succeeded meanwhile, or is processed, cannot be canceled
 */
export const cancelIntent = async (call: Call, id: string): Promise<Stripe.PaymentIntent> => {
  try {
    return await call.stripe.paymentIntents.cancel(id, {}, call.budget());
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
    return getIntent(call, id);
  }
};

/**
 * Cancels a declined intent that its payer could confirm again with another card. Otherwise that card would pay for an order
 * that was paid in another way since the decline was recorded.
 * @throws ApplicationError 'provider-failed' while it can still be confirmed
 */
export const closeDeclined = async (
  call: Call,
  intent: Stripe.PaymentIntent,
): Promise<Stripe.PaymentIntent> => {
  if (!canBeTriedAgain(intent) || !intent.last_payment_error) return intent;
  const { last_payment_error } = intent;
  const closed = await cancelIntent(call, intent.id);
  if (canBeTriedAgain(closed))
    throw new ApplicationError('provider-failed', 'The payment provider has not closed a declined charge.');
  return closed.status === 'canceled' ? { ...closed, last_payment_error } : closed;
};

/**
 * Searches the index by payment id. The index lags behind (https://docs.stripe.com/search#data-freshness), so of its
 * results only those that have ended count.
 * @returns undefined when the search fails; some accounts have none
 */
export const searchIntents = async (
  { stripe, budget }: Call,
  charge: BegunCharge,
): Promise<readonly Stripe.PaymentIntent[] | undefined> => {
  try {
    const query = `metadata['payment_id']:'${charge.paymentId}'`;
    const { data } = await stripe.paymentIntents.search({ query }, budget(1 / 2));
    return data.filter(belongsTo(charge));
  } catch {
    return undefined;
  }
};

/** Lists intents back to the charge's age, counted from the newest intent, so that only Stripe's clock matters. */
export const listIntents = (
  { stripe, budget }: Call,
  charge: BegunCharge,
): Promise<readonly Stripe.PaymentIntent[]> =>
  findInList(
    (cursor) => stripe.paymentIntents.list({ limit: maxPageSize, ...cursor }, budget()),
    belongsTo(charge),
    ({ created }, newest) => (newest.created - created) * 1000 > charge.age + ageToleranceMs,
  );

const belongsTo =
  ({ paymentId }: BegunCharge) =>
  (intent: Stripe.PaymentIntent): boolean =>
    metadataOf(intent).payment_id === paymentId && !isBlocker(intent);
