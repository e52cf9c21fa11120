import { showEvents } from '#adapters/http/v1/webhook-bodies.ts';
import { webhookDeliveries } from '#application/webhooks/deliveries.ts';
import { tokens } from '#bootstrap/composition/tokens.ts';
import type { StoreKindName } from '#bootstrap/config/store-kinds.ts';
import { startReceiver } from '../adapters/webhooks/receiver.ts';
import { aProduct } from '../contracts/samples.ts';
import type { Json } from '../http/support/client.ts';
import type { Shop } from './shop.ts';
import type { Costs } from './table.ts';

/** Something that Portico does, and that costs the same each time. */
export interface Operation {
  /** What comes before it and is not counted. @returns what it works on */
  prepare(): Promise<Json>;
  /** @returns the bytes that it sent to the client, or to the receiver of a webhook */
  run(prepared: Json): Promise<number>;
  /** Figures that were not equal in ten runs, by kind of store. They are left out of the table. */
  readonly uncertain?: Readonly<Partial<Record<StoreKindName, readonly (keyof Costs)[]>>>;
}

const euros = (amount: number): Json => ({ amount, currency: 'EUR' });
const nothing = async (): Promise<undefined> => undefined;

/** The operations whose costs are held in the table, by name. */
export const operationsOf = async (
  shop: Shop,
  cleanUp: AsyncDisposableStack,
): Promise<Record<string, Operation>> => {
  const { send, change, newKey } = shop;
  const created = async (path: string, body: Json): Promise<Json> =>
    (await change('POST', path, body)).body.data;
  const newProduct = (): Promise<Json> => created('/v1/products', { name: 'Tea', price: euros(350) });
  const itemOf = (product: Json): Json => ({ product_id: product.id, quantity: 1 });

  const products: Json[] = [];
  for (let count = 0; count < 21; count += 1) products.push(await newProduct());
  const [first] = products;
  for (let count = 0; count < 21; count += 1) await created('/v1/orders', itemOf(first));
  await addEvents(shop);

  const place = (body: Json, key?: string) => change('POST', '/v1/orders', body, key);
  const newOrder = async (): Promise<Json> => (await place(itemOf(first))).body.data;
  const pay = (order: Json) =>
    change('POST', '/v1/payments', { order_id: order.id, payment_method: 'tok_ok' }, newKey());

  const read = (path: string): Operation => ({
    prepare: nothing,
    run: async () => (await send('GET', path)).bytes,
  });

  return {
    'a product': read(`/v1/products/${first.id}`),
    'a page of twenty products': read('/v1/products?limit=20'),
    'an event of the feed': read('/v1/events?limit=1'),
    'a page of twenty orders': read('/v1/orders?limit=20'),
    'a page of a day in which no order was paid': read(
      '/v1/orders?paid_from=2001-03-25T00:00:00Z&paid_before=2001-03-26T00:00:00Z',
    ),
    'the sales of two days in which nothing was sold': read(
      '/v1/sales?from=2001-03-24T23:00:00Z&days=2&time_zone=Europe/Vienna',
    ),
    'an order': { prepare: nothing, run: async () => (await place(itemOf(first))).bytes },
    'an order with an idempotency key': {
      prepare: async () => newKey(),
      run: async (key) => (await place(itemOf(first), key)).bytes,
    },
    'an order of five products': {
      prepare: async () => newKey(),
      run: async (key) => (await place({ items: products.slice(0, 5).map(itemOf) }, key)).bytes,
    },
    'a payment': { prepare: newOrder, run: async (order) => (await pay(order)).bytes },
    'a refund': {
      prepare: async () => (await pay(await newOrder())).body.data,
      run: async ({ id }) => (await change('POST', '/v1/refunds', { payment_id: id }, newKey())).bytes,
    },
    'a delivery of a webhook': await delivery(shop, newProduct, cleanUp),
    'the erasure of a user with a fulfilled and a pending order': erasure(shop, {
      created,
      order: itemOf(first),
    }),
  };
};

