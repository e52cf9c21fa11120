import { Pool, type PoolClient, type QueryResult, type QueryResultRow } from 'pg';
import { statements } from './statements.ts';
import type { NewOrder, ProductRow, Store } from './store.ts';
import { type OrderRow, orderRows, paymentRows, takenFrom } from './writing.ts';

type Name = keyof typeof statements;
type Ask = <Row extends QueryResultRow>(name: Name, values: readonly unknown[]) => Promise<Row[]>;

/** Uses as many connections as Portico, and named statements, which are parsed and planned once. */
export const openPostgres = (url: string): Store => {
  const pool = new Pool({
    connectionString: url,
    max: 10,
    // As in Portico: a plan made for an empty table would keep scanning it.
    options: '-c timezone=UTC -c enable_seqscan=off',
    types: { getTypeParser },
  });
  const ask = askOver((query) => pool.query(query));
  const userId = pool.query('select id from users limit 1').then(({ rows }) => String(rows[0]?.id));

  const transact = async <T>(work: (ask: Ask) => Promise<T>): Promise<T> => {
    const client: PoolClient = await pool.connect();
    try {
      await client.query('begin');
      const result = await work(askOver((query) => client.query(query)));
      await client.query('commit');
      return result;
    } catch (error) {
      await client.query('rollback');
      throw error;
    } finally {
      client.release();
    }
  };

  /** Products known to be counted. Their orders read them once, behind the lock. */
  const counted = new Set<string>();

  const reserve = async (within: Ask, { product_id: id, quantity }: NewOrder): Promise<ProductRow> => {
    if (!counted.has(id)) {
      const found = required(await within<ProductRow>('product', [id]));
      if (found.stock_thousandths === null) return found;
      counted.add(id);
    }
    const locked = required(await within<ProductRow>('locked', [id]));
    await within('taken', takenFrom(locked, quantity));
    return locked;
  };

  return {
    product: async (id) => (await ask<ProductRow>('product', [id]))[0],
    products: (after, limit) =>
      after === undefined ? ask<ProductRow>('first', [limit]) : ask<ProductRow>('behind', [after, limit]),
    order: async (key, body) => {
      const caller = await userId;
      return transact(async (within) => {
        const [before] = await within<{ answer: string }>('known', [caller, key]);
        if (before !== undefined) return before.answer;
        await within('user', [caller]);
        const rows = orderRows(caller, key, body, await reserve(within, body));
        await within('newOrder', rows.order);
        await within('newItem', rows.item);
        await within('newKey', rows.key);
        return rows.answer;
      });
    },
    pay: async (key, body) => {
      const caller = await userId;
      const rows = await transact(async (within) => {
        if ((await within('known', [caller, key])).length > 0) throw new Error('A key that was used.');
        const [order] = await within<OrderRow & QueryResultRow>('order', [body.order_id]);
        if (order === undefined) throw new Error('There is no such order.');
        const made = paymentRows(key, body, order);
        await within('newPayment', made.payment);
        await within('paying', [1, body.order_id]);
        await within('newKey', made.key);
        return made;
      });
      await ask('booked', rows.ledger);
      await transact(async (within) => {
        await within('succeeded', rows.succeeded);
        await within('paid', [0, ...rows.paid]);
        await within('answered', rows.answered);
      });
      return rows.answer;
    },
  };
};

const required = ([product]: readonly ProductRow[]): ProductRow => {
  if (product === undefined) throw new Error('There is no such product.');
  return product;
};

interface Query {
  readonly name: string;
  readonly text: string;
  readonly values: unknown[];
}

const askOver =
  (send: (query: Query) => Promise<QueryResult>): Ask =>
  async (name, values) =>
    (await send({ name, text: statements[name], values: [...values] })).rows;

/** Numbers as numbers, times as RFC 3339. */
const parsers = new Map<number, (text: string) => unknown>([
  [20, Number],
  [23, Number],
  [1184, (text) => `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, -3).padEnd(3, '0')}Z`],
]);

const asItIs = (text: string): string => text;

const getTypeParser = (type: number) => parsers.get(type) ?? asItIs;
