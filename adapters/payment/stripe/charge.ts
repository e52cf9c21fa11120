import type Stripe from 'stripe';
import type { Charge, Verdict } from '#application/ports/payment-provider.ts';
import type { TimeBudget } from './client.ts';
import { closeCharge, settle } from './close-charge.ts';
import { attempt, isReplayed } from './errors.ts';
import { stripeAmount, stripeCurrency } from './mapping.ts';

/** Makes a charge. The payer is offline, so a card that requires authentication is declined. */
export const makeCharge = async (stripe: Stripe, charge: Charge, budget: TimeBudget): Promise<Verdict> => {
  const { paymentId, amount, paymentMethod } = charge;
  const creation = await attempt(
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
      { idempotencyKey: paymentId, ...budget() },
    ),
  );
  if ('keyUsed' in creation) return closeCharge(stripe, charge, budget);
  if ('declined' in creation) return { declined: creation.declined };
  const intent = creation.made;
  // A replayed response shows the intent as it was then, so its current state is retrieved.
  const isStale = isReplayed(intent.lastResponse.headers) && intent.status !== 'succeeded';
  return settle(
    stripe,
    isStale ? await stripe.paymentIntents.retrieve(intent.id, {}, budget()) : intent,
    budget,
  );
};
