import type { Account, Intent } from './account.ts';
import { cards } from './cards.ts';
import { type Form, metadataIn, positive, required } from './form.ts';
import { pageOf, seconds } from './pages.ts';
import { errorResponse, invalid, missing, ok, type StripeResponse } from './response.ts';

/** The fields of https://docs.stripe.com/api/payment_intents/object that a caller may need here. */
const view = (intent: Intent) => ({
  id: intent.id,
  object: 'payment_intent',
  amount: intent.amount,
  amount_received: intent.status === 'succeeded' ? intent.amount : 0,
  currency: intent.currency,
  created: seconds(intent.createdAt),
  metadata: intent.metadata,
  payment_method: intent.paymentMethod,
  last_payment_error: intent.lastPaymentError,
  status: intent.status,
});

const intentOf = (account: Account, id: string): Intent => {
  const intent = account.intent(id);
  if (intent === undefined) throw missing('payment_intent', id);
  return intent;
};

const knownMethod = (form: Form): string | null => {
  const method = form.get('payment_method') ?? null;
  if (method !== null && !cards.has(method)) throw missing('PaymentMethod', method, 400);
  return method;
};

export const createIntent = (account: Account, form: Form): StripeResponse => {
  if (form.has('payment_method_types[0]')) {
    throw invalid(
      'payment_method_types',
      'This API version takes no payment_method_types.',
      'payment_method_types_no_longer_supported',
    );
  }
  const confirm = form.get('confirm') === 'true';
  const amount = positive(form, 'amount');
  const currency = required(form, 'currency');
  if (!/^[a-z]{3}$/.test(currency)) throw invalid('currency', `Invalid currency: ${currency}`);
  if (amount < 50) {
    throw invalid('amount', 'Amount must be at least 50 cents', 'amount_too_small');
  }
  const paymentMethod = knownMethod(form);
  if (confirm && paymentMethod === null) throw withoutMethod();
  const intent = account.addIntent({ amount, currency, metadata: metadataIn(form), paymentMethod });
  return confirm ? take(account, intent) : ok(view(intent));
};

export const confirmIntent = (account: Account, form: Form, id: string): StripeResponse => {
  const intent = intentOf(account, id);
  const method = knownMethod(form) ?? intent.paymentMethod;
  requireOpen(intent, 'confirmed');
  if (method === null) throw withoutMethod();
  intent.paymentMethod = method;
  return take(account, intent);
};

export const cancelIntent = (account: Account, _form: Form, id: string): StripeResponse => {
  const intent = intentOf(account, id);
  requireOpen(intent, 'canceled');
  intent.status = 'canceled';
  return ok(view(intent));
};

export const getIntent = (account: Account, _form: Form, id: string): StripeResponse =>
  ok(view(intentOf(account, id)));

export const listIntents = (account: Account, form: Form): StripeResponse =>
  ok(pageOf(account.intents, form, view));

/** https://docs.stripe.com/search, of which it knows `metadata['name']:'value'`; its index lags behind. */
export const searchIntents = (account: Account, form: Form, lagMilliseconds: number): StripeResponse => {
  const query = required(form, 'query');
  const [, , name = '', , value] = /^metadata\[(['"])(\w+)\1\]:(['"])([^'"]*)\3$/.exec(query) ?? [];
  if (value === undefined) throw invalid('query', `Cannot parse the query: ${query}`);
  const indexed = Date.now() - lagMilliseconds;
  const found = account.intents.filter(
    ({ metadata, createdAt }) => createdAt <= indexed && metadata[name] === value,
  );
  return ok({ ...pageOf(found, form, view), object: 'search_result', next_page: null });
};

const take = (account: Account, intent: Intent): StripeResponse => {
  const declined = cards.get(intent.paymentMethod ?? '')?.declined;
  if (declined === undefined) {
    account.take(intent);
    return ok(view(intent));
  }
  const error = { type: 'card_error', ...declined } as const;
  intent.status = 'requires_payment_method';
  intent.paymentMethod = null;
  intent.lastPaymentError = error;
  return errorResponse(402, { ...error, payment_intent: view(intent) });
};

const withoutMethod = () =>
  invalid('payment_method', 'You cannot confirm this PaymentIntent without a payment method.');

const requireOpen = (intent: Intent, what: string): void => {
  if (intent.status !== 'succeeded' && intent.status !== 'canceled') return;
  throw invalid(
    'intent',
    `This PaymentIntent could not be ${what} because it has a status of ${intent.status}.`,
    'payment_intent_unexpected_state',
  );
};
