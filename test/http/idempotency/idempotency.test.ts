import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Client, type Json } from '../support/client.ts';
import {
  expectCreated,
  expectError,
  expectList,
  expectNoContent,
  expectOne,
} from '../support/expectations.ts';
import { expectReplay, isReplay, twice } from '../support/replays.ts';
import { describeService } from '../support/service.ts';
import { newOrder, newProduct, nowhere, once, tea } from '../support/shop.ts';

describeService('An idempotency key', {}, (service) => {
  let staff: Client & { readonly userId: string };
  let product: Json;
  let key: Record<string, string>;

  before(async () => {
    staff = await service.person('staff');
    product = await newProduct(service);
  });

  beforeEach(() => {
    key = once();
  });

  describe('sent again with the same request', () => {
    it('creates one resource and replays the first response', async () => {
      const name = `Tea ${randomUUID()} é 🫖 "\\`;
      const [first, second] = await twice(() => staff.post('/v1/products', { ...tea, name }, key));
      expectCreated(first, '/v1/products');
      expectReplay(second, first);
      const all = expectList(await staff.get('/v1/products?limit=100'));
      expect(all.filter((one) => one.name === name)).to.have.lengthOf(1);
    });

    it('replaces and updates once, although the version has changed', async () => {
      const { id } = await newProduct(service);
      const path = `/v1/products/${id}`;
      const replaced = () => staff.put(path, tea, { ...key, 'If-Match': '"1"' });
      const [first, second] = await twice(replaced);
      expect(expectOne(first).version).to.equal(2);
      expectReplay(second, first);

      const changed = { ...once(), 'If-Match': '"2"' };
      const [third, fourth] = await twice(() => staff.patch(path, { stock: 7 }, changed));
      expectReplay(fourth, third);
      expect(expectOne(await staff.get(path)).version).to.equal(3);
      expectReplay(await replaced(), first);
    });

    it('pays and refunds once', async () => {
      const customer = await service.person('customer');
      const { id } = await newOrder(customer, product);
      const body = { order_id: id, payment_method: 'tok_ok' };
      const [first, second] = await twice(() => customer.post('/v1/payments', body, key));
      expectReplay(second, first);
      const payment = expectCreated(first, '/v1/payments');

      const part = { payment_id: payment.id, amount: { amount: 1, currency: 'EUR' } };
      const [given, again] = await twice(() => staff.post('/v1/refunds', part, key));
      expectReplay(again, given);
      expect(expectList(await staff.get(`/v1/refunds?payment_id=${payment.id}`))).to.have.lengthOf(1);
    });

    it('replays the first response although the resource was changed or deleted since', async () => {
      const send = () => staff.post('/v1/products', tea, key);
      const first = await send();
      const { id } = expectCreated(first, '/v1/products');
      expectOne(await staff.patch(`/v1/products/${id}`, { name: 'Coffee' }));
      expectReplay(await send(), first);
      expectNoContent(await staff.delete(`/v1/products/${id}`));
      expectReplay(await send(), first);
    });

    it('replays with the request id of the retry', async () => {
      const send = (id: string) => staff.post('/v1/products', tea, { ...key, 'X-Request-Id': id });
      expect((await send('one')).headers.get('X-Request-Id')).to.equal('one');
      expect((await send('two')).headers.get('X-Request-Id')).to.equal('two');
    });

    it('does not show the token of an API key again', async () => {
      const send = () => staff.post('/v1/api-keys', { name: 'Till' }, key);
      const [first, second] = await twice(send);
      const { token, ...shown } = expectCreated(first, '/v1/api-keys');
      expect(token).to.be.a('string');
      expect(isReplay(second)).to.equal(true);
      expect(expectCreated(second, '/v1/api-keys')).to.deep.equal(shown);
    });
  });

  describe('identifies the same request', () => {
    it('however its JSON is formatted', async () => {
      const first = await staff.post('/v1/products', { ...tea, name: 'Tea é/', stock: 1.5 }, key);
      expectCreated(first, '/v1/products');
      const texts = [
        ' {\n"stock": 1.50, "price":{"currency":"EUR","amount":350.0},"name":"\\u0054ea \\u00e9\\/" }\t',
        '{"name":"Tea \\u00E9/","price":{"amount":3.5e2,"currency":"EUR"},"stock":15e-1}',
      ];
      for (const text of texts) expectReplay(await staff.post('/v1/products', text, key), first);
    });

    it('from another API key of the same user, so that a rotated key cannot pay twice', async () => {
      const customer = await service.person('customer');
      const { id } = await newOrder(customer, product);
      const body = { order_id: id, payment_method: 'tok_ok' };
      const first = await customer.post('/v1/payments', body, key);
      const rotated = (await customer.post('/v1/api-keys', { name: 'New' })).body.data.token;
      const replay = await new Client(() => service.url, rotated).post('/v1/payments', body, key);
      expectReplay(replay, first);
    });

    it('for the same user only', async () => {
      const [one, other] = [await service.person('customer'), await service.person('customer')];
      const body = { product_id: product.id, quantity: 1 };
      const first = await one.post('/v1/orders', body, key);
      const second = await other.post('/v1/orders', body, key);
      expect([isReplay(first), isReplay(second)]).to.deep.equal([false, false]);
      expect(expectCreated(first, '/v1/orders').user_id).to.equal(one.userId);
      expect(expectCreated(second, '/v1/orders').user_id).to.equal(other.userId);
    });
  });

  it('sent again with another method, path or body is rejected, and changes nothing', async () => {
    const { id } = await newProduct(service);
    const path = `/v1/products/${id}`;
    const first = await staff.put(path, tea, key);
    expectOne(first);
    const others = [
      () => staff.patch(path, tea, key),
      () => staff.put(`/v1/products/${product.id}`, tea, key),
      () => staff.post('/v1/products', tea, key),
      () => staff.put(path, { ...tea, stock: null }, key),
      () => staff.put(path, { ...tea, name: 'tea' }, key),
      () => staff.post('/v1/payments', { order_id: nowhere, payment_method: 'tok_ok' }, key),
    ];
    for (const send of others) expectError(await send(), 'IDEMPOTENCY_KEY_REUSED');
    expectReplay(await staff.put(path, tea, key), first);
    expect(expectOne(await staff.get(path)).version).to.equal(2);
  });

  it('sent again with another query is rejected, and replays for the same one, however it is written', async () => {
    const body = { product_id: product.id, quantity: 1 };
    const send = (query: string, sent = key) => staff.post(`/v1/orders${query}`, body, sent);
    const expanded = await send('?expand=items');
    expect(expanded.body.data.expanded.items).to.have.lengthOf(1);
    expectError(await send(''), 'IDEMPOTENCY_KEY_REUSED');
    for (const query of ['?expand=items', '?expand=it%65ms', '?&expand=items&'])
      expectReplay(await send(query), expanded);
    const bare = once();
    const first = await send('', bare);
    expectError(await send('?expand=items', bare), 'IDEMPOTENCY_KEY_REUSED');
    for (const query of ['', '?', '?&']) expectReplay(await send(query, bare), first);
  });

  it('replays nothing to a user who may no longer read it', async () => {
    const send = (client: Client) => client.post('/v1/products', tea, key);
    expectCreated(await send(staff), '/v1/products');
    const scopes = ['products:read'];
    const { token } = (await staff.post('/v1/api-keys', { name: 'Narrow', scopes })).body.data;
    expectError(await send(new Client(() => service.url, token)), 'FORBIDDEN');

    const { token: fresh } = (await staff.post('/v1/api-keys', { name: 'Fresh' })).body.data;
    await service.operator.patch(`/v1/users/${staff.userId}`, { role: 'customer' });
    expectError(await send(new Client(() => service.url, fresh)), 'FORBIDDEN');
    staff = await service.person('staff');
  });

  it('replays nothing to a user whose role was lowered since, even if the request is still allowed', async () => {
    const person = await service.person('staff');
    const product = await newProduct(service);
    const send = (client: Client) => client.post('/v1/orders', { product_id: product.id, quantity: 1 }, key);
    expectCreated(await send(person), '/v1/orders');
    const { token } = (await person.post('/v1/api-keys', { name: 'Fresh' })).body.data;
    await service.operator.patch(`/v1/users/${person.userId}`, { role: 'customer' });
    expectError(await send(new Client(() => service.url, token)), 'FORBIDDEN');
  });

  it('does not block the deletion of its user', async () => {
    const person = await service.person('staff');
    expectCreated(await person.post('/v1/products', tea, key), '/v1/products');
    expectNoContent(await service.operator.delete(`/v1/users/${person.userId}`));
  });
});
