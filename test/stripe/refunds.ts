import type { Account, Refund } from './account.ts';
import { cards } from './cards.ts';
import { type Form, metadataIn, positive, required } from './form.ts';
import { pageOf, seconds } from './pages.ts';
import { errorResponse, missing, ok, type StripeResponse } from './response.ts';

/** The fields of https://docs.stripe.com/api/refunds/object that a caller may need here. */
const view = (refund: Refund) => ({
  id: refund.id,
  object: 'refund',
  amount: refund.amount,
  currency: refund.intent.currency,
  created: seconds(refund.createdAt),
  metadata: refund.metadata,
  payment_intent: refund.intent.id,
  status: refund.status,
  ...(refund.status === 'failed' && { failure_reason: 'expired_or_canceled_card' }),
});

export const createRefund = (account: Account, form: Form): StripeResponse => {
  const id = required(form, 'payment_intent');
  const intent = account.intent(id);
  if (intent === undefined) throw missing('payment_intent', id);
  const gone = intent.refunds
    .filter(({ status }) => status !== 'failed')
    .reduce((sum, { amount }) => sum + amount, 0);
  const left = intent.status === 'succeeded' ? intent.amount - gone : 0;
  const amount = form.has('amount') ? positive(form, 'amount') : left;
  if (left === 0) {
    return rejected('charge_already_refunded', 'The charge has already been refunded, or there is none.');
  }
  if (amount > left) {
    return rejected('amount_too_large', `Refund amount (${amount}) is greater than what is left (${left}).`);
  }
  const slow = cards.get(intent.paymentMethod ?? '')?.refund !== undefined;
  const status = slow ? 'pending' : 'succeeded';
  return ok(view(account.addRefund({ intent, amount, metadata: metadataIn(form), status })));
};

export const getRefund = (account: Account, _form: Form, id: string): StripeResponse => {
  const refund = account.refunds.find((each) => each.id === id);
  if (refund === undefined) throw missing('refund', id);
  return ok(view(refund));
};

export const listRefunds = (account: Account, form: Form): StripeResponse => {
  const id = form.get('payment_intent');
  const rows = id === undefined ? account.refunds : (account.intent(id)?.refunds ?? []);
  return ok(pageOf(rows, form, view));
};

/** What the banks say in the end. */
export const settleRefunds = (account: Account): void => {
  for (const refund of account.refunds) {
    if (refund.status !== 'pending') continue;
    refund.status = cards.get(refund.intent.paymentMethod ?? '')?.refund ?? 'succeeded';
  }
};

const rejected = (code: string, message: string): StripeResponse =>
  errorResponse(400, { type: 'invalid_request_error', code, message });
