import type { Account } from './account.ts';
import { disputeCharge } from './disputes.ts';
import { allowOnly, type Form, metadataIn, positive } from './form.ts';
import type { Charge, Intent } from './objects.ts';
import { paymentMethod } from './payment-methods.ts';
import { errorResponse, ok, rejected, type StripeResponse } from './response.ts';
import { chargeView, intentView, refundView } from './views.ts';

/** How long a card's bank holds what was authorized. https://docs.stripe.com/payments/place-a-hold-on-a-payment-method */
const authorizationMilliseconds = 7 * 24 * 60 * 60 * 1000;

/** https://docs.stripe.com/api/payment_intents/capture */
export const captureIntent = (account: Account, form: Form, id: string): StripeResponse => {
  allowOnly(form, 'amount_to_capture', 'metadata');
  const amountToCapture = form.has('amount_to_capture') ? positive(form, 'amount_to_capture') : undefined;
  const intent = account.intents.require(id);
  const { latestCharge: charge } = intent;
  if (intent.status !== 'requires_capture' || charge === null) return unexpectedState(intent, 'captured');
  const amount = amountToCapture ?? intent.amount;
  if (amount > intent.amount) {
    return rejected('amount_too_large', `At most ${intent.amount} can be captured, not ${amount}.`);
  }
  if (account.declinesCaptures) {
    const declined = { code: 'card_declined', decline_code: 'generic_decline', charge: charge.id } as const;
    const message = 'Your card was declined.';
    return errorResponse(402, {
      type: 'card_error',
      ...declined,
      message,
      payment_intent: intentView(intent),
    });
  }
  intent.metadata = { ...intent.metadata, ...metadataIn(form) };
  pay(account, charge, amount);
  account.emit('charge.captured', chargeView(charge));
  if (amount < intent.amount) release(account, charge, intent.amount - amount, null);
  account.emit('payment_intent.succeeded', intentView(intent));
  disputeAtOnce(account, charge);
  return ok(intentView(intent));
};

/** What the bank has approved: taken at once, or held until it is captured. */
export const approve = (account: Account, charge: Charge): void => {
  const { intent } = charge;
  charge.status = 'succeeded';
  if (intent.captureMethod === 'manual') {
    intent.status = 'requires_capture';
    charge.captureBefore = account.clock.now() + authorizationMilliseconds;
    account.emit('charge.succeeded', chargeView(charge));
    account.emit('payment_intent.amount_capturable_updated', intentView(intent));
    account.clock.after(authorizationMilliseconds, () => expire(account, charge));
    return;
  }
  pay(account, charge, intent.amount);
  account.emit('charge.succeeded', chargeView(charge));
  account.emit('payment_intent.succeeded', intentView(intent));
  disputeAtOnce(account, charge);
};

/** Ends an intent for good. What was authorized for it is given back. */
export const cancel = (
  account: Account,
  intent: Intent,
  reason: string | null,
  refundReason: string | null = null,
): void => {
  const held = intent.status === 'requires_capture' ? intent.latestCharge : null;
  intent.status = 'canceled';
  intent.nextAction = null;
  intent.canceledAt = account.clock.now();
  intent.cancellationReason = reason;
  if (held !== null) release(account, held, intent.amount, refundReason);
  account.emit('payment_intent.canceled', intentView(intent));
};

const expire = (account: Account, charge: Charge): void => {
  if (charge.intent.status !== 'requires_capture') return;
  const reason = account.refundsReleases ? 'automatic' : 'expired';
  cancel(account, charge.intent, reason, 'expired_uncaptured_charge');
  account.emit('charge.expired', chargeView(charge));
};

/** The one place where money moves to the merchant. */
const pay = (account: Account, charge: Charge, amount: number): void => {
  charge.intent.status = 'succeeded';
  charge.captured = true;
  charge.amountCaptured = amount;
  charge.paidAt = account.clock.now();
};

/** Older versions of the API show what they give back unused as a refund, which the merchant did not ask for. */
const release = (account: Account, charge: Charge, amount: number, reason: string | null): void => {
  if (!account.refundsReleases) return;
  const refund = account.refunds.add({
    ...{ charge, amount, reason, metadata: {} },
    ...{ releases: true, status: 'succeeded', failureReason: null },
  });
  charge.refunds.push(refund);
  account.emit('refund.created', refundView(refund));
  account.emit('charge.refunded', chargeView(charge));
};

const disputeAtOnce = (account: Account, charge: Charge): void => {
  const { dispute } = paymentMethod(charge.paymentMethod);
  if (dispute !== undefined) disputeCharge(account, charge, dispute);
};

export const unexpectedState = (intent: Intent, what: string): StripeResponse =>
  rejected(
    'payment_intent_unexpected_state',
    `This PaymentIntent could not be ${what} because it has a status of ${intent.status}.`,
    { payment_intent: intentView(intent) },
  );
