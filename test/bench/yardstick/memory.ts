import { readFileSync } from 'node:fs';
import type { ProductRow, Store } from './store.ts';
import { type OrderRow, orderRows, paymentRows, takenFrom } from './writing.ts';

const userId = '00000000-0000-7000-8000-000000000000';

/** @param file JSON with the rows of all products, ordered by id */
export const openMemory = (file: string): Store => {
  const rows = JSON.parse(readFileSync(file, 'utf8')) as ProductRow[];
  const places = new Map(rows.map(({ id }, place) => [id, place]));
  const find = (id: string): ProductRow | undefined => rows[places.get(id) ?? -1];
  const orders = new Map<string, OrderRow>();
  const answers = new Map<string, string>();
  const kept: unknown[] = [];

  return {
    product: find,
    products: (after, limit) => {
      const from = after === undefined ? 0 : (places.get(after) ?? -1) + 1;
      return rows.slice(from, from + limit);
    },
    order: (key, body) => {
      const before = answers.get(key);
      if (before !== undefined) return before;
      const product = find(body.product_id);
      if (product === undefined) throw new Error('There is no such product.');
      const made = orderRows(userId, key, body, product);
      if (product.stock_thousandths !== null) {
        const [thousandths, at, id] = takenFrom(product, body.quantity);
        const stock_thousandths = product.stock_thousandths - thousandths;
        rows[places.get(id) ?? -1] = {
          ...product,
          version: product.version + 1,
          updated_at: at,
          stock_thousandths,
        };
      }
      const { 0: id, 7: total_amount, 8: total_currency } = made.order;
      orders.set(id, { user_id: userId, total_amount, total_currency });
      kept.push(made.item, made.key);
      answers.set(key, made.answer);
      return made.answer;
    },
    pay: (key, body) => {
      const order = orders.get(body.order_id);
      if (order === undefined) throw new Error('There is no such order.');
      const made = paymentRows(key, body, order);
      kept.push(made.payment, made.ledger, made.key);
      answers.set(key, made.answer);
      return made.answer;
    },
  };
};
