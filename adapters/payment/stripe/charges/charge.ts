import type Stripe from 'stripe';
import type { BegunCharge, Charge, ChargeState } from '#application/ports/payment-provider.ts';
import type { Call } from '../api/client.ts';
import { attempt, isReplayed, known } from '../api/errors.ts';
import { stripeAmount, stripeCurrency } from '../api/money.ts';
import { openState } from './charge-state.ts';
import { closeCharge, settle } from './closing.ts';
import { closeDeclined, getIntent, listIntents, searchIntents, withCharge } from './intents.ts';

/**
 * Makes a charge. A payer who is present can be asked for consent. Otherwise a card that requires authentication is declined,
 * and nothing is left that waits for the payer.
 */
export const makeCharge = async (call: Call, charge: Charge): Promise<ChargeState> => {
  const { stripe, budget } = call;
  const creation = await attempt(
    stripe.paymentIntents.create(paramsOf(call, charge), {
      idempotencyKey: charge.paymentId,
      ...budget(),
    }),
  );
  if ('keyUsed' in creation) {
    const found = charge.payer === undefined ? undefined : await findCharge(call, charge);
    return found ?? closeCharge(call, charge);
  }
  if ('declined' in creation) return { declined: creation.declined };
  const intent = creation.made;
  // A replayed response shows the intent as it was then, so its current state is retrieved.
  const isStale = isReplayed(intent.lastResponse.headers) && intent.status !== 'succeeded';
  const current = isStale ? await getIntent(call, intent.id) : intent;
  return charge.payer === undefined ? settle(call, current) : openState(await closeDeclined(call, current));
};

/** Finds a charge without closing it. @returns undefined when Stripe shows none, although a request may be in flight */
export const findCharge = async (
  call: Call,
  charge: BegunCharge & { readonly reference?: string },
): Promise<ChargeState | undefined> => {
  if (charge.reference !== undefined) {
    const named = await known(getIntent(call, charge.reference));
    return named && openState(await closeDeclined(call, named));
  }
  const indexed = (await searchIntents(call, charge)) ?? [];
  const found = indexed.length > 0 ? indexed : await listIntents(call, charge);
  const states: ChargeState[] = [];
  for (const intent of found) {
    // The search index lags behind, and neither it nor the list shows until when a charge can be captured.
    const current = intent.status === 'succeeded' ? intent : await getIntent(call, intent.id);
    states.push(openState(await closeDeclined(call, current)));
  }
  return (
    states.find((state) => !('declined' in state) && !('canceled' in state)) ??
    states.find((state) => 'declined' in state) ??
    states[0]
  );
};

const paramsOf = (
  { methods }: Call,
  { paymentId, amount, paymentMethod, payer, captureMethod }: Charge,
): Stripe.PaymentIntentCreateParams => ({
  amount: stripeAmount(amount),
  currency: stripeCurrency(amount),
  ...methodOf(paymentMethod, payer),
  allowed_payment_method_types: [...methods],
  confirm: true,
  ...consent(payer),
  ...(captureMethod === 'manual' && { capture_method: 'manual', ...withCharge }),
  metadata: { payment_id: paymentId, ...(payer !== undefined && { payer_present: 'true' }) },
});

/**
 * What the page of the payer has made: a PaymentMethod, or a ConfirmationToken, which also carries the mandate that debits need.
 * A token has the payer asked by Stripe's library unless the request has another choice. https://docs.stripe.com/api/confirmation_tokens/object
 */
const methodOf = (token: string, payer: Charge['payer']): Partial<Stripe.PaymentIntentCreateParams> =>
  token.startsWith('ctoken_')
    ? { confirmation_token: token, use_stripe_sdk: payer?.returnUrl === null }
    : { payment_method: token };

/** How the payer is asked for consent (3-D Secure): at an address, by Stripe's library in the page, or not at all. */
const consent = (payer: Charge['payer']): Partial<Stripe.PaymentIntentCreateParams> => {
  if (payer === undefined) return { error_on_requires_action: true };
  return payer.returnUrl === null ? { use_stripe_sdk: true } : { return_url: payer.returnUrl };
};
