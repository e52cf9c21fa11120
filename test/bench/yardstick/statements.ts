import { columns } from './store.ts';

const values = (count: number): string =>
  Array.from({ length: count }, (_, index) => `$${index + 1}`).join(', ');

const orderColumns =
  'id, version, created_at, updated_at, user_id, number, status, total_amount, total_currency, item_count, paying, external_id, metadata, shipping_address, billing_address, note, shipping_amount, discount_amount, shipping_tax_rate_thousandths, taxed_items';
const itemColumns =
  'id, version, created_at, updated_at, order_id, product_id, product_name, unit_price_amount, total_amount, currency, quantity_thousandths, counted, tax_rate_thousandths';
const keyColumns =
  'user_id, key, role, fingerprint, created_at, answer, process, subject, lease_until, fence';
const paymentColumns =
  'id, version, created_at, updated_at, order_id, user_id, amount, refunded_amount, refunding_amount, currency, status, provider, provider_reference, metadata';

/** Statements by name, with PostgreSQL's placeholders. */
export const statements = {
  product: `select ${columns} from products where id = $1`,
  locked: `select ${columns} from products where id = $1 for update`,
  taken:
    'update products set stock_thousandths = stock_thousandths - $1, version = version + 1, updated_at = $2 where id = $3',
  first: `select ${columns} from products order by id limit $1`,
  behind: `select ${columns} from products where id > $1 order by id limit $2`,
  user: 'select id, role from users where id = $1',
  known: 'select fingerprint, answer from idempotency_keys where user_id = $1 and key = $2',
  newOrder: `insert into orders (${orderColumns}) values (${values(20)})`,
  newItem: `insert into order_items (${itemColumns}) values (${values(13)})`,
  newKey: `insert into idempotency_keys (${keyColumns}) values (${values(10)})`,
  order: 'select user_id, total_amount, total_currency from orders where id = $1',
  newPayment: `insert into payments (${paymentColumns}) values (${values(14)})`,
  paying: 'update orders set paying = $1, version = version + 1 where id = $2',
  booked: `insert into sandbox_ledger (id, verdict) values (${values(2)})`,
  succeeded:
    "update payments set status = 'succeeded', provider_reference = $1, version = 2, updated_at = $2 where id = $3",
  paid: "update orders set status = 'paid', paying = $1, version = version + 1, updated_at = $2 where id = $3",
  answered: 'update idempotency_keys set answer = $1, lease_until = null where user_id = $2 and key = $3',
};
