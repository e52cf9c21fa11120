import { randomUUID } from 'node:crypto';
import BetterSqlite3 from 'better-sqlite3';
import pg from 'pg';
import { tables } from '#adapters/persistence/schema/entities/all.ts';
import { startApp } from '#bootstrap/composition/app.ts';
import { openStore } from '#bootstrap/composition/ports/open-store.ts';
import { type Config, readConfig } from '#bootstrap/config/config.ts';
import type { ApiKeyId } from '#domain/api-key.ts';
import { Capture } from '#domain/capture.ts';
import { Dispute, type DisputeDetails } from '#domain/dispute.ts';
import type { OrderId } from '#domain/order.ts';
import type { PaymentId } from '#domain/payment.ts';
import type { UserId } from '#domain/user.ts';
import { Client, type Json } from '../http/support/client.ts';
import { IdentityProvider } from '../http/support/identity-provider.ts';
import { newId } from '../support/machine.ts';
import { until } from '../support/until.ts';

const operatorKey = 'an-operator-key-that-is-long-enough-for-all';

/** Leaves out partitions, whose names change from day to day, and the catalogue. */
const isLasting = (text: string): boolean =>
  /^(select|insert|update|delete|with)\b/.test(text) && !/idempotency_keys_\d|pg_|mikro_orm/.test(text);

/** The tables to which no statement adds rows, and the filters by which none reads. A record must hold all of them. */
export const missingIn = (recorded: readonly string[]): readonly string[] => {
  const statements = recorded.map((text) => text.replaceAll('"', ''));
  return Object.values(tables).flatMap(({ name, filters }) => {
    const isWritten = statements.some((text) => text.startsWith(`insert into ${name} `));
    const reads = statements.filter((text) => text.includes(` from ${name} where `));
    const unread = Object.values<string>(filters).filter(
      (column) => !reads.some((text) => text.includes(` ${column} = `)),
    );
    return [...(isWritten ? [] : [name]), ...unread.map((column) => `${name} by ${column}`)];
  });
};

/** Records the statements that Portico sends while every kind of resource is created, read, changed and deleted. */
export const statementTexts = async (url: string): Promise<readonly string[]> => {
  const provider = new IdentityProvider();
  await provider.start();
  const config = readConfig({
    JWT_ISSUER: provider.issuer,
    JWT_AUDIENCE: provider.audience,
    JWT_JWKS_URL: provider.keysUrl,
    JWT_PROVISION: '1',
    DATABASE_URL: url,
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    ADMIN_API_KEY: operatorKey,
    PORT: '0',
    OPS_PORT: '0',
    RECONCILE_AFTER_MS: '500',
    ORDER_TTL_MINUTES: '15',
    LOG_LEVEL: 'silent',
  });
  // The first start migrates, and its statements need not run again.
  await (await startApp(config)).close(0);
  const said = new Set<string>();
  const stop = listen((text) => {
    const statement = text.trim();
    if (isLasting(statement)) said.add(statement);
  });
  try {
    let ahead = 0;
    const passOrders = () => {
      ahead = 16 * 60_000;
    };
    const app = await startApp(config, { timing: { erasureQuietMs: 100, clockAhead: () => ahead } });
    const token = await provider.token({ sub: '1', email: 'eve@example.com', email_verified: true });
    await doEverything((key) => new Client(() => app.url, key), token, passOrders).finally(() =>
      app.close(0),
    );
    await readWithoutLists(config);
  } finally {
    stop();
    await provider.stop();
  }
  return [...said].sort();
};

/** What no request does: `portico keys revoke ID --children`, and reads of some collections by their filters. */
const readWithoutLists = async ({ database }: Config): Promise<void> => {
  const { unitOfWork, close } = await openStore(database);
  const id = randomUUID() as ApiKeyId;
  await unitOfWork.run(async ({ apiKeys, identities, erasures, payments, captures, disputes, reviews }) => {
    const [payment] = (await payments.page({}, { limit: 1 })).rows;
    if (payment === undefined) throw new Error('No order was paid.');
    const dispute: DisputeDetails = {
      ...{ amount: payment.amount, reason: 'fraudulent', status: 'won', evidenceDueAt: null },
      providerReference: 'dp_1',
    };
    await captures.add(Capture.begin(newId(), payment, payment.amount, payment.createdAt));
    await disputes.add(Dispute.open(newId(), payment, dispute, payment.createdAt));
    for (const filter of [{ paymentId: newId<PaymentId>() }, { userId: newId<UserId>() }])
      await captures.page(filter, { limit: 1 });
    const ofDisputes = [
      { paymentId: newId<PaymentId>() },
      { orderId: newId<OrderId>() },
      { status: 'lost' as const },
    ];
    for (const filter of ofDisputes) await disputes.page(filter, { limit: 1 });
    await erasures.page({ userId: newId() }, { limit: 1 });
    await identities.page({ userId: newId() }, { limit: 1 });
    await identities.page({ key: '' }, { limit: 1 });
    await reviews.page({ userProduct: '' }, { limit: 1 });
    await apiKeys.lockBy('createdBy', [id]);
    await apiKeys.page({ createdBy: id }, { limit: 1 });
  });
  await close();
};

