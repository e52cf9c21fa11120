import { expect } from 'chai';
import { exampleId } from '#adapters/wire/codecs.ts';
import { type Served, serve } from '../../docs/served.ts';
import { Client, type Json } from '../support/client.ts';
import { document, type Operation, operations } from '../support/described.ts';
import { receiverUrl } from '../support/webhooks.ts';

/**
 * The kinds whose example ids are not in the demonstration, and others where an operation needs another one: a user with orders
 * cannot be deleted, nor the last item of an order.
 */
const kinds = [
  'user',
  'order',
  'order-item',
  'payment',
  'refund',
  'review',
  'api-key',
  'stock-change',
  'erasure',
  'capture',
  'idempotency-key',
  'webhook-endpoint',
  'webhook-secret',
  'webhook-delivery',
] as const;
type Ids = Readonly<Partial<Record<(typeof kinds)[number], string>>>;

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: Json;
}

/**
 * Lists whose example of a cursor is genuine, but not of the demonstration, and the status that it gets: another feed has that of the
 * feed, and no endpoint of webhooks has the example id.
 */
const elsewhere: Readonly<Record<string, number>> = {
  '/v1/events': 410,
  '/v1/webhook-endpoints/{endpoint_id}/secrets': 404,
};

/** Requests whose example has a field that staff or administrators write. */
const isForStaff: ReadonlySet<string> = new Set(['PATCH /v1/api-keys/{id}', 'PATCH /v1/users/{user_id}']);

/** Requests that need a user without orders or payments that are under way. */
const removals: ReadonlySet<string> = new Set(['DELETE /v1/users/{user_id}', 'POST /v1/erasures']);

/** Requests that change what the demonstration has, or add what it can have once, such as an e-mail address or a review. */
const changesDemonstration = /^(POST|PUT|PATCH|DELETE) \/v1\/(products|users|reviews|erasures|orders\/)/;

