import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Client, Json } from '../support/client.ts';
import { expectError, expectInvalid, expectList, expectOne } from '../support/expectations.ts';
import { expectReplay, twice } from '../support/replays.ts';
import { describeService } from '../support/service.ts';
import { newOrder, newPayment, newProduct, nowhere, once, tea } from '../support/shop.ts';

describeService('The Idempotency-Key header', {}, (service) => {
  let staff: Client;
  let product: Json;

  before(async () => {
    staff = await service.person('staff');
    product = await newProduct(service);
  });

  it('must have 1 to 255 visible characters', async () => {
    const send = (value: string) => staff.post('/v1/products', tea, { 'Idempotency-Key': value });
    for (const value of ['x', '!', '~'.repeat(255), randomUUID()]) {
      const [first, second] = await twice(() => send(value));
      expectReplay(second, first);
    }
    for (const value of ['', 'x'.repeat(256), 'in between', 'caf\u00e9', 'tab\tbed']) {
      expectError(await send(value), 'IDEMPOTENCY_KEY_INVALID');
    }
  });

  it('must not be the credential of the request', async () => {
    for (const { token } of [service.operator, staff]) {
      const response = await service.operator.post('/v1/products', tea, {
        Authorization: `Bearer ${token}`,
        'Idempotency-Key': `${token}`,
      });
      expectError(response, 'IDEMPOTENCY_KEY_INVALID');
    }
    const end = `${service.operator.token}`.slice(-5);
    expectOne(await service.operator.post('/v1/products', tea, { 'Idempotency-Key': end }), 201);
  });

  it('is required for payments and refunds, and checked last', async () => {
    const { id } = await newOrder(staff, product);
    const payment = { order_id: id, payment_method: 'tok_ok' };
    expectError(await staff.post('/v1/payments', payment), 'IDEMPOTENCY_KEY_MISSING');
    expectInvalid(await staff.post('/v1/payments', { order_id: id }), 'payment_method');
    const refund = { payment_id: nowhere };
    expectError(await staff.post('/v1/refunds', refund), 'IDEMPOTENCY_KEY_MISSING');
    expectError(await staff.post('/v1/payments', payment, once('')), 'IDEMPOTENCY_KEY_INVALID');
    expectError(await staff.post('/v1/refunds', refund, once('x y')), 'IDEMPOTENCY_KEY_INVALID');
    expect(expectList(await staff.get(`/v1/payments?order_id=${id}`))).to.deep.equal([]);
    expect((await newPayment(staff, { id })).order_id).to.equal(id);
  });
});
