import { offline } from '#domain/payment.ts';
import type { ParsedResponse, Subject } from '../clients/response.ts';
import type { Rows } from '../rows.ts';
import type { ClientOutcome, Evidence } from './evidence.ts';

/** Evidence that tests can change. */
export type Draft<T> = T extends readonly (infer Item)[]
  ? Draft<Item>[]
  : T extends ReadonlyMap<infer K, infer V>
    ? Map<K, V>
    : T extends object
      ? { -readonly [K in keyof T]: Draft<T[K]> }
      : T;

const at = '2026-01-01T00:00:00.000Z';

export const parsed = (
  status: number,
  subject: Partial<Subject> | null,
  code: string | null = null,
): ParsedResponse => ({
  status,
  code,
  digest: `${status}`,
  subject: subject && { id: '', status: null, amount: null, reference: null, itemCount: null, ...subject },
});

export const outcome = (
  kind: ClientOutcome['kind'],
  key: string,
  response: ParsedResponse,
): ClientOutcome => ({
  kind,
  key,
  path: `/v1/${kind}s`,
  response,
  isForgotten: false,
});

const ofAda = { userId: 'ada', createdAt: Date.parse(at) };
const order = { ...ofAda, status: 'paid', total: 900, itemCount: 1, paying: false };
const item = { productId: 'tea', unitPrice: 450, quantity: 2_000, total: 900, counted: true };
const payment = {
  ...ofAda,
  status: 'succeeded',
  amount: 900,
  refunded: 0,
  refunding: 0,
  released: 0,
  disputed: 0,
  isAsked: false,
  isManual: false,
  currency: 'EUR',
  provider: 'stripe',
  reference: null,
};
const refund = { status: 'succeeded', origin: 'portico' };
const key = { userId: 'ada', hasResponse: true, unsettled: false, subject: null, process: null };

const rows: Rows = {
  products: [
    { id: 'tea', stock: 6_000 },
    { id: 'news', stock: null },
  ],
  orders: [
    { ...order, id: 'order-1' },
    { ...order, id: 'order-2', status: 'canceled' },
    { ...order, id: 'order-3', total: 1_350, itemCount: 2 },
    { ...order, id: 'order-4', total: 450, itemCount: 2 },
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
    {
      ...{ ...item, id: 'item-5', orderId: 'order-4', productId: 'news', quantity: 500, total: 225 },
      counted: false,
    },
    {
      ...{ ...item, id: 'item-6', orderId: 'order-4', productId: 'news', quantity: 500, total: 225 },
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
    {
      ...{ ...payment, id: 'payment-4', orderId: 'order-4', provider: offline, reference: 'Receipt 4' },
      ...{ status: 'partially_refunded', amount: 450, refunded: 50 },
    },
  ],
  refunds: [
    { ...refund, id: 'refund-1', paymentId: 'payment-3', amount: 350, provider: 'stripe', reference: 're_1' },
    { ...refund, id: 'refund-2', paymentId: 'payment-4', amount: 50, provider: offline, reference: null },
  ],
  captures: [],
  disputes: [],
  users: [{ id: 'ada', status: 'active' }],
  erasures: [],
  stockChanges: [{ id: 'change-1', productId: 'tea', change: -500 }],
  keys: [
    ...['order-key-1', 'order-key-2', 'order-key-3', 'item-key', 'cancel-key', 'rejected-key'].map(
      (name) => ({
        ...key,
        key: name,
      }),
    ),
    { ...key, key: 'payment-key-1', subject: 'payment-1' },
    { ...key, key: 'payment-key-2', subject: 'payment-2' },
    { ...key, key: 'payment-key-3', subject: 'payment-3' },
    { ...key, key: 'refund-key', subject: 'refund-1' },
    { ...key, key: 'order-key-4' },
    { ...key, key: 'cash-key', subject: 'payment-4' },
    { ...key, key: 'cash-back-key', subject: 'refund-2' },
    { ...key, key: 'stock-key' },
  ],
};

const clientOutcomes: ClientOutcome[] = [
  outcome('order', 'order-key-1', parsed(201, { id: 'order-1', amount: 900, itemCount: 1 })),
  outcome('order', 'order-key-2', parsed(201, { id: 'order-2', amount: 900, itemCount: 1 })),
  outcome('order', 'order-key-3', parsed(201, { id: 'order-3', amount: 900, itemCount: 1 })),
  outcome('item', 'item-key', parsed(201, { id: 'item-4', amount: 450 })),
  outcome('change', 'cancel-key', parsed(200, { id: 'order-2', status: 'canceled' })),
  outcome(
    'payment',
    'payment-key-1',
    parsed(201, { id: 'payment-1', status: 'succeeded', amount: 900, reference: 'pi_1' }),
  ),
  outcome('payment', 'payment-key-2', parsed(422, null, 'PAYMENT_DECLINED')),
  outcome(
    'payment',
    'payment-key-3',
    parsed(201, { id: 'payment-3', status: 'succeeded', amount: 1_350, reference: 'pi_3' }),
  ),
  { ...outcome('payment', 'rejected-key', parsed(409, null, 'INVALID_STATE')), subjectId: 'order-1' },
  outcome(
    'refund',
    'refund-key',
    parsed(201, { id: 'refund-1', status: 'succeeded', amount: 350, reference: 're_1' }),
  ),
  outcome('order', 'order-key-4', parsed(201, { id: 'order-4', amount: 450, itemCount: 2 })),
  outcome(
    'payment',
    'cash-key',
    parsed(201, { id: 'payment-4', status: 'succeeded', amount: 450, reference: 'Receipt 4' }),
  ),
  outcome('refund', 'cash-back-key', parsed(201, { id: 'refund-2', status: 'succeeded', amount: 50 })),
  outcome('stockChange', 'stock-key', parsed(201, { id: 'change-1' })),
];

/**
 * Four orders: one paid, one canceled, one to which an item was added, that a card was declined for, was paid then, and was refunded
 * in part, and one of two items that was paid in cash and refunded in part. Staff have changed a stock. Nothing is wrong with any of it.
 */
export const goodWorld = (): Draft<Evidence> =>
  structuredClone<Evidence>({
    ledger: {
      charges: [
        { reference: 'pi_1', paymentId: 'payment-1', amount: 900, currency: 'EUR' },
        { reference: 'pi_3', paymentId: 'payment-3', amount: 1_350, currency: 'EUR' },
      ],
      captures: [],
      refunds: [
        { reference: 're_1', refundId: 'refund-1', charge: 'pi_3', amount: 350, status: 'succeeded' },
      ],
      open: [],
      disputes: [],
      canceled: [],
    },
    rows,
    clientOutcomes,
    stockBefore: new Map([
      ['tea', 10_500],
      ['news', null],
    ]),
    people: [],
    markedRows: [],
    requestTimeoutMs: 10_000,
    leaks: [],
  }) as Draft<Evidence>;
