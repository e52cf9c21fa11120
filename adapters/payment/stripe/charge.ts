import type Stripe from 'stripe';
import type { Charge, Verdict } from '#application/ports/payment-provider.ts';
import { stripeAmount, stripeCurrency } from './amount.ts';
import { closeCharge } from './close-charge.ts';
import { isReplayed } from './failures.ts';
import { answerTo } from './response.ts';
import { settle } from './settle.ts';
import type { Time } from './time.ts';

/** Takes the money. Nobody is there to ask for a password, so a card that wants one is declined. */
export const makeCharge = async (stripe: Stripe, charge: Charge, time: Time): Promise<Verdict> => {
  const { paymentId, amount, paymentMethod } = charge;
  const answer = await answerTo(
    stripe.paymentIntents.create(
      {
        amount: stripeAmount(amount),
        currency: stripeCurrency(amount),
        payment_method: paymentMethod,
        allowed_payment_method_types: ['card'],
        confirm: true,
        error_on_requires_action: true,
        metadata: { payment_id: paymentId },
      },
      { idempotencyKey: paymentId, ...time() },
    ),
  );
  if ('spent' in answer) return closeCharge(stripe, charge, time);
  if ('declined' in answer) return { declined: answer.declined };
  const intent = answer.made;
  // A stored answer does not age, but what it is about does.
  const isOld = isReplayed(intent.lastResponse.headers) && intent.status !== 'succeeded';
  return settle(stripe, isOld ? await stripe.paymentIntents.retrieve(intent.id, {}, time()) : intent, time);
};