/** Records the statements handed to the drivers. @returns the function that stops it */
const listen = (hear: (text: string) => void): (() => void) => {
  const { prototype: sqlite } = BetterSqlite3;
  const { prototype: postgres } = pg.Client;
  const [prepare, query] = [sqlite.prepare, postgres.query];
  sqlite.prepare = function (this: BetterSqlite3.Database, text: string) {
    hear(text);
    return prepare.call(this, text);
  } as typeof prepare;
  postgres.query = function (this: pg.Client, ...given: [unknown]) {
    const [first] = given;
    const { text } = typeof first === 'string' ? { text: first } : (first as { text?: string });
    hear(text ?? '');
    return Reflect.apply(query, this, given);
  } as typeof query;
  return () => {
    sqlite.prepare = prepare;
    postgres.query = query;
  };
};

/**
 * @param token of a person who is to be signed up
 * @param passOrders lets the time pass within which an order must be paid
 */
const doEverything = async (
  clientWith: (key: string) => Client,
  token: string,
  passOrders: () => void,
): Promise<void> => {
  const client = clientWith(operatorKey);
  const sent = async (method: string, path: string, body?: unknown): Promise<Json> => {
    const key = method === 'GET' || method === 'DELETE' ? {} : { 'Idempotency-Key': randomUUID() };
    const { status, text, body: response } = await client.send(method, `/v1${path}`, body, key);
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
    return response?.data;
  };
  const made = (path: string, body: unknown) => sent('POST', path, body);
  const price = { amount: 450, currency: 'EUR' };
  const product = await made('/products', { name: 'Tea', price, sku: 'TEA', stock: 100, tags: ['tea'] });
  const user = await made('/users', { email: 'ada@example.com', name: 'Ada' });
  const apiKey = await made('/api-keys', { user_id: user.id, name: 'Laptop' });
  const other = await made('/products', { name: 'Mate', price, stock: 100 });
  const items = [product, other].map(({ id }) => ({ product_id: id, quantity: 1 }));
  const paid = await made('/orders', items[0]);
  const left = await made('/orders', { items });
  const address = { name: 'Ada', line1: 'Herrengasse 1', city: 'Wien', country: 'AT' };
  const details = {
    shipping_address: address,
    billing_address: address,
    note: 'Ring.',
    metadata: { a: '1' },
  };
  await sent('PATCH', `/orders/${paid.id}`, { ...details, shipping: price, external_id: 'ERP-1' });
  const payment = await made('/payments', { order_id: paid.id, payment_method: 'tok_ok' });
  const [item] = await sent('GET', `/orders/${paid.id}/items`);
  await sent('GET', `/orders/${paid.id}/items/${item.id}`);
  const review = await made('/reviews', { item_id: item.id, rating: 5 });
  await made('/stock-changes', { product_id: product.id, change: 1 });
  await made('/refunds', { payment_id: payment.id, amount: { amount: 100, currency: 'EUR' } });
  for (const list of [
    ...[
      '/products',
      '/products?sku=TEA',
      '/products?status=active',
      '/products?q=tea',
      '/products?tag=tea&q=te+tea&status=active&sort=-id',
      '/products?q=tea&sku=TEA',
      '/products?stock_below=5',
      '/products?stock_below=5&q=tea&status=active',
      '/users',
      '/users?email=ada@example.com',
      '/users?role=customer',
      '/users?external_id=ada',
    ],
    ...[
      '/orders',
      `/orders?user_id=${user.id}`,
      '/orders?status=paid',
      `/users/${user.id}/orders`,
      '/api-keys',
    ],
    ...[
      '/reviews',
      `/reviews?item_id=${item.id}`,
      `/reviews?product_id=${product.id}`,
      '/payments',
      '/refunds',
    ],
    ...[
      '/orders?sort=-id',
      '/orders?expand=items,payments,user',
      '/payments?expand=order,refunds',
      '/refunds?expand=payment',
      '/reviews?expand=product',
      `/orders?number=${paid.number}`,
      '/orders?external_id=ERP-1',
      '/payments?status=succeeded',
    ],
    ...['/orders', '/payments', '/refunds', '/reviews', '/users'].map(
      (list) => `${list}?created_from=2026-01-01T00:00:00Z&created_before=2999-01-01T00:00:00Z&sort=-id`,
    ),
    '/orders?paid_from=2026-01-01T00:00:00Z&paid_before=2999-01-01T00:00:00Z&sort=-id',
    `/api-keys?user_id=${user.id}`,
    ...[`/payments?order_id=${paid.id}`, `/refunds?payment_id=${payment.id}`, `/reviews?user_id=${user.id}`],
    ...['/stock-changes', `/stock-changes?product_id=${product.id}`],
  ]) {
    await sent('GET', list);
    const { body } = await client.get(`/v1${list}${list.includes('?') ? '&' : '?'}limit=1`);
    if (body.links.next !== null) await client.get(body.links.next);
  }
  await sent('GET', `/sales?from=${paid.created_at}`);
  await sendWebhooks(sent);
  const signedUp = await clientWith(token).get('/v1/products');
  if (signedUp.status !== 200) throw new Error(`A token: ${signedUp.status} ${signedUp.text}`);
  // Customers see only what is theirs.
  const customer = clientWith(apiKey.token);
  for (const list of ['/orders', '/payments', '/refunds', '/api-keys']) await customer.get(`/v1${list}`);
  await sent('PATCH', `/products/${product.id}`, { stock: 50 });
  await sent('PATCH', `/users/${user.id}`, { name: 'Ada L.' });
  await sent('PATCH', `/api-keys/${apiKey.id}`, { name: 'Till', rate_limit: 1_000 });
  await sent('PATCH', `/reviews/${review.id}`, { rating: 4 });
  passOrders();
  await until(
    () => sent('GET', `/orders/${left.id}`),
    ({ status }) => status === 'canceled',
  );
  await eraseCustomer(sent, product.id);
  await sent('DELETE', `/reviews/${review.id}`);
  await sent('DELETE', `/api-keys/${apiKey.id}`);
  await sent('DELETE', `/users/${user.id}`);
  for (const { id } of [product, other]) await sent('DELETE', `/products/${id}`);
};

