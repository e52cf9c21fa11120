import type { Account } from './account.ts';
import { approve } from './captures.ts';
import type { Charge, Intent } from './objects.ts';
import { authenticationRequired, type PaymentMethod, paymentMethod } from './payment-methods.ts';
import { errorResponse, ok, type StripeErrorBody, type StripeResponse } from './response.ts';
import { chargeView, intentView } from './views.ts';

/** What a confirmation says about the payer. */
export interface Confirmation {
  readonly methodId: string;
  /** Where the payer returns to. Null when they stay on the page. */
  readonly returnUrl: string | null;
  readonly offSession: boolean;
  readonly errorOnRequiresAction: boolean;
  /** Whether the payer has allowed to debit their account. */
  readonly hasMandate: boolean;
}

/** Confirms an intent that waits for it. */
export const confirm = (account: Account, intent: Intent, confirmation: Confirmation): StripeResponse => {
  const { methodId, offSession, errorOnRequiresAction, hasMandate } = confirmation;
  const { type, authenticates } = paymentMethod(methodId);
  intent.paymentMethod = methodId;
  intent.lastPaymentError = null;
  if (type === 'sepa_debit' && !hasMandate) return withoutMandate(intent);
  if (authenticates === undefined || (authenticates === 'onSession' && offSession)) {
    return responseOf(intent, charge(account, intent));
  }
  if (offSession || errorOnRequiresAction) {
    return responseOf(intent, fail(account, intent, { type: 'card_error', ...authenticationRequired }));
  }
  intent.status = 'requires_action';
  intent.nextAction = nextAction(intent, confirmation.returnUrl);
  account.emit('payment_intent.requires_action', intentView(intent));
  return ok(intentView(intent));
};

/** What the payer does about an intent that requires action. */
export const authenticate = (account: Account, intent: Intent, consents: boolean): void => {
  intent.nextAction = null;
  if (consents) charge(account, intent);
  else {
    fail(account, intent, {
      type: 'invalid_request_error',
      code: 'payment_intent_authentication_failure',
      message:
        'The provided PaymentMethod has failed authentication. You can provide payment_method_data or a new PaymentMethod to attempt to fulfill this PaymentIntent again.',
    });
  }
};

/** What banks say in the end about the charges that they process. */
export const decideCharge = (account: Account, made: Charge): void => {
  if (made.status !== 'pending') return;
  if (made.delayed === 'failed') {
    decline(account, made, {
      type: 'card_error',
      code: 'payment_method_provider_decline',
      message: 'The bank declined the debit.',
    });
  } else approve(account, made);
};

/** Asks the bank. @returns why it was declined, if it was */
const charge = (account: Account, intent: Intent): StripeErrorBody | undefined => {
  const method = paymentMethod(intent.paymentMethod ?? '');
  const made = addCharge(account, intent, method.delayed ?? account.chargesWait() ?? null);
  if (method.declined !== undefined)
    return decline(account, made, { type: 'card_error', ...method.declined });
  if (made.delayed === null) {
    approve(account, made);
  } else {
    intent.status = 'processing';
    account.emit('charge.pending', chargeView(made));
    account.emit('payment_intent.processing', intentView(intent));
    account.clock.after(account.bankMilliseconds, () => decideCharge(account, made));
  }
  return undefined;
};

/** The intent exists, and waits to be confirmed with a mandate. */
const withoutMandate = (intent: Intent): StripeResponse => {
  intent.status = 'requires_confirmation';
  return errorResponse(400, {
    type: 'invalid_request_error',
    message:
      'This PaymentIntent requires a mandate, but no existing mandate was found. Collect mandate acceptance from the customer and try again, providing acceptance data in the mandate_data parameter.',
    payment_intent: intentView(intent),
  });
};

const addCharge = (account: Account, intent: Intent, delayed: Charge['delayed']): Charge => {
  const made = account.charges.add({
    intent,
    paymentMethod: intent.paymentMethod ?? '',
    refunds: [],
    disputes: [],
    status: 'pending',
    captured: false,
    amountCaptured: 0,
    paidAt: 0,
    captureBefore: null,
    delayed,
    failure: null,
  });
  intent.latestCharge = made;
  return made;
};

const decline = (account: Account, made: Charge, error: StripeErrorBody): StripeErrorBody => {
  made.status = 'failed';
  made.failure = error;
  account.emit('charge.failed', chargeView(made));
  return fail(account, made.intent, { ...error, charge: made.id });
};

/** The intent can be confirmed again, with another payment method. */
const fail = (account: Account, intent: Intent, error: StripeErrorBody): StripeErrorBody => {
  intent.status = 'requires_payment_method';
  intent.paymentMethod = null;
  intent.lastPaymentError = error;
  account.emit('payment_intent.payment_failed', intentView(intent));
  return error;
};

const responseOf = (intent: Intent, error: StripeErrorBody | undefined): StripeResponse =>
  error === undefined
    ? ok(intentView(intent))
    : errorResponse(402, { ...error, payment_intent: intentView(intent) });

const nextAction = ({ id, clientSecret }: Intent, returnUrl: string | null) =>
  returnUrl === null
    ? { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'three_d_secure_redirect', source: `payatt_${id}` } }
    : {
        type: 'redirect_to_url',
        redirect_to_url: {
          return_url: returnUrl,
          url: `https://hooks.stripe.com/3d_secure_2/hosted?payment_intent=${id}&payment_intent_client_secret=${clientSecret}`,
        },
      };

/** Whether a payment method may be used for an intent. */
export const isAllowed = ({ allowedTypes }: Pick<Intent, 'allowedTypes'>, { type }: PaymentMethod): boolean =>
  allowedTypes === null || allowedTypes.includes(type);
