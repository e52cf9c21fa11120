import { expect } from 'chai';
import { localKinds } from '../../support/test-databases.ts';
import type { Client } from '../support/client.ts';
import { expectCreated, expectError, expectInvalid, expectOne } from '../support/expectations.ts';
import { notNull, textLimit } from '../support/limits.ts';
import { isReplay } from '../support/replays.ts';
import { describeService, describeServiceInSimulatedTime, registered } from '../support/service.ts';
import { euros, newOrder, newProduct, nowhere, offered, once, orderNow, pay } from '../support/shop.ts';
import { describePaymentWithoutProvider } from './offline-payments.suite.ts';

describePaymentWithoutProvider(localKinds);

const references = notNull(textLimit(0, 200));

describeService('Offline payments', {}, (service) => {
  const customer = registered(service, 'customer');
  const staff = registered(service, 'staff');
  const tea = offered(service, { price: euros(450) });

  const take = (by: Client, fields: object, key?: string) =>
    by.post('/v1/payments', { payment_method: 'offline', ...fields }, once(key));

  it('succeed at once, under the reference of the shop', async () => {
    const order = await newOrder(customer, tea, 2);
    const response = await take(staff, { order_id: order.id, reference: 'Receipt 7', amount: euros(900) });
    const { id, version, created_at, updated_at, ...fields } = expectCreated(response, '/v1/payments');
    expect({ version, updated_at }).to.deep.equal({ version: 1, updated_at: created_at });
    expect(fields).to.deep.equal({
      ...{ order_id: order.id, user_id: customer.userId, amount: euros(900), refunded: euros(0) },
      ...{
        captured: euros(900),
        refunding: euros(0),
        disputed: euros(0),
        capture: 'automatic',
        capture_before: null,
      },
      ...{ next_action: null, action_expires_at: null },
      ...{ status: 'succeeded', succeeded_at: created_at },
      ...{ provider: 'offline', provider_reference: 'Receipt 7' },
      ...{ failure: null, metadata: {} },
    });
    expect((await orderNow(customer, order)).status).to.equal('paid');
    expect(expectOne(await customer.get(`/v1/payments/${id}`)).provider).to.equal('offline');
  });

  it('accept a reference within its limits, and reject it beyond', async () => {
    for (const value of references.accepts) {
      const { id: order_id } = await newOrder(customer, tea);
      const payment = expectCreated(await take(staff, { order_id, reference: value }), '/v1/payments');
      expect(payment.provider_reference).to.equal(value);
    }
    const { id: order_id } = await newOrder(customer, tea);
    for (const value of references.rejects)
      expectInvalid(await take(staff, { order_id, reference: value }), 'reference');
  });

  it('are the only ones with a reference, whatever else is wrong', async () => {
    const order = await newOrder(customer, tea);
    const body = { order_id: order.id, payment_method: 'tok_ok', reference: '' };
    for (const by of [customer, staff])
      expectInvalid(await by.post('/v1/payments', body, once()), 'reference');
    expectInvalid(await customer.post('/v1/payments', { ...body, order_id: nowhere }, once()), 'reference');
    expectInvalid(await customer.post('/v1/payments', body), 'reference');
    for (const payment_method of ['Offline', ' offline', 'offline ', 'OFFLINE'])
      expectInvalid(await staff.post('/v1/payments', { ...body, payment_method }, once()), 'reference');
  });

  it('know no fields of payments at a provider', async () => {
    const { id: order_id } = await newOrder(customer, tea);
    const more = { payer_present: true, return_url: 'https://shop.example', capture: 'manual' };
    for (const [field, value] of Object.entries(more))
      expectInvalid(await take(staff, { order_id, [field]: value }), field);
  });

  it('are for staff only, which is checked behind existence', async () => {
    const order = await newOrder(customer, tea);
    expectError(await take(customer, { order_id: nowhere }), 'NOT_FOUND');
    expectError(await take(customer, { order_id: order.id }), 'FORBIDDEN');
    expect((await orderNow(customer, order)).status).to.equal('pending');
  });

  it('need a key, and happen once for it', async () => {
    const order_id = (await newOrder(customer, tea)).id;
    expectError(
      await staff.post('/v1/payments', { order_id, payment_method: 'offline' }),
      'IDEMPOTENCY_KEY_MISSING',
    );
    const key = once()['Idempotency-Key'];
    const first = await take(staff, { order_id }, key);
    const again = await take(staff, { order_id }, key);
    expect(isReplay(again)).to.equal(true);
    expect(again.text).to.equal(first.text);
    expectError(await take(staff, { order_id }), 'INVALID_STATE');
  });
});

describeServiceInSimulatedTime(
  'An order that is locked by a payment',
  {
    PAYMENT_TIMEOUT_MS: '200',
    IDEMPOTENCY_LEASE_MS: '200',
  },
  (service) => {
    it('cannot be paid offline', async () => {
      const customer = await service.person('customer');
      const order = await newOrder(customer, await newProduct(service));
      expectError(await pay(customer, order, 'tok_timeout'), 'UPSTREAM_TIMEOUT');
      expectError(await pay(service.operator, order, 'offline'), 'INVALID_STATE');
    });
  },
  { kind: 'sqlite' },
);
