import type { ObservedDatabase } from './databases.ts';

interface Column<T> {
  readonly sql: string;
  readonly read: (value: unknown) => T;
}

const text = (sql: string): Column<string> => ({ sql, read: String });
const textOrNull = (sql: string): Column<string | null> => ({
  sql,
  read: (value) => (value === null ? null : String(value)),
});
/** The drivers give the same number as a number or as text, and the same truth as 1 or as true. */
const number = (sql: string): Column<number> => ({ sql, read: Number });
const numberOrNull = (sql: string): Column<number | null> => ({
  sql,
  read: (value) => (value === null ? null : Number(value)),
});
const instant = (sql: string): Column<number> => ({
  sql,
  read: (value) => (value instanceof Date ? value.getTime() : Date.parse(String(value))),
});
const truth = (sql: string): Column<boolean> => ({ sql, read: (value) => value === 1 || value === true });

/** The tables with money, goods and people. Amounts are in minor units, quantities in thousandths, times in milliseconds. */
const tables = {
  products: { from: 'products', columns: { id: text('id'), stock: numberOrNull('stock_thousandths') } },
  orders: {
    from: 'orders',
    columns: {
      id: text('id'),
      userId: text('user_id'),
      createdAt: instant('created_at'),
      status: text('status'),
      total: number('total_amount'),
      itemCount: number('item_count'),
      paying: truth('paying'),
    },
  },
  items: {
    from: 'order_items',
    columns: {
      id: text('id'),
      orderId: text('order_id'),
      productId: text('product_id'),
      unitPrice: number('unit_price_amount'),
      quantity: number('quantity_thousandths'),
      total: number('total_amount'),
      counted: truth('counted'),
    },
  },
  payments: {
    from: 'payments',
    columns: {
      id: text('id'),
      orderId: text('order_id'),
      userId: text('user_id'),
      createdAt: instant('created_at'),
      status: text('status'),
      amount: number('amount'),
      refunded: number('refunded_amount'),
      refunding: number('refunding_amount'),
      released: number('released_amount'),
      disputed: number('disputed_amount'),
      /** Whether the payer can be asked. */
      isAsked: truth('action_expires_at is not null'),
      /** Whether its money is taken by a capture. */
      isManual: truth("capture_method = 'manual'"),
      currency: text('currency'),
      provider: text('provider'),
      reference: textOrNull('provider_reference'),
    },
  },
  refunds: {
    from: 'refunds',
    columns: {
      id: text('id'),
      paymentId: text('payment_id'),
      status: text('status'),
      amount: number('amount'),
      origin: text('origin'),
      provider: text('provider'),
      reference: textOrNull('provider_reference'),
    },
  },
  captures: {
    from: 'captures',
    columns: {
      id: text('id'),
      paymentId: text('payment_id'),
      status: text('status'),
      amount: number('amount'),
      reference: textOrNull('provider_reference'),
    },
  },
  disputes: {
    from: 'disputes',
    columns: {
      id: text('id'),
      paymentId: text('payment_id'),
      status: text('status'),
      amount: number('amount'),
      reference: text('provider_reference'),
    },
  },
  stockChanges: {
    from: 'stock_changes',
    columns: {
      id: text('id'),
      productId: text('product_id'),
      change: number('change_thousandths'),
    },
  },
  users: { from: 'users', columns: { id: text('id'), status: text('status') } },
  erasures: {
    from: 'erasures',
    columns: {
      id: text('id'),
      userId: text('user_id'),
      createdAt: instant('created_at'),
      status: text('status'),
    },
  },
  keys: {
    from: 'idempotency_keys',
    columns: {
      userId: text('user_id'),
      key: text('"key"'),
      process: textOrNull('process'),
      /** The payment, capture or refund of the key, if any. */
      subject: textOrNull('subject'),
      hasResponse: truth('answer is not null'),
      unsettled: truth('lease_until is not null'),
    },
  },
} as const;

type Tables = typeof tables;
type RowOf<Name extends keyof Tables> = {
  readonly [C in keyof Tables[Name]['columns']]: Tables[Name]['columns'][C] extends Column<infer T>
    ? T
    : never;
};

export type OrderRow = RowOf<'orders'>;
export type ItemRow = RowOf<'items'>;
export type PaymentRow = RowOf<'payments'>;
export type RefundRow = RowOf<'refunds'>;
export type CaptureRow = RowOf<'captures'>;
export type DisputeRow = RowOf<'disputes'>;
export type ErasureRow = RowOf<'erasures'>;
export type KeyRow = RowOf<'keys'>;
export type Rows = { readonly [Name in keyof Tables]: readonly RowOf<Name>[] };

/** Reads everything. It is a snapshot only while no request writes. */
export const readRows = async (database: Pick<ObservedDatabase, 'query'>): Promise<Rows> => {
  const of = async <Name extends keyof Tables>(name: Name): Promise<RowOf<Name>[]> => {
    const columns = Object.entries<Column<unknown>>(tables[name].columns);
    const selected = columns.map(([field, { sql }]) => `${sql} as "${field}"`).join(', ');
    const rows = await database.query(`select ${selected} from ${tables[name].from}`);
    const fields = rows.map((row) => columns.map(([field, { read }]) => [field, read(row[field])]));
    return fields.map((entries) => Object.fromEntries(entries) as RowOf<Name>);
  };
  return {
    products: await of('products'),
    orders: await of('orders'),
    items: await of('items'),
    payments: await of('payments'),
    refunds: await of('refunds'),
    captures: await of('captures'),
    disputes: await of('disputes'),
    stockChanges: await of('stockChanges'),
    users: await of('users'),
    erasures: await of('erasures'),
    keys: await of('keys'),
  };
};
