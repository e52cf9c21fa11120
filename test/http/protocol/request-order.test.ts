import { expect } from 'chai';
import { Client, type Json } from '../support/client.ts';
import { describeService, type Service } from '../support/service.ts';
import { newOrder, newProduct, nowhere } from '../support/shop.ts';
import { errorOnTheWire, requestText } from '../support/wire.ts';

/** A valid request that cancels an order. */
const right = {
  known: true,
  spent: false,
  scoped: true,
  prefix: '/v1',
  collection: 'orders',
  method: 'PATCH',
  type: 'application/json',
  body: '{"status":"canceled"}',
  key: '',
  exists: true,
  mine: true,
  open: true,
  ifMatch: '',
};

type Request = typeof right;

interface InvalidPart {
  /** Its place in the contract's order. */
  readonly place: number;
  readonly wrong: Partial<Request>;
  readonly meaning: string;
}

const usedKey = 'used-before';

const faults: Readonly<Record<string, InvalidPart>> = {
  'no credential': { place: 1, wrong: { known: false }, meaning: '401 UNAUTHORIZED' },
  'an exhausted rate limit': { place: 2, wrong: { spent: true }, meaning: '429 RATE_LIMITED' },
  'no version': { place: 3, wrong: { prefix: '' }, meaning: '307 ' },
  'an unknown path': { place: 4, wrong: { collection: 'order' }, meaning: '404 NOT_FOUND' },
  'an unsupported method': { place: 4, wrong: { method: 'POST' }, meaning: '405 METHOD_NOT_ALLOWED' },
  'a missing scope': { place: 5, wrong: { scoped: false }, meaning: '403 FORBIDDEN' },
  'a broken body': { place: 6, wrong: { body: '{' }, meaning: '400 BAD_REQUEST' },
  'a body that is too large': {
    place: 6,
    wrong: { body: ' '.repeat(102_401) },
    meaning: '413 PAYLOAD_TOO_LARGE',
  },
  'an unsupported media type': {
    place: 6,
    wrong: { type: 'text/json' },
    meaning: '415 UNSUPPORTED_MEDIA_TYPE',
  },
  'an unknown status': { place: 6, wrong: { body: '{"status":1}' }, meaning: '422 VALIDATION_ERROR' },
  'an invalid idempotency key': { place: 7, wrong: { key: 'a b' }, meaning: '400 IDEMPOTENCY_KEY_INVALID' },
  'a reused idempotency key': { place: 7, wrong: { key: usedKey }, meaning: '422 IDEMPOTENCY_KEY_REUSED' },
  'an unknown order': { place: 8, wrong: { exists: false }, meaning: '404 NOT_FOUND' },
  'the order of another user': { place: 9, wrong: { mine: false }, meaning: '403 FORBIDDEN' },
  'a stale version': { place: 10, wrong: { ifMatch: '"99"' }, meaning: '412 PRECONDITION_FAILED' },
  'a closed order': { place: 10, wrong: { open: false }, meaning: '409 INVALID_STATE' },
};

const limit = 300;

/** A window that does not end during the test. */
const settings = { RATE_LIMIT_MAX: `${limit}`, RATE_LIMIT_WINDOW_SECONDS: '3600' };

describeService('A request with two errors', settings, (service) => {
  let scene: Scene;
  before(async () => {
    scene = await setScene(service);
  });

  const meet = async (wrong: Partial<Request>): Promise<string> => {
    const { known, method, prefix, collection, body, type, key, ifMatch, ...rest } = { ...right, ...wrong };
    const order = rest.exists ? scene.orders[`${rest.mine} ${rest.open}`] : nowhere;
    const client = known ? scene.clients[`${rest.spent} ${rest.scoped}`] : service.stranger;
    const path = `${prefix}/${collection}/${order}`;
    const response = await client?.send(method, path, body, {
      'Content-Type': type,
      ...(key && { 'Idempotency-Key': key }),
      ...(ifMatch && { 'If-Match': ifMatch }),
    });
    return `${response?.status} ${response?.body?.error.code ?? ''}`;
  };

  for (const [name, { place, wrong, meaning }] of Object.entries(faults)) {
    it(`is rejected for ${name} before any later check`, async () => {
      expect(await meet(wrong), name).to.equal(meaning);
      for (const [other, later] of Object.entries(faults)) {
        if (later.place > place) {
          expect(await meet({ ...later.wrong, ...wrong }), `${name} and ${other}`).to.equal(meaning);
        }
      }
    });
  }

  it('is rejected for a duplicate header before its credential is checked', async () => {
    const twice = ['Authorization: Bearer one', 'Authorization: Bearer two'];
    const response = await errorOnTheWire(service.url, requestText('GET /v1/orders', twice));
    expect(response.status).to.equal(400);
  });

  it('is rejected for its query before its resource is read', async () => {
    const [owner] = Object.values(scene.clients);
    const response = await owner?.get(`/v1/orders/${nowhere}?page=2`);
    expect(response?.body.error).to.deep.include({ code: 'VALIDATION_ERROR' });
  });
});

interface Scene {
  /** By whether their limit is exhausted and whether they may write orders. */
  readonly clients: Readonly<Record<string, Client>>;
  /** By whether they are the caller's and whether they can be canceled. */
  readonly orders: Readonly<Record<string, string>>;
}

const setScene = async (service: Service): Promise<Scene> => {
  const product = await newProduct(service);
  const caller = await service.person('customer');
  const other = await service.person('customer');
  const keyOf = async (scopes: readonly string[]): Promise<Client> => {
    const { body } = await service.operator.post('/v1/api-keys', {
      user_id: caller.userId,
      name: 'Scene',
      scopes,
    });
    return new Client(() => service.url, body.data.token);
  };
  const clients = {
    'false true': caller,
    'false false': await keyOf(['orders:read']),
    'true true': await keyOf(['orders:write']),
    'true false': await keyOf(['orders:read']),
  };
  for (const spent of [clients['true true'], clients['true false']]) {
    await Promise.all(Array.from({ length: limit }, () => spent.get('/v1/none')));
    // A request that is shed on a busy machine counts for no limit.
    while ((await spent.get('/v1/none')).status !== 429);
  }
  const closed = async (buyer: Client): Promise<Json> => {
    const order = await newOrder(buyer, product);
    await buyer.patch(`/v1/orders/${order.id}`, { status: 'canceled' });
    return order;
  };
  const used = await caller.post(
    '/v1/orders',
    { product_id: product.id, quantity: 1 },
    { 'Idempotency-Key': usedKey },
  );
  expect(used.status).to.equal(201);
  return {
    clients,
    orders: {
      'true true': (await newOrder(caller, product)).id,
      'true false': (await closed(caller)).id,
      'false true': (await newOrder(other, product)).id,
      'false false': (await closed(other)).id,
    },
  };
};
