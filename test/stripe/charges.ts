import type { Account } from './account.ts';
import { allowOnly, type Form } from './form.ts';
import { pageOf, pagingParameters } from './pages.ts';
import { ok, type StripeResponse } from './response.ts';
import { chargeView } from './views.ts';

export const getCharge = (account: Account, _form: Form, id: string): StripeResponse =>
  ok(chargeView(account.charges.require(id)));

export const listCharges = (account: Account, form: Form): StripeResponse => {
  allowOnly(form, 'payment_intent', ...pagingParameters);
  const id = form.get('payment_intent');
  const rows = account.charges.rows.filter(({ intent }) => id === undefined || intent.id === id);
  return ok(pageOf(rows, form, chargeView));
};
