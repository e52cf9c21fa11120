import type { Account } from './account.ts';
import { allowOnly, type Form, metadataIn, oneOf, positive, required } from './form.ts';
import { intentOf } from './intents.ts';
import type { Refund } from './objects.ts';
import { pageOf } from './pages.ts';
import { paymentMethod } from './payment-methods.ts';
import { missing, ok, rejected, type StripeResponse } from './response.ts';
import { amountRefunded, refundView as view } from './views.ts';

const reasons = ['duplicate', 'fraudulent', 'requested_by_customer'] as const;

export const createRefund = (account: Account, form: Form): StripeResponse => {
  allowOnly(form, 'amount', 'metadata', 'payment_intent', 'reason');
  const { latestCharge: charge } = intentOf(account, required(form, 'payment_intent'));
  const left = charge?.captured ? charge.intent.amount - amountRefunded(charge) : 0;
  const amount = form.has('amount') ? positive(form, 'amount') : left;
  const reason = oneOf(form, 'reason', reasons) ?? null;
  if (charge === null || left === 0) {
    return rejected('charge_already_refunded', 'The charge has already been refunded, or there is none.');
  }
  if (amount > left) {
    return rejected('amount_too_large', `Refund amount (${amount}) is greater than what is left (${left}).`);
  }
  const [status, ends] = paymentMethod(charge.paymentMethod).refund ?? ['succeeded'];
  const refund = account.refunds.add({
    ...{ charge, amount, reason, status },
    metadata: metadataIn(form),
    releases: false,
    failureReason: null,
  });
  charge.refunds.push(refund);
  if (ends !== undefined) account.clock.after(account.bankMilliseconds, () => decideRefund(refund));
  return ok(view(refund));
};

export const getRefund = (account: Account, _form: Form, id: string): StripeResponse => {
  const refund = account.refunds.get(id);
  if (refund === undefined) throw missing('refund', id);
  return ok(view(refund));
};

export const listRefunds = (account: Account, form: Form): StripeResponse => {
  const id = form.get('payment_intent');
  const rows =
    id === undefined ? account.refunds.rows : (account.intents.get(id)?.latestCharge?.refunds ?? []);
  return ok(pageOf(rows, form, view));
};

/** What the bank says in the end, once. */
export const decideRefund = (refund: Refund): void => {
  const [begins, ends] = paymentMethod(refund.charge.paymentMethod).refund ?? [];
  if (refund.status !== begins || ends === undefined) return;
  refund.status = ends;
  refund.failureReason = ends === 'failed' ? 'expired_or_canceled_card' : null;
};
