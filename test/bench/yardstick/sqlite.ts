import BetterSqlite3 from 'better-sqlite3';
import { statements } from './statements.ts';
import type { NewOrder, NewPayment, ProductRow, Store } from './store.ts';
import { type OrderRow, orderRows, paymentRows, takenFrom } from './writing.ts';

/** Write-ahead log and durable commits, as in Portico, with one transaction for each request. */
export const openSqlite = (file: string): Store => {
  const database = new BetterSqlite3(file);
  database.pragma('journal_mode = wal');
  database.pragma('synchronous = full');
  database.pragma('foreign_keys = on');
  const prepare = (name: keyof typeof statements) =>
    database.prepare(statements[name].replaceAll(/\$\d+/g, '?'));
  const { id: userId } = database.prepare('select id from users limit 1').get() as { readonly id: string };
  const [product, first, behind] = [prepare('product'), prepare('first'), prepare('behind')];
  const [known, user] = [prepare('known'), prepare('user')];
  const [newOrder, newItem, newKey] = [prepare('newOrder'), prepare('newItem'), prepare('newKey')];
  const [order, newPayment, paying] = [prepare('order'), prepare('newPayment'), prepare('paying')];
  const [succeeded, paid, answered] = [prepare('succeeded'), prepare('paid'), prepare('answered')];
  const [booked, taken] = [prepare('booked'), prepare('taken')];

  const place = database.transaction((key: string, body: NewOrder): string => {
    const before = known.get(userId, key) as { readonly answer: string } | undefined;
    if (before !== undefined) return before.answer;
    user.get(userId);
    const ordered = product.get(body.product_id) as ProductRow;
    if (ordered.stock_thousandths !== null) taken.run(takenFrom(ordered, body.quantity));
    const rows = orderRows(userId, key, body, ordered);
    newOrder.run(rows.order);
    newItem.run(rows.item);
    newKey.run(rows.key);
    return rows.answer;
  });

  const begin = database.transaction((key: string, body: NewPayment) => {
    if (known.get(userId, key) !== undefined) throw new Error('A key that was used.');
    const rows = paymentRows(key, body, order.get(body.order_id) as OrderRow);
    newPayment.run(rows.payment);
    paying.run(1, body.order_id);
    newKey.run(rows.key);
    return rows;
  });

  const end = database.transaction(
    ({ succeeded: how, paid: when, answered: what }: ReturnType<typeof paymentRows>) => {
      succeeded.run(how);
      paid.run(0, ...when);
      answered.run(what);
    },
  );

  return {
    product: (id) => product.get(id) as ProductRow | undefined,
    products: (after, limit) =>
      (after === undefined ? first.all(limit) : behind.all(after, limit)) as ProductRow[],
    order: (key, body) => place.immediate(key, body),
    pay: (key, body) => {
      const rows = begin.immediate(key, body);
      booked.run(rows.ledger);
      end.immediate(rows);
      return rows.answer;
    },
  };
};
