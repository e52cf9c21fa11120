import type { Account } from './account.ts';
import { confirm, isAllowed } from './attempts.ts';
import { cancel, unexpectedState } from './captures.ts';
import { randomText } from './collection.ts';
import { tokenIn } from './confirmation-tokens.ts';
import { allowOnly, type Form, flag, listIn, metadataIn, oneOf, positive, required } from './form.ts';
import type { Intent } from './objects.ts';
import { pageOf, pagingParameters } from './pages.ts';
import { paymentMethod, paymentMethods } from './payment-methods.ts';
import { invalid, missing, ok, type StripeResponse } from './response.ts';
import { intentView as view } from './views.ts';

const confirmationParameters = [
  'confirmation_token',
  'error_on_requires_action',
  'mandate_data',
  'off_session',
  'payment_method',
  'return_url',
  'use_stripe_sdk',
];

export const createIntent = (account: Account, form: Form): StripeResponse => {
  if (listIn(form, 'payment_method_types') !== undefined) {
    throw invalid(
      'payment_method_types',
      'This API version takes no payment_method_types.',
      'payment_method_types_no_longer_supported',
    );
  }
  allowOnly(
    form,
    ...['allowed_payment_method_types', 'amount', 'capture_method', 'confirm', 'currency', 'metadata'],
    ...confirmationParameters,
  );
  const amount = positive(form, 'amount');
  const currency = required(form, 'currency');
  if (!/^[a-z]{3}$/.test(currency)) throw invalid('currency', `Invalid currency: ${currency}`);
  if (amount < 50) throw invalid('amount', 'Amount must be at least 50 cents', 'amount_too_small');
  const captureMethod = oneOf(form, 'capture_method', ['automatic', 'automatic_async', 'manual']);
  const isConfirmed = flag(form, 'confirm');
  const method = knownMethod(account, form);
  if (isConfirmed && method === null) throw withoutMethod();
  if (!isConfirmed) requireNoConfirmation(form);
  const draft = {
    amount,
    currency,
    captureMethod: captureMethod ?? 'automatic_async',
    metadata: metadataIn(form),
    allowedTypes: listIn(form, 'allowed_payment_method_types') ?? null,
    clientSecret: '',
    status: method === null ? 'requires_payment_method' : 'requires_confirmation',
    paymentMethod: method,
    nextAction: null,
    lastPaymentError: null,
    latestCharge: null,
    canceledAt: null,
    cancellationReason: null,
    isCanceledInDashboard: false,
  } as const;
  requireAllowed(draft, method);
  const intent = account.intents.add(draft);
  intent.clientSecret = `${intent.id}_secret_${randomText()}`;
  account.emit('payment_intent.created', view(intent));
  return isConfirmed ? confirmWith(account, intent, form) : ok(view(intent));
};

export const confirmIntent = (account: Account, form: Form, id: string): StripeResponse => {
  allowOnly(form, 'client_secret', ...confirmationParameters);
  const intent = account.intents.require(id);
  const method = knownMethod(account, form) ?? intent.paymentMethod;
  if (intent.status !== 'requires_payment_method' && intent.status !== 'requires_confirmation') {
    return unexpectedState(intent, 'confirmed');
  }
  if (method === null) throw withoutMethod();
  requireAllowed(intent, method);
  return confirmWith(account, intent, form);
};

const cancelable: readonly string[] = [
  'requires_payment_method',
  'requires_capture',
  'requires_confirmation',
  'requires_action',
];

export const cancelIntent = (account: Account, form: Form, id: string): StripeResponse => {
  allowOnly(form, 'cancellation_reason');
  const reasons = ['abandoned', 'duplicate', 'fraudulent', 'requested_by_customer'] as const;
  const reason = oneOf(form, 'cancellation_reason', reasons);
  const intent = account.intents.require(id);
  if (!cancelable.includes(intent.status)) return unexpectedState(intent, 'canceled');
  cancel(account, intent, reason ?? null);
  return ok(view(intent));
};

/** A merchant cancels an intent in the dashboard, if that can be canceled. */
export const cancelInDashboard = (account: Account, id: string): StripeResponse => {
  const response = cancelIntent(account, new Map(), id);
  if (response.status === 200) account.intents.require(id).isCanceledInDashboard = true;
  return response;
};

export const getIntent = (account: Account, _form: Form, id: string): StripeResponse =>
  ok(view(account.intents.require(id)));

export const listIntents = (account: Account, form: Form): StripeResponse => {
  allowOnly(form, ...pagingParameters);
  return ok(pageOf(account.intents.rows, form, view));
};

/** https://docs.stripe.com/search, of which it knows `metadata['name']:'value'`; its index lags behind. */
export const searchIntents = (account: Account, form: Form): StripeResponse => {
  const query = required(form, 'query');
  const [, , name = '', , value] = /^metadata\[(['"])(\w+)\1\]:(['"])([^'"]*)\3$/.exec(query) ?? [];
  if (value === undefined) throw invalid('query', `Cannot parse the query: ${query}`);
  const indexed = account.clock.now() - account.searchLagMilliseconds;
  const found = account.intents.rows.filter(
    ({ metadata, createdAt }) => createdAt <= indexed && metadata[name] === value,
  );
  return ok({ ...pageOf(found, form, view), object: 'search_result', next_page: null });
};

const confirmWith = (account: Account, intent: Intent, form: Form): StripeResponse => {
  const token = tokenIn(account, form);
  if (token !== undefined) token.usedFor = intent.id;
  const usesSdk = form.has('use_stripe_sdk') ? flag(form, 'use_stripe_sdk') : token !== undefined;
  return confirm(account, intent, {
    methodId: form.get('payment_method') ?? token?.method ?? intent.paymentMethod ?? '',
    returnUrl: usesSdk ? null : (form.get('return_url') ?? token?.returnUrl ?? null),
    offSession: flag(form, 'off_session'),
    errorOnRequiresAction: flag(form, 'error_on_requires_action'),
    hasMandate: token !== undefined || listIn(form, 'mandate_data') !== undefined,
  });
};

/** What a request says takes precedence over what its token says. */
const knownMethod = (account: Account, form: Form): string | null => {
  const method = form.get('payment_method') ?? tokenIn(account, form)?.method ?? null;
  if (method !== null && !paymentMethods.has(method)) throw missing('PaymentMethod', method, 400);
  return method;
};

const requireAllowed = (intent: Pick<Intent, 'allowedTypes'>, method: string | null): void => {
  if (method === null || isAllowed(intent, paymentMethod(method))) return;
  throw invalid(
    'payment_method',
    `The PaymentMethod provided (${paymentMethod(method).type}) is not allowed for this PaymentIntent.`,
    'payment_intent_incompatible_payment_method',
  );
};

const requireNoConfirmation = (form: Form): void => {
  const given = confirmationParameters.find(
    (name) => name !== 'payment_method' && listIn(form, name) !== undefined,
  );
  if (given !== undefined) throw invalid(given, `You can only use ${given} when confirm is true.`);
};

const withoutMethod = () =>
  invalid('payment_method', 'You cannot confirm this PaymentIntent without a payment method.');