/** An endpoint that is disabled, so that nothing is sent, and a delivery to it. */
const sendWebhooks = async (
  sent: (method: string, path: string, body?: unknown) => Promise<Json>,
): Promise<void> => {
  const endpoint = await sent('POST', '/webhook-endpoints', { url: 'https://localhost:8443/webhooks' });
  const path = `/webhook-endpoints/${endpoint.id}`;
  await sent('PATCH', path, { status: 'disabled' });
  await sent('POST', `${path}/secrets`, {});
  const delivery = await sent('POST', '/webhook-deliveries', {
    endpoint_id: endpoint.id,
    event_type: 'order.paid',
  });
  await sent('PATCH', path, { status: 'enabled', position: 0 });
  for (const list of [
    ...['/webhook-endpoints', `${path}/secrets`, `/webhook-deliveries?event_id=${delivery.event_id}`],
    ...[`/webhook-deliveries?endpoint_id=${endpoint.id}`, '/webhook-deliveries?status=pending'],
  ])
    await sent('GET', list);
  await sent('DELETE', path);
};

/** Erases a user who has something in each collection. */
const eraseCustomer = async (
  sent: (method: string, path: string, body?: unknown) => Promise<Json>,
  productId: string,
): Promise<void> => {
  const user = await sent('POST', '/users', { email: 'grace@example.com', name: 'Grace' });
  await sent('POST', '/api-keys', { user_id: user.id, name: 'Laptop' });
  const order = () =>
    sent('POST', '/orders', { product_id: productId, quantity: 1, user_id: user.id, note: 'Ring' });
  const [paid] = [await order(), await order()];
  const payment = await sent('POST', '/payments', { order_id: paid.id, payment_method: 'tok_ok' });
  await sent('PATCH', `/payments/${payment.id}`, { metadata: { till: '1' } });
  const amount = { amount: 100, currency: 'EUR' };
  await sent('POST', '/refunds', { payment_id: payment.id, amount, reason: 'Broken' });
  await sent('PATCH', `/orders/${paid.id}`, { status: 'fulfilled' });
  const { id } = await sent('POST', '/erasures', { user_id: user.id });
  await sent('GET', '/erasures');
  await until(
    () => sent('GET', `/erasures/${id}`),
    ({ status }) => status === 'completed',
  );
};
