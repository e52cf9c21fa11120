import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Client, Json } from '../support/client.ts';
import { expectCreated, expectError, expectInvalid, expectList, expectOne } from '../support/expectations.ts';
import { isReplay, twice } from '../support/replays.ts';
import { describeService, registered } from '../support/service.ts';
import { euros, newOrder, newPayment, newProduct, nowhere, offered, once, tea } from '../support/shop.ts';

describeService('An error with an idempotency key', {}, (service) => {
  const staff = registered(service, 'staff');
  const product = offered(service);
  let key: Record<string, string>;

  beforeEach(() => {
    key = once();
  });

  it('of the use case is stored, and replayed with the request id of the retry', async () => {
    const scarce = await newProduct(service, { stock: 0, sku: randomUUID() });
    const draft = await newProduct(service, { status: 'draft' });
    const basket = await newOrder(staff, product);
    const paid = await newOrder(staff, product);
    const payment = await newPayment(staff, paid);
    const tooMuch = { payment_id: payment.id, amount: euros(351) };
    const requests = [
      ['OUT_OF_STOCK', 'POST', '/v1/orders', { product_id: scarce.id, quantity: 1 }],
      ['PRODUCT_NOT_FOUND', 'PATCH', `/v1/products/${nowhere}`, { stock: 1 }],
      ['NOT_FOUND', 'PATCH', `/v1/orders/${nowhere}`, { status: 'canceled' }],
      ['CONFLICT', 'POST', '/v1/products', { ...tea, sku: scarce.sku }],
      ['PRODUCT_UNAVAILABLE', 'POST', '/v1/orders', { product_id: draft.id, quantity: 1 }],
      ['NOT_FOUND', 'POST', '/v1/payments', { order_id: nowhere, payment_method: 'tok_ok' }],
      ['INVALID_STATE', 'POST', '/v1/payments', { order_id: paid.id, payment_method: 'tok_ok' }],
      ['AMOUNT_EXCEEDED', 'POST', '/v1/refunds', tooMuch],
      ['INVALID_STATE', 'PATCH', `/v1/orders/${basket.id}`, { status: 'paid' }],
    ] as const;
    for (const [code, method, path, body] of requests) {
      const headers = once();
      const first = await staff.send(method, path, body, { ...headers, 'X-Request-Id': 'one' });
      const second = await staff.send(method, path, body, { ...headers, 'X-Request-Id': 'two' });
      const fields = code === 'CONFLICT' ? ['sku'] : [];
      expectError(first, code, fields);
      expectError(second, code, fields);
      expect([isReplay(first), isReplay(second)]).to.deep.equal([false, true]);
      expect([first.body.request_id, second.body.request_id]).to.deep.equal(['one', 'two']);
      expect(second.body.error).to.deep.equal(first.body.error);
    }
  });

  it('is replayed although the request could succeed now', async () => {
    const scarce = await newProduct(service, { stock: 0 });
    const send = () => staff.post('/v1/orders', { product_id: scarce.id, quantity: 1 }, key);
    expectError(await send(), 'OUT_OF_STOCK');
    await staff.patch(`/v1/products/${scarce.id}`, { stock: 5 });
    const again = await send();
    expectError(again, 'OUT_OF_STOCK');
    expect(isReplay(again)).to.equal(true);
    expect(expectOne(await staff.get(`/v1/products/${scarce.id}`)).stock).to.equal(5);
  });

  it('of a declined payment is stored, and no second payment is made', async () => {
    const { id } = await newOrder(staff, product);
    const body = { order_id: id, payment_method: 'tok_declined' };
    const [first, second] = await twice(() => staff.post('/v1/payments', body, key));
    for (const response of [first, second]) expectError(response, 'PAYMENT_DECLINED');
    expect([isReplay(first), isReplay(second)]).to.deep.equal([false, true]);
    expect(second.body.error).to.deep.equal(first.body.error);
    expect(expectList(await staff.get(`/v1/payments?order_id=${id}`))).to.have.lengthOf(1);
  });

  it('of an invalid request is not stored, and the key can be used for a valid one', async () => {
    const customer = await service.person('customer');
    const send = (body: unknown, headers = {}) => staff.post('/v1/products', body, { ...key, ...headers });
    expect((await send('{')).status).to.equal(400);
    expect((await send(tea, { 'Content-Type': 'text/plain' })).status).to.equal(415);
    expectInvalid(await send({ ...tea, name: '' }), 'name');
    expect((await staff.post('/v1/nothing', tea, key)).status).to.equal(404);
    expectError(await service.stranger.post('/v1/products', tea, key), 'UNAUTHORIZED');
    expect(isReplay(await send(tea))).to.equal(false);
    expect(isReplay(await send(tea))).to.equal(true);

    const late = once();
    expectError(await customer.post('/v1/products', tea, late), 'FORBIDDEN');
    const allowed = await customer.post('/v1/orders', { product_id: product.id, quantity: 1 }, late);
    expectCreated(allowed, '/v1/orders');
  });

  it('from stored data is not stored either when it is 422, 403 or 412', async () => {
    const [customer, other] = [await service.person('customer'), await service.person('customer')];
    const basket = await newOrder(customer, product);
    const foreign = await newProduct(service, { price: { amount: 1, currency: 'USD' } });
    const items = `/v1/orders/${basket.id}/items`;
    const add = (who: Client, { id }: Json) => who.post(items, { product_id: id, quantity: 1 }, key);
    expectInvalid(await add(customer, foreign), 'product_id');
    expectCreated(await add(customer, product), items);

    expectError(await add(other, product), 'FORBIDDEN');
    const own = await other.post('/v1/orders', { product_id: product.id, quantity: 1 }, key);
    expectCreated(own, '/v1/orders');

    const headers = once();
    const path = `/v1/products/${foreign.id}`;
    const change = (tag: string) => staff.patch(path, { stock: 1 }, { ...headers, 'If-Match': tag });
    expectError(await change('"7"'), 'PRECONDITION_FAILED');
    expect(expectOne(await change('"1"')).stock).to.equal(1);
  });
});
