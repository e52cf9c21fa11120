import Stripe from 'stripe';
import type { Verdict } from '#application/ports/payment-provider.ts';
import type { Time } from './time.ts';
import { chargeVerdict, notCharged } from './verdicts.ts';

/**
 * The verdict on an intent. One that waits for somebody is canceled, and then nobody can go on with it.
 * https://docs.stripe.com/api/payment_intents/cancel
 */
export const settle = async (stripe: Stripe, intent: Stripe.PaymentIntent, time: Time): Promise<Verdict> =>
  chargeVerdict(intent) ?? chargeVerdict(await cancel(stripe, intent, time)) ?? notCharged;

const cancel = async (
  stripe: Stripe,
  { id }: Stripe.PaymentIntent,
  time: Time,
): Promise<Stripe.PaymentIntent> => {
  try {
    return await stripe.paymentIntents.cancel(id, {}, time());
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
    // It cannot be canceled any more: somebody did go on with it.
    return stripe.paymentIntents.retrieve(id, {}, time());
  }
};