/** Every example in the document is sent to a server with the demonstration. */
describe('The examples of the OpenAPI document', () => {
  let shop: Served;
  let customer: Client;
  let admin: Client;

  const open = async (): Promise<void> => {
    shop = await serve();
    const keys = (await (await fetch(`${shop.url}/docs/keys.json`)).json()) as Json;
    customer = new Client(() => shop.apiUrl, keys.customer);
    admin = new Client(() => shop.apiUrl, keys.admin);
  };
  const bodyOf = ({ requestBody }: Operation): Json => requestBody?.content['application/json'].example;
  const operationOf = (target: string): Operation => {
    const found = operations.find((one) => one.target === target);
    if (found === undefined) throw new Error(`There is no ${target}.`);
    return found;
  };

  const withIds = (text: string, ids: Ids): string =>
    kinds.reduce(
      (result, kind) => result.replaceAll(exampleId(kind), ids[kind] ?? exampleId(kind)),
      // No test reaches beyond this machine, and an endpoint is sent to at once.
      text.replaceAll('https://example.com/webhooks', receiverUrl),
    );

  /** Sends the example of a body. @returns the id of what it created */
  const create = async (by: Client, target: string, ids: Ids = {}): Promise<string> => {
    const body = JSON.parse(withIds(JSON.stringify(bodyOf(operationOf(target))), ids));
    const path = withIds(
      target
        .replace('POST ', '')
        .replace('{order_id}', exampleId('order'))
        .replace('{endpoint_id}', exampleId('webhook-endpoint')),
      ids,
    );
    const response = await by.post(path, body, { 'Idempotency-Key': crypto.randomUUID() });
    expect(response.status, `${target} ${response.text}`).to.equal(201);
    return response.body.data.id;
  };

  /** @returns the id of a payment whose money is taken later */
  const authorize = async (): Promise<string> => {
    const body = {
      order_id: await create(customer, 'POST /v1/orders'),
      payment_method: 'tok_ok',
      capture: 'manual',
    };
    const response = await admin.post('/v1/payments', body, { 'Idempotency-Key': crypto.randomUUID() });
    return response.body.data.id;
  };

  const itemOf = async (order: string): Promise<string> =>
    (await customer.get(`/v1/orders/${order}/items`)).body.data[0].id;

  /** A webhook endpoint with two secrets and a delivery. */
  const createWebhooks = async (): Promise<Ids> => {
    const ids = { 'webhook-endpoint': await create(admin, 'POST /v1/webhook-endpoints') };
    return {
      ...ids,
      'webhook-secret': await create(admin, 'POST /v1/webhook-endpoints/{endpoint_id}/secrets', ids),
      'webhook-delivery': await create(admin, 'POST /v1/webhook-deliveries', ids),
    };
  };

  /** A user has one review of the product of all these orders. @returns its id */
  const review = async (item: string): Promise<string> => {
    const query = new URLSearchParams({ product_id: exampleId('product'), user_id: exampleId('user') });
    const [written] = (await customer.get(`/v1/reviews?${query}`)).body.data;
    return written?.id ?? (await create(customer, 'POST /v1/reviews', { 'order-item': item }));
  };

  /** What only some operations ask for. */
  const more: readonly (readonly [path: RegExp, create: () => Promise<Ids>])[] = [
    [
      /\/v1\/captures\/\{id\}$/,
      async () => ({ capture: await create(admin, 'POST /v1/captures', { payment: await authorize() }) }),
    ],
    [
      /\/v1\/idempotency-keys\/\{id\}$/,
      async () => ({ 'idempotency-key': (await customer.get('/v1/idempotency-keys')).body.data[0].id }),
    ],
    [
      /\/v1\/erasures\/\{id\}$/,
      async () => ({
        erasure: await create(admin, 'POST /v1/erasures', { user: await create(admin, 'POST /v1/users') }),
      }),
    ],
    [/\/v1\/webhook-/, createWebhooks],
  ];

  /** What the example ids stand for: a pending order, a payment that can be refunded, and so on, all from examples. */
  const createAll = async (target: string): Promise<Ids> => {
    const paid = await create(customer, 'POST /v1/orders');
    const refunded = await create(customer, 'POST /v1/orders');
    const payment = await create(customer, 'POST /v1/payments', { order: paid });
    const other = await create(customer, 'POST /v1/payments', { order: refunded });
    const item = await itemOf(paid);
    let ids: Ids = {
      ...(removals.has(target) && { user: await create(admin, 'POST /v1/users') }),
      ...(target === 'POST /v1/reviews' && { 'order-item': item }),
      ...(target === 'DELETE /v1/orders/{order_id}/items/{item_id}' && {
        'order-item': await create(customer, 'POST /v1/orders/{order_id}/items'),
      }),
      payment: target === 'POST /v1/captures' ? await authorize() : payment,
      refund: await create(admin, 'POST /v1/refunds', { payment: other }),
      review: target === 'POST /v1/reviews' ? '' : await review(item),
      'api-key': await create(customer, 'POST /v1/api-keys'),
      'stock-change': await create(admin, 'POST /v1/stock-changes'),
    };
    for (const [path, createMore] of more)
      if (target === 'reads' || path.test(target)) ids = { ...ids, ...(await createMore()) };
    return ids;
  };

  const exampleIn = ({ schema }: Parameter): string | undefined => {
    const value = schema.examples?.[0] ?? schema.example;
    return value === undefined ? undefined : `${value}`;
  };

  /** Sends a request with the examples of these parameters, of the path and of the body. */
  const send = async (
    operation: Operation,
    ids: Ids,
    parameters: readonly Parameter[],
    type = 'application/json',
  ) => {
    const given = (place: Parameter['in']) =>
      parameters.flatMap((one) => {
        const value = one.in === place ? exampleIn(one) : undefined;
        return value === undefined ? [] : [[one.name, withIds(value, ids)] as [string, string]];
      });
    const query = new URLSearchParams(given('query')).toString();
    const path = given('path').reduce((text, [name, id]) => text.replace(`{${name}}`, id), operation.path);
    const body = operation.requestBody?.content[type]?.example;
    const isForCustomers =
      operation['x-required-role'] === 'customer' && !isForStaff.has(`${operation.method} ${operation.path}`);
    const client = isForCustomers ? customer : admin;
    return client.send(
      operation.method,
      query === '' ? path : `${path}?${query}`,
      body && withIds(JSON.stringify(body), ids),
      { ...(body && { 'Content-Type': type }), ...Object.fromEntries(given('header')) },
    );
  };

  /** Which examples are sent together. */
  const casesOf = (operation: Operation) => {
    const parameters = operation.parameters as readonly Parameter[];
    const needed = parameters.filter(({ in: place, required }) => place === 'path' || required);
    const isElsewhere = (name: string) => operation.path in elsewhere && name === 'cursor';
    const optional = parameters.filter(
      (one) => !needed.includes(one) && exampleIn(one) !== undefined && !isElsewhere(one.name),
    );
    // A cursor belongs to a list with its filters, and the example to the list without.
    const query = optional.filter((one) => one.in === 'query' && one.name !== 'cursor');
    const page = optional.filter(({ name }) => name === 'limit' || name === 'cursor');
    const cases: (readonly [what: string, parameters: readonly Parameter[], type?: string])[] = [
      ...(operation.requestBody === undefined ? [['alone', needed] as const] : []),
      ...optional.map((one) => [`with ${one.name}`, [...needed, one]] as const),
      ...(query.length > 1 ? [['with all filters', [...needed, ...query]] as const] : []),
      ...(page.length > 0 ? [['with limit and cursor', [...needed, ...page]] as const] : []),
      ...Object.keys(operation.requestBody?.content ?? {}).map(
        (type) => [`as ${type}`, needed, type] as const,
      ),
    ];
    return { cases, needed };
  };

  const sendAll = async (operation: Operation, idsOf: (index: number) => Promise<Ids>): Promise<void> => {
    for (const [index, [what, given, type]] of casesOf(operation).cases.entries()) {
      const response = await send(operation, await idsOf(index), given, type);
      expect(response.status, `${what}: ${response.text}`).to.be.below(400);
    }
  };

  describe('of reads, of one shop,', () => {
    let ids: Ids;
    before(async () => {
      await open();
      ids = await createAll('reads');
    });
    after(() => shop.close());

    for (const operation of operations) {
      // No request creates a dispute, or an event by its id.
      if (operation.method !== 'GET' || /\/v1\/(disputes|events)\/\{id\}$/.test(operation.path)) continue;
      it(`are accepted by ${operation.target}`, () => sendAll(operation, async () => ids));
    }
  });

  describe('of changes', () => {
    beforeEach(open);
    afterEach(() => shop.close());

    for (const operation of operations) {
      if (operation.method === 'GET') continue;
      const needsNewShop =
        changesDemonstration.test(operation.target) ||
        casesOf(operation).needed.some(({ name }) => name === 'Idempotency-Key');
      it(`are accepted by ${operation.target}`, () =>
        sendAll(operation, async (index) => {
          if (index > 0 && needsNewShop) await shop.close().then(open);
          return createAll(operation.target);
        }));
    }
  });

  describe('of the demonstration', () => {
    beforeEach(open);
    afterEach(() => shop.close());

    it('stand for things of the demonstration where they can be pasted as they are', async () => {
      for (const [by, target] of [
        [customer, 'POST /v1/orders'],
        [customer, 'POST /v1/orders/{order_id}/items'],
        [customer, 'POST /v1/payments'],
        [admin, 'POST /v1/products'],
        [admin, 'POST /v1/users'],
        [customer, 'POST /v1/api-keys'],
        [admin, 'POST /v1/api-keys'],
      ] as const)
        await create(by, target);
      const order = `/v1/orders/${exampleId('order')}`;
      for (const path of [
        `/v1/products/${exampleId('product')}`,
        `/v1/users/${exampleId('user')}`,
        order,
        `${order}/items/${exampleId('order-item')}`,
      ])
        expect((await customer.get(path)).status, path).to.equal(200);
    });

    it('show links whose cursors belong to their lists', async () => {
      let count = 0;
      for (const { path, responses } of operations) {
        const { pagination, links } = responses[200]?.content?.['application/json'].example ?? {};
        if ((links?.next ?? null) === null) continue;
        const url = new URL(links.next, 'http://shop.test');
        expect(url.searchParams.get('cursor'), path).to.equal(pagination.next_cursor);
        const response = await admin.get(links.next);
        expect(response.status, response.text).to.equal(elsewhere[path] ?? 200);
        count += 1;
      }
      expect(count).to.be.above(8);
    });
  });

  it('are not in the past', () => {
    const { example } = document.paths['/v1/api-keys'].post.requestBody.content['application/json'];
    expect(Date.parse(example.expires_at)).to.be.above(Date.parse('2050-01-01'));
  });
});
