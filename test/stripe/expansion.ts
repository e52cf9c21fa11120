import type { Account } from './account.ts';
import { type Form, listIn } from './form.ts';
import { paymentMethods } from './payment-methods.ts';
import { invalid, type StripeResponse } from './response.ts';
import { balanceTransactionView, chargeView, disputeView, intentView, refundView } from './views.ts';

/** Replaces ids in a response by what they name. https://docs.stripe.com/api/expanding_objects */
export const expand = (account: Account, form: Form, response: StripeResponse): StripeResponse => {
  const paths = listIn(form, 'expand') ?? [];
  if (paths.length === 0 || response.status !== 200) return response;
  return {
    ...response,
    body: paths.reduce((body, path) => expanded(account, body, path.split('.')), response.body),
  };
};

const expanded = (account: Account, value: unknown, path: readonly string[]): unknown => {
  if (Array.isArray(value)) return value.map((each) => expanded(account, each, path));
  if (value === null) return null;
  const [name, ...rest] = path;
  if (typeof value === 'string') return expanded(account, named(account, value), path);
  if (name === undefined) return value;
  const object = value as Readonly<Record<string, unknown>>;
  const field = name in object ? object[name] : refundsOf(account, object, name);
  if (field === undefined) throw invalid('expand', `This property cannot be expanded (${name}).`);
  return { ...object, [name]: expanded(account, field, rest) };
};

/** The ten newest refunds of a charge, which a charge shows on request only. */
const refundsOf = (account: Account, { id }: Readonly<Record<string, unknown>>, name: string): unknown => {
  const refunds = name === 'refunds' ? account.charges.get(String(id))?.refunds : undefined;
  if (refunds === undefined) return undefined;
  const data = refunds.toReversed().slice(0, 10).map(refundView);
  return { object: 'list', data, has_more: refunds.length > data.length };
};

const named = (account: Account, id: string): unknown => {
  const { intents, charges, refunds, disputes } = account;
  const view =
    viewOf(intents.get(id), intentView) ??
    viewOf(charges.get(id), chargeView) ??
    viewOf(refunds.get(id), refundView) ??
    viewOf(disputes.get(id), disputeView) ??
    viewOf(charges.get(id.replace(/^txn_/, '')), balanceTransactionView);
  if (view !== undefined) return view;
  const method = paymentMethods.get(id);
  if (method !== undefined) return { id, object: 'payment_method', type: method.type, [method.type]: {} };
  throw invalid('expand', `This property cannot be expanded (${id}).`);
};

const viewOf = <T>(object: T | undefined, view: (object: T) => unknown): unknown =>
  object === undefined ? undefined : view(object);
