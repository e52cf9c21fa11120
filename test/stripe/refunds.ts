import type { Account } from './account.ts';
import { allowOnly, type Form, metadataIn, oneOf, positive, required } from './form.ts';
import type { Charge, Refund } from './objects.ts';
import { pageOf, pagingParameters } from './pages.ts';
import { paymentMethod } from './payment-methods.ts';
import { errorResponse, ok, rejected, type StripeResponse } from './response.ts';
import { amountLeft, chargeView, isWithdrawn, refundView as view } from './views.ts';

const reasons = ['duplicate', 'fraudulent', 'requested_by_customer'] as const;

export const createRefund = (account: Account, form: Form): StripeResponse => {
  allowOnly(form, 'amount', 'charge', 'metadata', 'payment_intent', 'reason');
  const charge = chargeIn(account, form);
  if (!charge?.captured) return withoutCharge;
  const left = amountLeft(charge);
  const amount = form.has('amount') ? positive(form, 'amount') : left;
  const reason = oneOf(form, 'reason', reasons) ?? null;
  if (charge.disputes.some(isWithdrawn)) {
    return rejected('charge_disputed', `Charge ${charge.id} has been charged back; cannot issue a refund.`);
  }
  if (left === 0) {
    return rejected('charge_already_refunded', `Charge ${charge.id} has already been refunded.`);
  }
  if (amount > left) {
    return rejected('amount_too_large', `Refund amount (${amount}) is greater than what is left (${left}).`);
  }
  return ok(view(addRefund(account, charge, { amount, reason, metadata: metadataIn(form) })));
};

const withoutCharge = errorResponse(400, {
  type: 'invalid_request_error',
  message: 'This PaymentIntent does not have a successful charge to refund.',
  param: 'payment_intent',
});

const addRefund = (
  account: Account,
  charge: Charge,
  details: Pick<Refund, 'amount' | 'reason' | 'metadata'>,
): Refund => {
  const [begins] = paymentMethod(charge.paymentMethod).refund ?? ['succeeded'];
  const status = account.refundsBegin() ?? begins;
  const refund = account.refunds.add({ ...details, charge, status, releases: false, failureReason: null });
  charge.refunds.push(refund);
  account.emit('refund.created', view(refund));
  account.emit('charge.refunded', chargeView(charge));
  account.clock.after(account.bankMilliseconds, () => decideRefund(account, refund));
  return refund;
};

export const getRefund = (account: Account, _form: Form, id: string): StripeResponse =>
  ok(view(account.refunds.require(id)));

export const listRefunds = (account: Account, form: Form): StripeResponse => {
  allowOnly(form, 'charge', 'payment_intent', ...pagingParameters);
  const isOfAll = !form.has('charge') && !form.has('payment_intent');
  const rows = isOfAll ? account.refunds.rows : (chargeIn(account, form)?.refunds ?? []);
  return ok(pageOf(rows, form, view));
};

/** Cancels a refund for which the payer has to say where the money goes. */
export const cancelRefund = (account: Account, _form: Form, id: string): StripeResponse => {
  const refund = account.refunds.require(id);
  if (refund.status !== 'requires_action') {
    return rejected(
      'refund_not_cancelable',
      `A refund with a status of ${refund.status} cannot be canceled.`,
    );
  }
  moveRefund(account, refund, 'canceled');
  return ok(view(refund));
};

/** What the bank says in the end, once. */
export const decideRefund = (account: Account, refund: Refund): void => {
  const { refund: [, ends] = [undefined, 'succeeded'] } = paymentMethod(refund.charge.paymentMethod);
  if (ends === 'failed') failRefund(account, refund, 'expired_or_canceled_card');
  else if (refund.status === 'pending') moveRefund(account, refund, 'succeeded');
};

export const failRefund = (account: Account, refund: Refund, reason: string): void => {
  if (refund.releases || refund.status === 'failed' || refund.status === 'canceled') return;
  refund.failureReason = reason;
  moveRefund(account, refund, 'failed');
};

export const moveRefund = (account: Account, refund: Refund, status: Refund['status']): void => {
  refund.status = status;
  account.emit('refund.updated', view(refund));
  account.emit('charge.refund.updated', view(refund));
  if (status === 'failed') account.emit('refund.failed', view(refund));
};

/** @returns null when the intent has none */
const chargeIn = (account: Account, form: Form): Charge | null => {
  const id = form.get('charge');
  if (id === undefined) return account.intents.require(required(form, 'payment_intent')).latestCharge;
  return account.charges.require(id);
};
