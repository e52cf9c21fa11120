// A program of a user of the client. It is checked and run here, and in a project of its own that has installed the package.
import { type Api, type BodyOf, type DataOf, orThrow, portico } from '#adapters/http/client/index.ts';

const [, , url = '', key = ''] = process.argv;
const shop = portico({ url, key });

type Order = DataOf<'POST /orders'>;
type NewOrder = BodyOf<'POST /orders'>;

/** Types of earlier versions still compile: `shows` is the former name of `content`. */
export const formerName: Api['GET /orders']['shows'] = 'page' satisfies Api['GET /orders']['content'];

const buy = async (order: NewOrder): Promise<Order | 'sold out'> => {
  const placed = await shop.send('POST /orders', { body: order });
  if (placed.ok) return placed.data;
  switch (placed.error.code) {
    case 'OUT_OF_STOCK':
      return 'sold out';
    // @ts-expect-error This operation has no such error code.
    case 'PAYMENT_DECLINED':
      throw placed.error;
    default:
      throw placed.error;
  }
};

for await (const product of shop.each('GET /products', { query: { status: 'active' } })) {
  const order = await buy({ product_id: product.id, quantity: 1 });
  if (order === 'sold out') {
    process.stdout.write(`${product.name} is sold out.\n`);
    continue;
  }
  const body = { order_id: order.id, payment_method: 'tok_ok' };
  const { data: payment } = orThrow(await shop.send('POST /payments', { body }));
  process.stdout.write(
    `${product.name}: ${payment.amount.amount} ${payment.amount.currency}, ${payment.status}\n`,
  );
}

/** The newest orders, with what belongs to them. */
export const recent = async (): Promise<readonly string[]> => {
  const query = { sort: '-id', expand: 'items,user', created_from: '2026-01-01T00:00:00Z' } as const;
  const { data } = orThrow(await shop.send('GET /orders', { query }));
  const body = { product_id: data[0]?.expanded?.items?.[0]?.product_id ?? '', quantity: 1 };
  await shop.send('POST /orders', { body, query: { expand: 'items' } });
  return data.flatMap(({ expanded }) => expanded?.user?.name ?? []);
};

/** What has been sold since, in the order of the feed. */
export const sales = async (cursor: string): Promise<readonly number[]> => {
  const amounts: number[] = [];
  for await (const { event } of shop.events({ cursor, query: { type: 'order.*' } })) {
    if (event.type === 'order.paid') amounts.push(event.data?.total.amount ?? 0);
    if (event.type === 'order.canceled') break;
  }
  // @ts-expect-error The feed has no such type.
  shop.events({ query: { type: 'order.lost' } });
  // @ts-expect-error The cursor is an option of its own, which may be one within a page.
  shop.eventPages({ query: { cursor } });
  return amounts;
};

/** What each day of a month has brought, in euros. */
export const month = async (from: string): Promise<readonly number[]> => {
  const query = { from, days: 31, time_zone: 'Europe/Vienna' };
  const { data, pagination } = orThrow(await shop.send('GET /sales', { query }));
  const each: number[] = pagination.has_more ? [] : data.map(({ paid }) => paid.amount);
  for await (const { refunded } of shop.each('GET /sales', { query: { from } })) each.push(-refunded.amount);
  return each;
};

/** Gives money back unless some was given back since the payment was seen. */
export const giveBack = async (
  { id, amount: { currency }, refunded, refunding }: DataOf<'GET /payments/{id}'>,
  amount: number,
): Promise<string> => {
  const expected_refunded = { amount: refunded.amount + refunding.amount, currency };
  const body = { payment_id: id, amount: { amount, currency }, expected_refunded };
  const given = await shop.send('POST /refunds', { body });
  if (given.ok) return given.data.status;
  return given.error.code === 'CONFLICT' ? given.error.message : 'It is unknown, or not possible.';
};

/** Mistakes that the compiler reports. This is never called. */
export const mistakes = async (order: Order): Promise<void> => {
  // @ts-expect-error There is no such operation.
  await shop.send('POST /coupons', { body: {} });
  // @ts-expect-error The order id is required.
  await shop.send('POST /payments', { body: { payment_method: 'tok_ok' } });
  // @ts-expect-error There is no such field.
  await shop.send('POST /payments', { body: { order_id: order.id, payment_method: 'tok_ok', card: '4242' } });
  // @ts-expect-error The id in the path is required.
  await shop.send('GET /orders/{order_id}');
  // @ts-expect-error The id has another name.
  await shop.send('GET /orders/{order_id}', { path: { id: order.id } });
  // @ts-expect-error An order has no such name.
  await shop.send('GET /orders', { query: { expand: 'product' } });
  // @ts-expect-error A new order takes its items only.
  await shop.send('POST /orders', { body: { product_id: order.id, quantity: 1 }, query: { expand: 'user' } });
  // @ts-expect-error A product has nothing to expand.
  await shop.send('GET /products/{id}', { path: { id: order.id }, query: { expand: 'items' } });
  // @ts-expect-error The only other order is the newest first.
  await shop.send('GET /orders', { query: { sort: 'id' } });
  // @ts-expect-error A report begins somewhere.
  await shop.send('GET /sales', { query: { days: 7 } });
  // @ts-expect-error Without a request it begins nowhere.
  await shop.send('GET /sales');
  // @ts-expect-error It is always whole.
  await shop.send('GET /sales', { query: { from: '2026-01-01T00:00:00Z', limit: 5 } });
  // @ts-expect-error Orders have no such status.
  await shop.send('GET /orders', { query: { status: 'lost' } });
  // @ts-expect-error Only lists have pages.
  shop.each('GET /orders/{order_id}', { path: { order_id: order.id } });
  // @ts-expect-error A deletion is idempotent, so it has no key.
  await shop.send('DELETE /products/{id}', { path: { id: order.id }, idempotencyKey: 'mine' });
  // @ts-expect-error A list has no version.
  await shop.send('GET /orders', { ifNoneMatch: 1 });
  // @ts-expect-error The result may be an error without data.
  (await shop.send('GET /orders')).data;
  // @ts-expect-error An order has no such field.
  order.price;
};
