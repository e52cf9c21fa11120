import { expect } from 'chai';
import { orThrow, PorticoError } from '#adapters/http/client/index.ts';
import { describeServiceOnMemory } from '../http/support/service.ts';
import { newProduct, nowhere } from '../http/support/shop.ts';
import { Shop } from './shop.ts';

describeServiceOnMemory('The client', {}, (service) => {
  const shop = new Shop(service);

  it('sends requests by method and path, with ids, fields and filters', async () => {
    const staff = await shop.client('staff');
    const made = orThrow(
      await staff.send('POST /products', {
        body: { name: 'Tea', price: { amount: 350, currency: 'EUR' }, sku: 'TEA & CO/1', stock: 2.5 },
      }),
    );
    expect(made).to.include({ status: 201, etag: '"1"', replayed: false });
    expect(made.requestId).to.be.a('string');

    const { id } = made.data;
    const read = orThrow(await staff.send('GET /products/{id}', { path: { id } }));
    expect(read.data).to.deep.equal(made.data);
    const found = orThrow(await staff.send('GET /products', { query: { sku: 'TEA & CO/1', limit: 5 } }));
    expect(found.data).to.deep.equal([made.data]);
    expect(found.pagination).to.deep.equal({ next_cursor: null, has_more: false, limit: 5 });

    const changed = orThrow(
      await staff.send('PATCH /products/{id}', { path: { id }, body: { stock: null } }),
    );
    expect(changed.data).to.include({ stock: null, version: 2 });

    const { data: order } = orThrow(
      await staff.send('POST /orders', { body: { product_id: id, quantity: 1 }, query: { expand: 'items' } }),
    );
    expect(order.expanded?.items?.map(({ product_id }) => product_id)).to.deep.equal([id]);
    const one = { path: { order_id: order.id }, query: { expand: 'user' } } as const;
    const { data: owned } = orThrow(await staff.send('GET /orders/{order_id}', one));
    expect(owned.expanded?.user?.id).to.equal(order.user_id);
    const newest = orThrow(await staff.send('GET /orders', { query: { sort: '-id', expand: 'user,items' } }));
    expect(newest.data[0]?.expanded?.items_has_more).to.equal(undefined);
    const gone = orThrow(await staff.send('DELETE /products/{id}', { path: { id } }));
    expect(gone).to.include({ status: 204, data: undefined });
  });

  it('has the types of addresses, metadata and taxes', async () => {
    const staff = await shop.client('staff');
    const { id: product_id } = await newProduct(service, { tax_rate: 20 });
    const address = { name: 'Ada', line1: 'Herrengasse 1', city: 'Wien', country: 'AT' };
    const placed = orThrow(
      await staff.send('POST /orders', {
        body: { product_id, quantity: 1, shipping_address: address, metadata: { a: '1', b: '2' } },
      }),
    );
    const { city, phone } = placed.data.shipping_address ?? {};
    expect([city, phone]).to.deep.equal(['Wien', null]);
    expect(placed.data.taxes.map(({ rate, tax }) => [rate, tax.amount])).to.deep.equal([[20, 58]]);
    const changed = orThrow(
      await staff.send('PATCH /orders/{order_id}', {
        path: { order_id: placed.data.id },
        body: { shipping: { amount: 10 }, metadata: { a: null }, shipping_address: { city: 'Graz' } },
        ifMatch: placed.data.version,
      }),
    );
    expect(changed.data.metadata).to.deep.equal({ b: '2' });
    const lengths = Object.values(changed.data.metadata).map((text) => text.length);
    expect(lengths).to.deep.equal([1]);
  });

  it('returns an error with its code, invalid fields and request id', async () => {
    const customer = await shop.client();
    const { id } = await newProduct(service, { stock: 1 });
    const tooMany = await customer.send('POST /orders', { body: { product_id: id, quantity: 2 } });
    expect(tooMany.ok).to.equal(false);
    if (tooMany.ok) return;
    expect(tooMany.error).to.be.instanceOf(PorticoError);
    expect(tooMany.error).to.include({ code: 'OUT_OF_STOCK', status: 409, isFinal: true });
    expect(tooMany.error.requestId).to.be.a('string');

    const wrong = await customer.send('POST /orders', { body: { product_id: id, quantity: -1 } });
    expect(wrong).to.have.nested.property('error.code', 'VALIDATION_ERROR');
    expect(wrong).to.have.nested.property('error.details[0].field', 'quantity');
  });

  it('throws the error with orThrow', async () => {
    const customer = await shop.client();
    const answer = await customer.send('GET /orders/{order_id}', { path: { order_id: nowhere } });
    expect(() => orThrow(answer))
      .to.throw(PorticoError)
      .with.property('code', 'NOT_FOUND');
  });

  it('changes only the version in ifMatch', async () => {
    const staff = await shop.client('staff');
    const { id, version } = await newProduct(service);
    const change = () =>
      staff.send('PATCH /products/{id}', { path: { id }, body: { name: 'Green tea' }, ifMatch: version });
    expect(await change()).to.have.property('ok', true);
    expect(await change()).to.have.nested.property('error.code', 'PRECONDITION_FAILED');
  });

  it('returns NOT_MODIFIED for the latest version', async () => {
    const staff = await shop.client('staff');
    const { id, version } = await newProduct(service);
    const known = await staff.send('GET /products/{id}', { path: { id }, ifNoneMatch: version });
    expect(known).to.have.nested.property('error.code', 'NOT_MODIFIED');
    const older = await staff.send('GET /products/{id}', { path: { id }, ifNoneMatch: '"7"' });
    expect(older).to.have.property('ok', true);
  });

  it('calls the function that returns the key for each attempt', async () => {
    const { token = '' } = await service.person('customer');
    let calls = 0;
    const key = async () => {
      calls += 1;
      return token;
    };
    const customer = await shop.client('customer', { key });
    shop.wire.expect('bad gateway');
    expect(await customer.send('GET /orders')).to.have.property('ok', true);
    expect(calls).to.equal(2);
  });

  it('asks for the key again after 401, and sends the request with another one only', async () => {
    const { token = '' } = await service.person('customer');
    const keys = ['expired', token, 'expired', 'expired'];
    const customer = await shop.client('customer', { key: () => keys.shift() ?? '' });
    shop.wire.expect();
    expect(await customer.send('GET /orders')).to.have.property('ok', true);
    expect(await customer.send('GET /orders')).to.have.nested.property('error.code', 'UNAUTHORIZED');
    expect(keys).to.deep.equal([]);
    expect(shop.wire.seen).to.have.length(3);
  });

  it('sends nothing when the key comes too late, and tells so', async () => {
    const never = () => new Promise<string>(() => undefined);
    const customer = await shop.client('customer', { key: never, timeoutMilliseconds: 50 });
    shop.wire.expect();
    const late = await customer.send('POST /orders', {
      body: { product_id: 'any', quantity: 1 },
      ...{ idempotencyKey: 'late-1', retryForMilliseconds: 0 },
    });
    expect(late).to.have.nested.property('error.code', 'UNREACHABLE');
    expect(late).to.have.nested.property('error.idempotencyKey', 'late-1');
    expect(late).to.have.nested.property('error.message').that.includes('Nothing was sent');
    expect(shop.wire.seen).to.have.length(0);
  });

  it('throws what the function throws that returns the key', async () => {
    const key = () => Promise.reject(new RangeError('There is no key.'));
    const customer = await shop.client('customer', { key });
    expect(await customer.send('GET /orders').catch((thrown) => thrown)).to.be.instanceOf(RangeError);
  });

  it('throws a TypeError for a missing id in the path', async () => {
    const customer = await shop.client();
    for (const id of ['', '.', '..']) {
      const call = customer.send('GET /orders/{order_id}', { path: { order_id: id } });
      expect(await call.catch((thrown) => thrown), id).to.be.instanceOf(TypeError);
    }
  });

  it('accepts a URL with a path before the version', async () => {
    const asked: string[] = [];
    const customer = await shop.client('customer', {
      url: 'https://shop.example/api/',
      fetch: async (address: string) => {
        asked.push(address);
        return Response.json({ data: [], pagination: { next_cursor: null } });
      },
    });
    await customer.send('GET /orders', { query: { status: 'paid' } });
    expect(asked).to.deep.equal(['https://shop.example/api/v1/orders?status=paid']);
  });

  it('returns UNREADABLE for a response that is not from Portico', async () => {
    for (const body of [
      '',
      'null',
      '[]',
      '{}',
      '{"data":[]}',
      '{"data":[],"pagination":{}}',
      '{"error":{}}',
    ]) {
      const customer = await shop.client('customer', { fetch: async () => new Response(body) });
      const answer = await customer.send('GET /orders', { retryForMilliseconds: 0 });
      expect(answer, body).to.have.nested.property('error.code', 'UNREADABLE');
    }
  });

  it('still accepts patienceMilliseconds, the former name of retryForMilliseconds', async () => {
    let attempts = 0;
    const fetch = async () => {
      attempts += 1;
      return new Response(null, { status: 503 });
    };
    const once = await shop.client('customer', { fetch, patienceMilliseconds: 0 });
    await once.send('GET /orders');
    expect(attempts).to.equal(1);
    const customer = await shop.client('customer', { fetch });
    await customer.send('GET /orders', { patienceMilliseconds: 0 });
    expect(attempts).to.equal(2);
  });

  it('ignores an invalid Retry-After', async () => {
    for (const wait of ['-5', '1e9', '', 'Sat, 21 Nov 2026 12:00:00 GMT', '99999999999999999999']) {
      const headers = { 'Retry-After': wait };
      const customer = await shop.client('customer', {
        fetch: async () => Response.json({ error: { code: 'RATE_LIMITED' } }, { status: 429, headers }),
      });
      const answer = await customer.send('GET /orders', { retryForMilliseconds: 0 });
      expect(answer, wait).to.have.nested.property('error.retryAfterSeconds', undefined);
    }
  });

  it('throws when a list repeats a cursor', async () => {
    const customer = await shop.client('customer', {
      fetch: async () => Response.json({ data: [1], pagination: { next_cursor: 'here' } }),
    });
    const walk = async () => {
      for await (const _order of customer.each('GET /orders'));
    };
    expect(await walk().catch((thrown) => thrown)).to.be.instanceOf(TypeError);
  });
});
