import { expect } from 'chai';
import type { Client, Json } from '../support/client.ts';
import { expectCreated, expectError, expectInvalid, expectList, expectOne } from '../support/expectations.ts';
import { isReplay } from '../support/replays.ts';
import { describeService, registered } from '../support/service.ts';
import {
  euros,
  newOrder,
  newPayment,
  nowhere,
  offered,
  once,
  orderNow,
  pay,
  refund,
} from '../support/shop.ts';

describeService('Captures', {}, (service) => {
  const customer = registered(service, 'customer');
  const staff = registered(service, 'staff');
  const product = offered(service, { price: euros(1000) });
  let order: Json;
  let payment: Json;

  before(async () => {
    order = await newOrder(customer, product);
    payment = await newPayment(customer, order);
  });

  const capture = (fields: object, by = staff) =>
    by.post('/v1/captures', { payment_id: payment.id, ...fields }, once());

  const authorize = async ({ id: order_id }: Json): Promise<Json> => {
    const body = { order_id, payment_method: 'tok_ok', capture: 'manual' };
    return expectCreated(await staff.post('/v1/payments', body, once()), '/v1/payments');
  };

  it('are for payments that are authorized, and not for those whose money was taken at once', async () => {
    expect(payment).to.deep.include({ status: 'succeeded', captured: euros(1000), capture_before: null });
    expectError(await capture({}), 'INVALID_STATE');
    expectError(await capture({ payment_id: nowhere }), 'NOT_FOUND');
    expect(expectList(await staff.get(`/v1/captures?payment_id=${payment.id}`))).to.deep.equal([]);
    expectError(await staff.get(`/v1/captures/${nowhere}`), 'NOT_FOUND');
  });

  it('take the money of a payment that was authorized, in part or in full, once', async () => {
    const unpaid = await newOrder(customer, product);
    const authorized = await authorize(unpaid);
    expect(authorized).to.deep.include({ status: 'authorized', capture: 'manual', captured: euros(0) });
    expect(Date.parse(authorized.capture_before)).to.be.greaterThan(Date.now());
    expect((await orderNow(customer, unpaid)).status).to.equal('pending');
    const fields = { payment_id: authorized.id, amount: euros(400) };
    const key = once();
    const made = expectCreated(await staff.post('/v1/captures', fields, key), '/v1/captures');
    expect(made).to.deep.include({ ...fields, status: 'succeeded', failure: null });
    expect(made.provider_reference).to.be.a('string').and.not.equal('');
    expect(expectOne(await customer.get(`/v1/captures/${made.id}`))).to.deep.equal(made);
    expect(expectList(await staff.get(`/v1/captures?payment_id=${authorized.id}`))).to.deep.equal([made]);
    expect(isReplay(await staff.post('/v1/captures', fields, key))).to.equal(true);
    const after = expectOne(await customer.get(`/v1/payments/${authorized.id}`));
    expect(after).to.deep.include({ status: 'succeeded', amount: euros(1000), captured: euros(400) });
    expect((await orderNow(customer, unpaid)).status).to.equal('paid');
    expectError(await staff.post('/v1/captures', fields, once()), 'INVALID_STATE');
  });

  it('are all that can be refunded of a payment', async () => {
    const unpaid = await newOrder(customer, product);
    const payment = await authorize(unpaid);
    expectCreated(await capture({ payment_id: payment.id, amount: euros(400) }), '/v1/captures');
    expectError(await refund(staff, payment, { amount: euros(401) }), 'AMOUNT_EXCEEDED');
    const { amount } = expectCreated(await refund(staff, payment), '/v1/refunds');
    expect(amount).to.deep.equal(euros(400));
    const after = expectOne(await customer.get(`/v1/payments/${payment.id}`));
    expect(after).to.deep.include({ status: 'refunded', refunded: euros(400), captured: euros(400) });
    expect((await orderNow(customer, unpaid)).status).to.equal('refunded');
  });

  it('are waited for by a payment that only staff give up, while its order takes no other', async () => {
    const unpaid = await newOrder(customer, product);
    const { id } = await authorize(unpaid);
    expectError(await pay(customer, unpaid), 'INVALID_STATE');
    const cancel = (by: Client) => by.patch(`/v1/payments/${id}`, { status: 'canceled' }, once());
    expectError(await cancel(customer), 'FORBIDDEN');
    expect(expectOne(await cancel(staff))).to.deep.include({ status: 'canceled', failure: null });
    expectError(await capture({ payment_id: id }), 'INVALID_STATE');
    await newPayment(customer, unpaid);
  });

  it('exceed what was authorized never', async () => {
    const { id } = await authorize(await newOrder(customer, product));
    expectError(await capture({ payment_id: id, amount: euros(1001) }), 'AMOUNT_EXCEEDED');
    expectInvalid(
      await capture({ payment_id: id, amount: { amount: 1, currency: 'USD' } }),
      'amount.currency',
    );
  });

  it('reject an amount that is no money above 0', async () => {
    for (const amount of [0, -1, 0.5, '1', null, 1e300])
      expectInvalid(await capture({ amount: { amount, currency: 'EUR' } }), 'amount.amount');
    expectInvalid(await capture({ amount: { amount: 1, currency: 'euro' } }), 'amount.currency');
    for (const amount of [null, 5, 'EUR 5', []]) expectInvalid(await capture({ amount }), 'amount');
    expectInvalid(await capture({ payment_id: 'x' }), 'payment_id');
    expectInvalid(await capture({ reason: 'Sent' }), 'reason');
  });

  it('later are chosen by staff, where the payment provider offers them', async () => {
    const pay = (by: Client, fields: object) =>
      by.post('/v1/payments', { order_id: order.id, payment_method: 'tok_ok', ...fields }, once());
    expectError(await pay(customer, { capture: 'automatic' }), 'FORBIDDEN');
    for (const method of ['later', null, true])
      expectInvalid(await pay(staff, { capture: method }), 'capture');
    expectInvalid(await pay(staff, { payment_method: 'offline', capture: 'automatic' }), 'capture');
    expect(expectOne(await staff.get(`/v1/payments/${payment.id}`)).status).to.equal('succeeded');
  });
});
