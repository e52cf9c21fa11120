import { expect } from 'chai';
import type { Json } from '../support/client.ts';
import { expectCreated, expectError, expectInvalid, expectList, expectOne } from '../support/expectations.ts';
import { describeReadOnly } from '../support/limits.ts';
import { describeService, registered } from '../support/service.ts';
import {
  addItem,
  euros,
  newOrder,
  newPayment,
  newProduct,
  nowhere,
  offered,
  once,
  orderNow,
  pay,
  paymentsOf,
  refund,
} from '../support/shop.ts';

describeService('Payments', {}, (service) => {
  const customer = registered(service, 'customer');
  const other = registered(service, 'customer');
  const staff = registered(service, 'staff');
  const product = offered(service);
  let unpaid: Json;

  beforeEach(async () => {
    unpaid = await newOrder(customer, product);
  });

  const send = (body: Json) => customer.post('/v1/payments', body, once());

  it('pay an order in full', async () => {
    const payment = await newPayment(customer, unpaid);
    const { id, version, created_at, updated_at, provider_reference, ...fields } = payment;
    expect(fields).to.deep.equal({
      order_id: unpaid.id,
      user_id: customer.userId,
      amount: euros(350),
      captured: euros(350),
      refunded: euros(0),
      refunding: euros(0),
      disputed: euros(0),
      status: 'succeeded',
      succeeded_at: updated_at,
      next_action: null,
      action_expires_at: null,
      capture: 'automatic',
      capture_before: null,
      provider: 'sandbox',
      failure: null,
      metadata: {},
    });
    expect(provider_reference).to.be.a('string').and.not.equal('');
    expect(expectOne(await customer.get(`/v1/payments/${id}`))).to.deep.equal(payment);
    expect((await orderNow(customer, unpaid)).status).to.equal('paid');
  });

  it('include items added to the order meanwhile', async () => {
    await addItem(customer, unpaid, product, 2);
    expect((await newPayment(customer, unpaid)).amount).to.deep.equal(euros(1050));
  });

  it('accept an amount only if it is the order’s total', async () => {
    const whole = { order_id: unpaid.id, payment_method: 'tok_ok' };
    for (const amount of [euros(349), euros(351), euros(0), { amount: 350, currency: 'USD' }]) {
      expectInvalid(await send({ ...whole, amount }), 'amount');
    }
    expectInvalid(await send({ ...whole, amount: { amount: -1 } }), 'amount.amount', 'amount.currency');
    expectInvalid(await send({ ...whole, amount: null }), 'amount');
    expect(await paymentsOf(customer, unpaid)).to.deep.equal([]);
    expectCreated(await send({ ...whole, amount: euros(350) }), '/v1/payments');
  });

  it('of zero succeed without the provider, and are refunded by zero', async () => {
    const gift = await newOrder(customer, await newProduct(service, { price: euros(0) }));
    // The provider would fail this token.
    const payment = expectCreated(await pay(customer, gift, 'tok_error'), '/v1/payments');
    expect(payment).to.deep.include({ status: 'succeeded', amount: euros(0), provider_reference: null });
    expect((await orderNow(customer, gift)).status).to.equal('paid');
    expectInvalid(await refund(staff, payment, { amount: euros(0) }), 'amount.amount');
    const refunded = expectCreated(await refund(staff, payment), '/v1/refunds');
    expect(refunded).to.deep.include({ amount: euros(0), status: 'succeeded', provider_reference: null });
    expect((await orderNow(customer, gift)).status).to.equal('refunded');
    expectError(await refund(staff, payment), 'INVALID_STATE');
  });

  it('need an existing order and a method of 1 to 255 characters', async () => {
    expectInvalid(await send({}), 'order_id', 'payment_method');
    for (const method of ['', 'x'.repeat(256), 'NUL \0', 7, null]) {
      const response = await send({ order_id: unpaid.id, payment_method: method });
      expectInvalid(response, 'payment_method');
    }
    expectInvalid(await pay(customer, { id: '1' }), 'order_id');
    expectError(await pay(customer, { id: nowhere }), 'NOT_FOUND');
    expect(await paymentsOf(customer, unpaid)).to.deep.equal([]);
    expectError(await pay(customer, unpaid, '🫖'.repeat(255)), 'PAYMENT_DECLINED');
  });

  const readOnly = ['user_id', 'refunded', 'status', 'provider', 'provider_reference', 'failure'];
  describeReadOnly(readOnly, { order_id: nowhere, payment_method: 'tok_ok' }, send);

  it('can be made by the order’s owner and by staff only', async () => {
    expectError(await pay(other, unpaid), 'FORBIDDEN');
    const payment = await newPayment(staff, unpaid);
    expect(payment.user_id).to.equal(customer.userId);
    expect(expectOne(await customer.get(`/v1/payments/${payment.id}`))).to.deep.equal(payment);
  });

  it('happen once: a paid order cannot be paid again', async () => {
    await newPayment(customer, unpaid);
    expectError(await pay(customer, unpaid), 'INVALID_STATE');
    expect(await paymentsOf(customer, unpaid)).to.have.lengthOf(1);
  });

  it('happen once when two are sent at once, with the same key or two keys', async () => {
    const responses = await Promise.all(Array.from({ length: 5 }, () => pay(customer, unpaid)));
    expect(responses.filter(({ status }) => status === 201)).to.have.lengthOf(1);
    for (const response of responses) if (response.status !== 201) expectError(response, 'INVALID_STATE');
    expect(await paymentsOf(customer, unpaid)).to.have.lengthOf(1);
  });

  it('concurrent with a cancellation leave the order either paid or canceled', async () => {
    const [paid, canceled] = await Promise.all([
      pay(customer, unpaid),
      customer.patch(`/v1/orders/${unpaid.id}`, { status: 'canceled' }),
    ]);
    expect([paid.status, canceled.status]).to.be.deep.oneOf([
      [201, 409],
      [409, 200],
    ]);
    const { status } = await orderNow(customer, unpaid);
    expect(status).to.equal(paid.status === 201 ? 'paid' : 'canceled');
  });

  it('concurrent with an added item pay for every item of the order', async () => {
    const [paid, added] = await Promise.all([pay(customer, unpaid), addItem(customer, unpaid, product)]);
    if (added.status !== 201) expectError(added, 'INVALID_STATE');
    const payment = expectCreated(paid, '/v1/payments');
    expect((await orderNow(customer, unpaid)).total).to.deep.equal(payment.amount);
  });

  describe('declined', () => {
    it('are stored with the reason, and the order can be paid again', async () => {
      expectError(await pay(customer, unpaid, 'tok_declined'), 'PAYMENT_DECLINED');
      const [failed] = await paymentsOf(customer, unpaid);
      expect(failed).to.deep.include({ status: 'failed', provider_reference: null, refunded: euros(0) });
      expect(failed.failure).to.have.all.keys('code', 'message');
      expect(failed.failure.code).to.equal('card_declined');
      expect((await orderNow(customer, unpaid)).status).to.equal('pending');

      const { id } = await newPayment(customer, unpaid);
      const both = await paymentsOf(customer, unpaid);
      expect(both.map(({ status }) => status)).to.deep.equal(['failed', 'succeeded']);
      expect(both[1].id).to.equal(id);
    });

    it('leave the order open to changes and cancellation', async () => {
      expectError(await pay(customer, unpaid, 'tok_declined'), 'PAYMENT_DECLINED');
      expectOne(await addItem(customer, unpaid, product), 201);
      expectOne(await customer.patch(`/v1/orders/${unpaid.id}`, { status: 'canceled' }));
    });

    it('include those with a method unknown to the provider', async () => {
      expectError(await pay(customer, unpaid, 'toString'), 'PAYMENT_DECLINED');
      const [failed] = await paymentsOf(customer, unpaid);
      expect(failed.failure.code).to.equal('invalid_payment_method');
    });
  });

  describe('read', () => {
    it('are the customer’s own, filtered by order, and all payments for staff', async () => {
      const payment = await newPayment(customer, unpaid);
      const byOrder = `/v1/payments?order_id=${unpaid.id}`;
      expect(expectList(await customer.get(byOrder))).to.deep.equal([payment]);
      expect(expectList(await staff.get(byOrder))).to.deep.equal([payment]);
      expect(expectList(await other.get(byOrder))).to.deep.equal([]);
      expect(expectList(await other.get('/v1/payments'))).to.deep.equal([]);
      expect(expectList(await customer.get('/v1/payments?limit=100'))).to.deep.include(payment);
      expect(expectList(await staff.get('/v1/payments?limit=100'))).to.deep.include(payment);
    });

    it('have no other filter, and accept no value that is no id', async () => {
      expectInvalid(await customer.get('/v1/payments?order_id=1'), 'order_id');
      expectInvalid(await customer.get('/v1/payments?provider=sandbox'), 'provider');
      expect(expectList(await staff.get(`/v1/payments?order_id=${nowhere}`))).to.deep.equal([]);
    });

    it('are forbidden to another customer, and not found by an unknown id', async () => {
      const { id, version } = await newPayment(customer, unpaid);
      expectError(await other.get(`/v1/payments/${id}`), 'FORBIDDEN');
      const tag = { 'If-None-Match': `"${version}"` };
      expect((await customer.get(`/v1/payments/${id}`, tag)).status).to.equal(304);
      expectError(await customer.get(`/v1/payments/${nowhere}`), 'NOT_FOUND');
      expectError(await customer.get('/v1/payments/1'), 'NOT_FOUND');
    });

    it('never show their payment method', async () => {
      const key = 'to-be-replayed';
      for (const method of ['tok_declined', 'tok_secret_41', 'tok_ok']) {
        const payment = await pay(customer, unpaid, method, `${key}-${method}`);
        const replayed = await pay(customer, unpaid, method, `${key}-${method}`);
        const listed = await customer.get(`/v1/payments?order_id=${unpaid.id}`);
        const order = await customer.get(`/v1/orders/${unpaid.id}`);
        for (const { text, headers } of [payment, replayed, listed, order]) {
          expect(text + JSON.stringify([...headers])).to.not.include(method);
          expect(text).to.not.include('"payment_method"');
        }
      }
    });
  });
});