/** So many that the numbers of all later ones have as many digits. A store that numbers events sends them to its database. */
const firstEvents = 1_000;

const addEvents = async ({ container }: Shop): Promise<void> => {
  const store = await container.getAsync(tokens.store);
  if (store.numberEvents === undefined) return;
  const unitOfWork = await container.getAsync(tokens.unitOfWork);
  const all = Array.from({ length: firstEvents }, () => aProduct());
  await unitOfWork.run(({ products }) => products.addAll(all));
  while ((await store.numberEvents()).hasMore);
};

/** One event, from the feed to the receiver and back into the database. */
const delivery = async (
  { container, application, change }: Shop,
  newProduct: () => Promise<Json>,
  cleanUp: AsyncDisposableStack,
): Promise<Operation> => {
  const receiver = await startReceiver();
  cleanUp.defer(() => receiver.close());
  const { body } = await change('POST', '/v1/webhook-endpoints', {
    url: `http://127.0.0.1:${receiver.port}/`,
    event_types: ['product.created'],
  });
  const observer = {
    ...{ attempted: () => undefined, disabled: () => undefined, lost: () => undefined },
    ...{ lag: () => undefined, failing: () => undefined, warn: () => undefined },
  };
  const steps = webhookDeliveries({
    unitOfWork: application.unitOfWork,
    clock: await container.getAsync(tokens.clock),
    newId: await container.getAsync(tokens.newId),
    sender: await container.getAsync(tokens.webhookSender),
    box: await container.getAsync(tokens.secretBox),
    ...{ show: showEvents, observer, disableAfterHours: 120, random: () => 0 },
  });
  const bytesRead = () => receiver.opened.reduce((sum, socket) => sum + socket.bytesRead, 0);
  const { signal } = new AbortController();

  return {
    prepare: newProduct,
    run: async () => {
      const before = bytesRead();
      const enabledEndpoints = await steps.enabledEndpoints();
      const endpoint = enabledEndpoints.find(({ endpoint: { id } }) => id === body.data.id)?.endpoint;
      if (endpoint === undefined) throw new Error('The endpoint is not enabled.');
      // What other operations have recorded meanwhile is passed over.
      while ((await steps.enqueue(endpoint, await steps.feed(), false)).hasMore);
      const [due] = await steps.ready(endpoint, 1);
      const ended = due && (await steps.attempt(endpoint, due, signal));
      if (ended?.attempt?.error !== null) throw new Error('The delivery has failed.');
      await steps.record(endpoint, [ended]);
      return bytesRead() - before;
    },
  };
};

interface Erased {
  readonly created: (path: string, body: Json) => Promise<Json>;
  /** The body of an order. */
  readonly order: Json;
}

let users = 0;

const erasure = ({ application, change, send, newKey }: Shop, { created, order }: Erased): Operation => ({
  prepare: async () => {
    users += 1;
    const account = { email: `user-${users + 10_000}@example.com`, name: 'Ada', role: 'customer' };
    const user = await created('/v1/users', account);
    const key = (await send('POST', '/v1/api-keys', { user_id: user.id, name: 'Test' })).body.data;
    for (const isPaid of [true, false]) {
      const { data } = (await change('POST', '/v1/orders', order, newKey(), key.token)).body;
      const payment = { order_id: data.id, payment_method: 'tok_ok' };
      if (!isPaid) continue;
      await change('POST', '/v1/payments', payment, newKey(), key.token);
      await change('PATCH', `/v1/orders/${data.id}`, { status: 'fulfilled' });
    }
    return (await send('POST', '/v1/erasures', { user_id: user.id })).body.data;
  },
  run: async () => {
    const { done, errors } = await application.backgroundJobs.eraseUsers();
    if (done !== 1 || errors.length > 0) throw new AggregateError(errors, 'The user was not erased.');
    return 0;
  },
  // One of its values is now and then shorter.
  uncertain: { mariadb: ['bytesToDatabase', 'callsOfPackages'] },
});
