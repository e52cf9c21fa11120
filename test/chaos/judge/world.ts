import type { Said, Subject } from '../answer.ts';
import type { Rows } from '../rows.ts';
import type { Evidence, Testimony } from './evidence.ts';

/** Evidence that tests can change. */
export type Draft<T> = T extends readonly (infer Item)[]
  ? Draft<Item>[]
  : T extends ReadonlyMap<infer K, infer V>
    ? Map<K, V>
    : T extends object
      ? { -readonly [K in keyof T]: Draft<T[K]> }
      : T;

const at = '2026-01-01T00:00:00.000Z';

const said = (status: number, subject: Partial<Subject> | null, code: string | null = null): Said => ({
  status,
  code,
  digest: `${status}`,
  subject: subject && { id: '', status: null, amount: null, reference: null, ...subject },
});

const testimony = (kind: Testimony['kind'], key: string, answer: Said): Testimony => ({
  kind,
  key,
  path: `/v1/${kind}s`,
  said: answer,
});

const order = { status: 'paid', total: 900, itemCount: 1, paying: false };
const item = { productId: 'tea', unitPrice: 450, quantity: 2_000, total: 900, counted: true };
const payment = {
  status: 'succeeded',
  amount: 900,
  refunded: 0,
  refunding: 0,
  currency: 'EUR',
  reference: null,
};
const key = { answered: true, unsettled: false, subject: null };

const rows: Rows = {
  products: [
    { id: 'tea', stock: 6_000 },
    { id: 'news', stock: null },
  ],
  orders: [
    { ...order, id: 'order-1' },
    { ...order, id: 'order-2', status: 'canceled' },
    { ...order, id: 'order-3', total: 1_350, itemCount: 2 },
  ],
  items: [
    { ...item, id: 'item-1', orderId: 'order-1' },
    { ...item, id: 'item-2', orderId: 'order-2' },
    { ...item, id: 'item-3', orderId: 'order-3' },
    {
      ...item,
      id: 'item-4',
      orderId: 'order-3',
      productId: 'news',
      quantity: 1_000,
      total: 450,
      counted: false,
    },
  ],
  payments: [
    { ...payment, id: 'payment-1', orderId: 'order-1', reference: 'pi_1' },
    { ...payment, id: 'payment-2', orderId: 'order-3', status: 'failed', amount: 1_350 },
    {
      ...payment,
      id: 'payment-3',
      orderId: 'order-3',
      status: 'partially_refunded',
      amount: 1_350,
      refunded: 350,
      reference: 'pi_3',
    },
  ],
  refunds: [{ id: 'refund-1', paymentId: 'payment-3', status: 'succeeded', amount: 350, reference: 're_1' }],
  keys: [
    ...['order-key-1', 'order-key-2', 'order-key-3', 'item-key', 'cancel-key', 'refused-key'].map((name) => ({
      ...key,
      key: name,
    })),
    { ...key, key: 'payment-key-1', subject: 'payment-1' },
    { ...key, key: 'payment-key-2', subject: 'payment-2' },
    { ...key, key: 'payment-key-3', subject: 'payment-3' },
    { ...key, key: 'refund-key', subject: 'refund-1' },
  ],
};

const testimonies: Testimony[] = [
  testimony('order', 'order-key-1', said(201, { id: 'order-1', amount: 900 })),
  testimony('order', 'order-key-2', said(201, { id: 'order-2', amount: 900 })),
  testimony('order', 'order-key-3', said(201, { id: 'order-3', amount: 900 })),
  testimony('item', 'item-key', said(201, { id: 'item-4', amount: 450 })),
  testimony('change', 'cancel-key', said(200, { id: 'order-2', status: 'canceled' })),
  testimony('payment', 'payment-key-1', said(201, { id: 'payment-1', amount: 900, reference: 'pi_1' })),
  testimony('payment', 'payment-key-2', said(422, null, 'PAYMENT_DECLINED')),
  testimony('payment', 'payment-key-3', said(201, { id: 'payment-3', amount: 1_350, reference: 'pi_3' })),
  testimony('payment', 'refused-key', said(409, null, 'INVALID_STATE')),
  testimony('refund', 'refund-key', said(201, { id: 'refund-1', amount: 350, reference: 're_1' })),
];

/**
 * Three orders: one paid, one canceled, and one with two items that a card was declined for, was paid then, and was
 * refunded in part. Nothing is wrong with any of them.
 */
export const goodWorld = (): Draft<Evidence> =>
  structuredClone({
    ledger: {
      charges: [
        { id: 'pi_1', payment_id: 'payment-1', amount: 900, currency: 'eur', at },
        { id: 'pi_3', payment_id: 'payment-3', amount: 1_350, currency: 'eur', at },
      ],
      refunds: [{ id: 're_1', refund_id: 'refund-1', payment_intent: 'pi_3', amount: 350, at }],
    },
    rows,
    testimonies,
    stockBefore: new Map([
      ['tea', 10_000],
      ['news', null],
    ]),
  }) as Draft<Evidence>;
