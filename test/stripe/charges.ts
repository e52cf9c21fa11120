import type { Account } from './account.ts';
import type { Form } from './form.ts';
import { missing, ok, type StripeResponse } from './response.ts';
import { chargeView } from './views.ts';

export const getCharge = (account: Account, _form: Form, id: string): StripeResponse => {
  const charge = account.charges.get(id);
  if (charge === undefined) throw missing('charge', id);
  return ok(chargeView(charge));
};
