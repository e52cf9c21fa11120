import { expect } from 'chai';
import { localKinds } from '../../support/test-databases.ts';
import type { Json } from '../support/client.ts';
import { expectError, expectOne } from '../support/expectations.ts';
import { describeServiceInSimulatedTime, registered } from '../support/service.ts';
import { newOrder, newPaidOrder, newProduct, nowhere, once, pay, paymentsOf } from '../support/shop.ts';
import { observed, untilWaiting } from '../support/waiting.ts';
import { describeWaitForPayment } from './resources.suite.ts';

const payer = { payer_present: true, return_url: 'https://example.com/paid' };

describeWaitForPayment(localKinds);

describeServiceInSimulatedTime('Waiting for a payment', observed, (service) => {
  const buyer = registered(service, 'customer');

  const newPayment = async (method: string, fields: object = {}): Promise<Json> => {
    const order = await newOrder(buyer, await newProduct(service));
    const body = { order_id: order.id, payment_method: method, ...fields };
    return (await buyer.post('/v1/payments', body, once())).body.data;
  };

  it('lasts while the payer can act, until they have', async () => {
    const { id, status } = await newPayment('tok_action', payer);
    expect(status).to.equal('requires_action');
    const [response, milliseconds] = await service.time.during(
      buyer.get(`/v1/payments/${id}`, { Prefer: 'wait=15' }),
    );
    expect(expectOne(response).status).to.equal('succeeded');
    // The sandbox's payers act after two seconds.
    expect(milliseconds).to.be.within(1_900, 6_500);
  });

  it('with expand shows the order as it is once the payer has acted', async () => {
    const { id } = await newPayment('tok_action', payer);
    const { body } = await buyer.get(`/v1/payments/${id}?expand=order`, { Prefer: 'wait=15' });
    expect(body.data.status).to.equal('succeeded');
    expect(body.data.expanded.order.status).to.equal('paid');
  });

  it('ends when the time has passed, with the payment as it is', async () => {
    const { id } = await newPayment('tok_action_never', payer);
    const [response, milliseconds] = await service.time.during(
      buyer.get(`/v1/payments/${id}`, { Prefer: 'wait=1' }),
    );
    expect(expectOne(response).status).to.equal('requires_action');
    expect(milliseconds).to.be.within(1_000, 1_300);
    expect(response.headers.get('Preference-Applied')).to.equal('wait=1');
  });

  it('does not happen once it is decided', async () => {
    const { id } = await newPayment('tok_ok');
    for (const address of [`/v1/payments/${id}`, `/v1/payments/${id}?expand=order`]) {
      const [response, milliseconds] = await service.time.during(buyer.get(address, { Prefer: 'wait=10' }));
      expect(response.body.data.status).to.equal('succeeded');
      expect(response.headers.get('Preference-Applied')).to.equal('wait=10');
      expect(response.headers.get('Vary')).to.equal('Prefer');
      expect(milliseconds).to.be.below(800);
    }
  });

  it('with If-None-Match lasts until the version differs', async () => {
    const { id, version } = await newPayment('tok_ok');
    const conditional = { Prefer: 'wait=10', 'If-None-Match': `"${version}"` };
    const staff = await service.person('staff');
    const waiting = buyer.get(`/v1/payments/${id}`, conditional);
    await untilWaiting(service, 1);
    await service.time.pass(1_000);
    await untilWaiting(service, 1);
    await staff.patch(`/v1/payments/${id}`, { metadata: { note: 'seen' } });
    const response = await waiting;
    expect(expectOne(response)).to.deep.include({ version: version + 1, metadata: { note: 'seen' } });
    const pending = await newPayment('tok_action_never', payer);
    const old = { Prefer: 'wait=10', 'If-None-Match': '"1"' };
    const [now, soon] = await service.time.during(buyer.get(`/v1/payments/${pending.id}`, old));
    expect(now.status).to.equal(200);
    expect(soon).to.be.below(800);
  });

  it('with expand ignores If-None-Match', async () => {
    const expanded = (id: string, version: number) => {
      const headers = { Prefer: 'wait=1', 'If-None-Match': `"${version}"` };
      return service.time.during(buyer.get(`/v1/payments/${id}?expand=order`, headers));
    };
    const settled = await newPayment('tok_ok');
    const [response, soon] = await expanded(settled.id, settled.version);
    expect(response.body.data.status).to.equal('succeeded');
    expect(soon).to.be.below(800);
    const unsettled = await newPayment('tok_action_never', payer);
    const [waited, late] = await expanded(unsettled.id, unsettled.version - 1);
    expect(waited.body.data.status).to.equal('requires_action');
    expect(late).to.be.within(1_000, 1_300);
  });

  it('with If-None-Match is 304 when the time has passed', async () => {
    const { id, version } = await newPayment('tok_ok');
    const conditional = { Prefer: 'wait=1', 'If-None-Match': `"${version}"` };
    const [response, milliseconds] = await service.time.during(buyer.get(`/v1/payments/${id}`, conditional));
    expect(response.status).to.equal(304);
    expect(response.headers.get('Preference-Applied')).to.equal('wait=1');
    expect(milliseconds).to.be.within(1_000, 1_300);
  });

  it('rejects at once what the caller may not see', async () => {
    const { id } = await newPayment('tok_action_never', payer);
    const stranger = await service.person('customer');
    const prefer = { Prefer: 'wait=10' };
    expectError(await stranger.get(`/v1/payments/${id}`, prefer), 'FORBIDDEN');
    expectError(await stranger.get(`/v1/payments/${nowhere}`, prefer), 'NOT_FOUND');
    expectError(
      await buyer.get(`/v1/payments/${id}`, { ...prefer, 'If-Match': '"99"' }),
      'PRECONDITION_FAILED',
    );
  });
});

describeServiceInSimulatedTime('Waiting for a refund', { PROVIDER_EVENTS_POLL_MS: '1000' }, (service) => {
  it('lasts while it is pending', async () => {
    const buyer = await service.person('customer');
    const staff = await service.person('staff');
    const order = await newOrder(buyer, await newProduct(service));
    const payment = (await pay(buyer, order, 'tok_refund_pending')).body.data;
    const refund = (await staff.post('/v1/refunds', { payment_id: payment.id }, once())).body.data;
    expect(refund.status).to.equal('pending');
    const [response, milliseconds] = await service.time.during(
      staff.get(`/v1/refunds/${refund.id}`, { Prefer: 'wait=15' }),
    );
    expect(expectOne(response).status).to.equal('succeeded');
    expect(milliseconds).to.be.above(500);
  });

  it('does not happen once it has succeeded', async () => {
    const staff = await service.person('staff');
    const buyer = await service.person('customer');
    const order = await newPaidOrder(buyer, await newProduct(service));
    const [payment] = await paymentsOf(buyer, order);
    const refund = (await staff.post('/v1/refunds', { payment_id: payment.id }, once())).body.data;
    const [response, milliseconds] = await service.time.during(
      staff.get(`/v1/refunds/${refund.id}`, { Prefer: 'wait=15' }),
    );
    expect(expectOne(response).status).to.equal('succeeded');
    expect(milliseconds).to.be.below(800);
  });
});
