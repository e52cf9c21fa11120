import { Address, type AddressPatch } from './address.ts';
import { DomainError, type FieldError, invalidField } from './errors.ts';
import { externalId } from './external-id.ts';
import { Metadata, type MetadataPatch } from './metadata.ts';
import { Money } from './money.ts';
import { Order } from './order.ts';
import { OrderPrice } from './order-price.ts';
import { requireValid } from './rule.ts';
import type { TaxRate } from './tax.ts';
import { text } from './text.ts';

/** What clients write of an order besides its items and its status. Objects are merged into the stored ones (RFC 7396). */
export interface OrderDetails {
  readonly externalId?: string | null;
  readonly metadata?: MetadataPatch;
  readonly shippingAddress?: AddressPatch | null;
  readonly billingAddress?: AddressPatch | null;
  readonly note?: string | null;
  readonly shipping?: Partial<Money>;
  readonly discount?: Partial<Money>;
  readonly shippingTaxRate?: TaxRate | null;
}

type Field = keyof OrderDetails;

const priceFields: readonly Field[] = ['shipping', 'discount', 'shippingTaxRate'];
const staffFields: readonly Field[] = ['externalId', 'metadata', ...priceFields];
const ownerFields: readonly Field[] = ['shippingAddress', 'billingAddress', 'note'];

const rules = { externalId, note: text(0, 1000) };

const names = (details: OrderDetails, among: readonly Field[]): boolean =>
  among.some((field) => details[field] !== undefined);

export const OrderDetails = {
  rules,

  isEmpty: (details: OrderDetails): boolean => !names(details, staffFields) && !names(details, ownerFields),

  /** Whether only staff may write some of it. */
  isForStaff: (details: OrderDetails): boolean => names(details, staffFields),

  /** What of it only staff may write. */
  forStaff: (details: OrderDetails): readonly string[] =>
    staffFields.filter((field) => details[field] !== undefined),

  /**
   * What an order costs changes while it is open. Its owner writes addresses and note while it is pending. Staff write
   * shipping address and note until it is fulfilled, and the rest always, also during a payment.
   * @throws DomainError 'invalid-state'
   */
  requireWritable: (order: Order, details: OrderDetails, byStaff: boolean): void => {
    if (names(details, priceFields)) Order.requireOpen(order);
    const untilFulfilled = byStaff ? ['pending', 'paid'] : ['pending'];
    const fields: readonly Field[] = byStaff ? ['shippingAddress', 'note'] : ownerFields;
    if (names(details, fields) && !untilFulfilled.includes(order.status)) {
      const rule = byStaff
        ? 'Staff write shipping address and note while it is pending or paid, and metadata always.'
        : 'Its owner writes addresses and note while it is pending. Ask the shop to change it.';
      throw new DomainError('invalid-state', `The order is ${order.status}. ${rule}`);
    }
  },

  /**
   * Merges the details into an order.
   * @returns the fields that they change
   * @throws DomainError 'validation' with the fields of which the result is not valid
   */
  merge: (order: Order, details: OrderDetails): Partial<Order> => {
    const { shippingTaxRate, note, externalId: otherId } = details;
    const plain = requireValid(rules, {
      ...(otherId !== undefined && { externalId: otherId }),
      ...(note !== undefined && { note }),
    });
    return {
      ...plain,
      ...(details.metadata && { metadata: Metadata.merge(order.metadata, details.metadata) }),
      ...mergedAddresses(order, details),
      ...mergedPrice(order, details),
      ...(shippingTaxRate !== undefined && { shippingTaxRate }),
    };
  },
};

const mergedAddresses = (order: Order, details: OrderDetails): Partial<Order> => {
  const merged: { [F in 'shippingAddress' | 'billingAddress']?: Address | null } = {};
  const errors: FieldError[] = [];
  for (const field of ['shippingAddress', 'billingAddress'] as const) {
    const patch = details[field];
    if (patch === undefined) continue;
    const result = patch === null ? null : Address.merge(order[field], patch);
    if (result !== null && 'errors' in result)
      errors.push(...result.errors.map((error) => ({ ...error, field: `${field}.${error.field}` })));
    else merged[field] = result;
  }
  if (errors.length > 0) throw new DomainError('validation', 'Some fields are not valid.', errors);
  return merged;
};

const mergedPrice = (order: Order, details: OrderDetails): Partial<Order> => {
  if (details.shipping === undefined && details.discount === undefined) return {};
  const shipping = mergedMoney(order, 'shipping', details.shipping);
  const discount = mergedMoney(order, 'discount', details.discount);
  return { shipping, discount, total: OrderPrice.totalWith(order, { shipping, discount }) };
};

const mergedMoney = (order: Order, field: 'shipping' | 'discount', patch: Partial<Money> = {}): Money => {
  const { currency } = order.total;
  if (patch.currency !== undefined && patch.currency !== currency)
    throw invalidField(`${field}.currency`, `must be ${currency}, the order's currency`);
  const message = patch.amount === undefined ? undefined : Money.amount.violation(patch.amount);
  if (message !== undefined) throw invalidField(`${field}.amount`, message);
  return { ...order[field], ...patch };
};
