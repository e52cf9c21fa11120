import { expect } from 'chai';
import type { Json } from '../support/client.ts';
import {
  expectCreated,
  expectError,
  expectInvalid,
  expectList,
  expectOne,
  idsOf,
} from '../support/expectations.ts';
import { describeLimits, describeReadOnly, orNull, textLimit } from '../support/limits.ts';
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
  paymentsOf,
  refund,
} from '../support/shop.ts';

describeService('Refunds', {}, (service) => {
  const customer = registered(service, 'customer');
  const other = registered(service, 'customer');
  const staff = registered(service, 'staff');
  const product = offered(service, { price: euros(1000) });
  let paid: Json;
  let payment: Json;

  beforeEach(async () => {
    paid = await newOrder(customer, product);
    payment = await newPayment(customer, paid);
  });

  const paymentNow = async (): Promise<Json> => expectOne(await customer.get(`/v1/payments/${payment.id}`));
  const newRefund = async (fields: object = {}): Promise<Json> =>
    expectCreated(await refund(staff, payment, fields), '/v1/refunds');

  it('refund everything by default, and set the order to refunded', async () => {
    const { id, version, created_at, updated_at, provider_reference, ...fields } = await newRefund();
    expect(fields).to.deep.equal({
      payment_id: payment.id,
      amount: euros(1000),
      reason: null,
      status: 'succeeded',
      succeeded_at: updated_at,
      origin: 'portico',
      failure: null,
      metadata: {},
    });
    expect(provider_reference).to.be.a('string').and.not.equal('');
    expect(await paymentNow()).to.deep.include({ status: 'refunded', refunded: euros(1000) });
    expect((await orderNow(customer, paid)).status).to.equal('refunded');
  });

  it('can be partial until nothing is left', async () => {
    await newRefund({ amount: euros(300) });
    expect(await paymentNow()).to.deep.include({ status: 'partially_refunded', refunded: euros(300) });
    expect((await orderNow(customer, paid)).status).to.equal('paid');
    await newRefund({ amount: euros(1) });
    expectError(await refund(staff, payment, { amount: euros(700) }), 'AMOUNT_EXCEEDED');
    expect((await newRefund()).amount).to.deep.equal(euros(699));
    expect(await paymentNow()).to.deep.include({ status: 'refunded', refunded: euros(1000) });
    expect((await orderNow(customer, paid)).status).to.equal('refunded');
  });

  it('are given once to two who have seen the same, and show what is on its way', async () => {
    const seen = { amount: euros(100), expected_refunded: euros(0) };
    await newRefund(seen);
    const late = await refund(staff, payment, seen, 'late');
    expectError(late, 'CONFLICT', ['expected_refunded']);
    expect(late.body.error.message).to.include('100 in the minor unit of EUR');
    expect(await paymentNow()).to.deep.include({ refunded: euros(100), refunding: euros(0) });
    const replay = await refund(staff, payment, seen, 'late');
    expect(isReplay(replay)).to.equal(true);
    expect(replay.body.error).to.deep.equal(late.body.error);
    const corrected = await refund(staff, payment, { ...seen, expected_refunded: euros(100) }, 'late');
    expectError(corrected, 'IDEMPOTENCY_KEY_REUSED', ['expected_refunded']);
    await newRefund({ ...seen, expected_refunded: euros(100) });

    const paying = await pay(customer, await newOrder(customer, product), 'tok_refund_pending');
    const waits = expectCreated(paying, '/v1/payments');
    expectCreated(await refund(staff, waits, { ...seen, amount: euros(300) }), '/v1/refunds');
    const { refunded, refunding } = expectOne(await staff.get(`/v1/payments/${waits.id}`));
    expect({ refunded, refunding }).to.deep.equal({ refunded: euros(0), refunding: euros(300) });
    expectError(await refund(staff, waits, seen), 'CONFLICT', ['expected_refunded']);
    expectCreated(await refund(staff, waits, { ...seen, expected_refunded: euros(300) }), '/v1/refunds');
  });

  it('need what was seen as a complete amount in the currency of the payment', async () => {
    for (const expected_refunded of [null, 1, '1', []])
      expectInvalid(await refund(staff, payment, { expected_refunded }), 'expected_refunded');
    const negative = { expected_refunded: { amount: -1, currency: 'EUR' } };
    expectInvalid(await refund(staff, payment, negative), 'expected_refunded.amount');
    const dollars = { expected_refunded: { amount: 0, currency: 'USD' } };
    expectInvalid(await refund(staff, payment, dollars), 'expected_refunded.currency');
  });

  it('of zero are rejected', async () => {
    expectInvalid(await refund(staff, payment, { amount: euros(0) }), 'amount.amount');
    expect(await paymentNow()).to.deep.include({ status: 'succeeded', refunded: euros(0) });
  });

  it('never exceed the payment, even when many are sent at once', async () => {
    const give = () => refund(staff, payment, { amount: euros(300) });
    const responses = await Promise.all(Array.from({ length: 8 }, give));
    expect(responses.filter(({ status }) => status === 201)).to.have.lengthOf(3);
    for (const response of responses) if (response.status !== 201) expectError(response, 'AMOUNT_EXCEEDED');
    expect((await paymentNow()).refunded).to.deep.equal(euros(900));
  });

  it('refund everything once, even when two are sent at once', async () => {
    const responses = await Promise.all([refund(staff, payment), refund(staff, payment)]);
    expect(responses.map(({ status }) => status)).to.have.members([201, 409]);
    expect(await paymentNow()).to.deep.include({ status: 'refunded', refunded: euros(1000) });
  });

  it('cannot exceed the payment, or refund an unpaid one', async () => {
    expectError(await refund(staff, payment, { amount: euros(1001) }), 'AMOUNT_EXCEEDED');
    const unpaid = await newOrder(customer, product);
    expectError(await pay(customer, unpaid, 'tok_declined'), 'PAYMENT_DECLINED');
    const [failed] = await paymentsOf(customer, unpaid);
    expectError(await refund(staff, failed), 'INVALID_STATE');
  });

  it('are rejected once everything is refunded', async () => {
    await newRefund();
    expectError(await refund(staff, payment), 'INVALID_STATE');
    expectError(await refund(staff, payment, { amount: euros(1) }), 'INVALID_STATE');
  });

  it('need the currency of the payment', async () => {
    const amount = { amount: 1, currency: 'USD' };
    expectInvalid(await refund(staff, payment, { amount }), 'amount.currency');
  });

  it('of an order that has been fulfilled leave it fulfilled', async () => {
    expectOne(await staff.patch(`/v1/orders/${paid.id}`, { status: 'fulfilled' }));
    await newRefund();
    expect((await paymentNow()).status).to.equal('refunded');
    expect((await orderNow(customer, paid)).status).to.equal('fulfilled');
  });

  it('leave the order open to fulfillment while they are partial', async () => {
    await newRefund({ amount: euros(1) });
    expectOne(await staff.patch(`/v1/orders/${paid.id}`, { status: 'fulfilled' }));
  });

  it('need an existing payment', async () => {
    expectInvalid(await staff.post('/v1/refunds', {}, once()), 'payment_id');
    expectInvalid(await refund(staff, { id: '1' }), 'payment_id');
    expectError(await refund(staff, { id: nowhere }), 'NOT_FOUND');
  });

  it('need a complete amount, or none', async () => {
    for (const amount of [null, 1, '1', []]) {
      expectInvalid(await refund(staff, payment, { amount }), 'amount');
    }
    const partial = { amount: { amount: -1 } };
    expectInvalid(await refund(staff, payment, partial), 'amount.amount', 'amount.currency');
  });

  const one = { amount: euros(1) };
  describeLimits({ reason: orNull(textLimit(0, 500)) }, one, (body) => refund(staff, payment, body));
  describeReadOnly(['status', 'provider_reference', 'user_id'], one, (body) => refund(staff, payment, body));

  describe('read', () => {
    it('by staff and by the user who gets the money only', async () => {
      const given = await newRefund();
      const path = `/v1/refunds/${given.id}`;
      expect(expectOne(await staff.get(path))).to.deep.equal(given);
      expect(expectOne(await customer.get(path))).to.deep.equal(given);
      expectError(await other.get(path), 'FORBIDDEN');
      const tag = { 'If-None-Match': `"${given.version}"` };
      expect((await customer.get(path, tag)).status).to.equal(304);
      expectError(await staff.get(`/v1/refunds/${nowhere}`), 'NOT_FOUND');
      expectError(await staff.get('/v1/refunds/1'), 'NOT_FOUND');
    });

    it('in a list, filtered by payment', async () => {
      const given = [await newRefund(one), await newRefund(one)];
      const byPayment = `/v1/refunds?payment_id=${payment.id}`;
      expect(expectList(await staff.get(byPayment))).to.deep.equal(given);
      expect(expectList(await customer.get(byPayment))).to.deep.equal(given);
      expect(expectList(await other.get(byPayment))).to.deep.equal([]);
      expect(expectList(await other.get('/v1/refunds'))).to.deep.equal([]);
      const all = idsOf(expectList(await customer.get('/v1/refunds?limit=100')));
      expect(all).to.include.members(idsOf(given)).and.have.length.above(2);
      expect(expectList(await staff.get(`/v1/refunds?payment_id=${nowhere}`))).to.deep.equal([]);
      expectInvalid(await staff.get('/v1/refunds?payment_id=1'), 'payment_id');
      expectInvalid(await staff.get('/v1/refunds?status=failed'), 'status');
    });
  });
});
