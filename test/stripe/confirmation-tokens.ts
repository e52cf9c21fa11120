import type { Account } from './account.ts';
import { allowOnly, type Form, required } from './form.ts';
import type { ConfirmationToken } from './objects.ts';
import { seconds } from './pages.ts';
import { paymentMethod, paymentMethods } from './payment-methods.ts';
import { invalid, missing, ok, type StripeResponse } from './response.ts';

/** Makes what Stripe.js makes of its fields. https://docs.stripe.com/api/confirmation_tokens/test_create */
export const createToken = (account: Account, form: Form): StripeResponse => {
  allowOnly(form, 'payment_method', 'return_url');
  const method = required(form, 'payment_method');
  if (!paymentMethods.has(method)) throw missing('PaymentMethod', method, 400);
  return ok(view(account.tokens.add({ method, returnUrl: form.get('return_url') ?? null, usedFor: null })));
};

export const getToken = (account: Account, _form: Form, id: string): StripeResponse =>
  ok(view(account.tokens.require(id)));

/** The token that confirms an intent: once, and never another one. @throws StripeError */
export const tokenIn = (account: Account, form: Form): ConfirmationToken | undefined => {
  const id = form.get('confirmation_token');
  if (id === undefined) return undefined;
  const token = account.tokens.get(id);
  if (token === undefined) throw missing('ConfirmationToken', id, 400);
  if (token.usedFor === null) return token;
  throw invalid('confirmation_token', `The ConfirmationToken ${id} has already been used.`);
};

const view = ({ id, createdAt, method, returnUrl, usedFor }: ConfirmationToken) => ({
  id,
  object: 'confirmation_token',
  created: seconds(createdAt),
  livemode: false,
  payment_intent: usedFor,
  payment_method_preview: { type: paymentMethod(method).type },
  return_url: returnUrl,
  use_stripe_sdk: true,
});
