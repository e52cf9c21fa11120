import { hash } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import type { NewOrder, NewPayment, ProductRow } from './store.ts';

/** External id, metadata, addresses, note, shipping, discount, tax rate of shipping and taxed items. */
const orderDetails = [null, '{}', null, null, null, 0, 0, null, '[]'] as const;

/** Column values of the rows of an order, and its response. */
export const orderRows = (userId: string, key: string, body: NewOrder, product: ProductRow) => {
  const at = new Date().toISOString();
  const [id, item] = [uuidv7(), uuidv7()];
  const number = `${id.slice(-12, -8)}-${id.slice(-8, -4)}-${id.slice(-4)}`.toUpperCase();
  const total = Math.round(body.quantity * product.price_amount);
  const currency = product.price_currency;
  const answer = JSON.stringify({
    data: {
      id,
      user_id: userId,
      number,
      status: 'pending',
      currency,
      items_total: { amount: total, currency },
      shipping: { amount: 0, currency },
      discount: { amount: 0, currency },
      total: { amount: total, currency },
      shipping_tax_rate: null,
      taxes: [],
      item_count: 1,
      paid_at: null,
      shipping_address: null,
      billing_address: null,
      note: null,
      external_id: null,
      metadata: {},
      version: 1,
      created_at: at,
      updated_at: at,
    },
  });
  return {
    answer,
    order: [id, 1, at, at, userId, number, 'pending', total, currency, 1, 0, ...orderDetails],
    item: [
      item,
      1,
      at,
      at,
      id,
      product.id,
      product.name,
      product.price_amount,
      total,
      currency,
      thousandthsOf(body.quantity),
      product.stock_thousandths === null ? 0 : 1,
      product.tax_rate_thousandths,
    ],
    key: [userId, key, 'admin', fingerprintOf(body), at, stored(answer, id), null, null, null, null],
  } as const;
};

/** Values of the statement that subtracts an order's quantity from a counted stock. @throws when the stock is smaller */
export const takenFrom = ({ id, stock_thousandths: stock }: ProductRow, quantity: number) => {
  const thousandths = thousandthsOf(quantity);
  if (stock === null || stock < thousandths) throw new Error('There is not enough in stock.');
  return [thousandths, new Date().toISOString(), id] as const;
};

const thousandthsOf = (quantity: number): number => Math.round(1000 * quantity);

export interface OrderRow {
  readonly user_id: string;
  readonly total_amount: number;
  readonly total_currency: string;
}

/** Column values of the rows of a payment, pending and settled. */
export const paymentRows = (key: string, body: NewPayment, order: OrderRow) => {
  const at = new Date().toISOString();
  const id = uuidv7();
  const { user_id, total_amount: amount, total_currency: currency } = order;
  const reference = `sandbox_${id}`;
  const answer = JSON.stringify({
    data: {
      id,
      order_id: body.order_id,
      user_id,
      amount: { amount, currency },
      captured: { amount, currency },
      refunded: { amount: 0, currency },
      refunding: { amount: 0, currency },
      disputed: { amount: 0, currency },
      status: 'succeeded',
      succeeded_at: at,
      next_action: null,
      capture: 'automatic',
      capture_before: null,
      action_expires_at: null,
      provider: 'sandbox',
      provider_reference: reference,
      failure: null,
      metadata: {},
      version: 2,
      created_at: at,
      updated_at: at,
    },
  });
  return {
    answer,
    key: [user_id, key, 'admin', fingerprintOf(body), at, null, 'payment', id, at, 1],
    payment: [
      id,
      1,
      at,
      at,
      body.order_id,
      user_id,
      amount,
      0,
      0,
      currency,
      'pending',
      'sandbox',
      null,
      '{}',
    ],
    ledger: [id, JSON.stringify({ reference })],
    succeeded: [reference, at, id],
    paid: [at, body.order_id],
    answered: [stored(answer, id), user_id, key],
  } as const;
};

const fingerprintOf = (body: unknown): string => hash('sha256', JSON.stringify(body));

const stored = (body: string, id: string): string =>
  JSON.stringify({ status: 201, headers: { ETag: '"1"', Location: `/v1/orders/${id}` }, body });
