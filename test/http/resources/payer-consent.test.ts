import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { secret } from '../../application/payer.ts';
import { localKinds } from '../../support/test-databases.ts';
import { asking, payer } from '../support/asking-provider.ts';
import type { Client, Json } from '../support/client.ts';
import { expectCreated, expectError, expectInvalid, expectList, expectOne } from '../support/expectations.ts';
import { describeService, describeServiceInSimulatedTime } from '../support/service.ts';
import { newOrder, newProduct, orderNow, pay } from '../support/shop.ts';
import { cancel, describePayerAction, payPresent, returnUrl } from './payer-consent.suite.ts';

describePayerAction(localKinds);

const sdkAction = { type: 'provider_sdk', client_secret: secret };

describeServiceInSimulatedTime(
  'A payment that waits for its payer',
  asking,
  (service) => {
    let customer: Client;
    let staff: Client;
    let unpaid: Json;
    let payment: Json;

    beforeEach(async () => {
      customer = await service.person('customer');
      staff = await service.person('staff');
      unpaid = await newOrder(customer, await newProduct(service));
      payment = expectCreated(await payPresent(customer, unpaid), '/v1/payments');
    });

    afterEach(() => {
      payer.isAvailable(true);
      payer.isSlow(false);
    });

    const path = () => `/v1/payments/${payment.id}`;

    it('is shown with its action to owner and staff, without an ETag and never as 304', async () => {
      const stranger = await service.person('customer');
      expectError(await stranger.get(path()), 'FORBIDDEN');
      const read = await customer.get(path(), { 'If-None-Match': `"${payment.version}"` });
      expect(read.status).to.equal(200);
      expect(read.body.data.next_action).to.deep.equal(sdkAction);
      expect(read.headers.get('ETag')).to.equal(null);
      expect(read.headers.get('Cache-Control')).to.equal('no-store');
    });

    it('is shown without it, with an ETag, within a second and in lists', async () => {
      expect(expectOne(await staff.get(path())).next_action).to.deep.equal(sdkAction);
      const again = await staff.get(path());
      expect(again.body.data.next_action).to.equal(null);
      expect(again.headers.get('ETag')).to.equal(`"${payment.version}"`);
      expect(again.headers.get('Cache-Control')).to.equal(null);
      const [listed] = expectList(await staff.get(`/v1/payments?order_id=${unpaid.id}`));
      expect(listed).to.deep.include({ id: payment.id, next_action: null });
      const { body } = await staff.get(`/v1/orders/${unpaid.id}?expand=payments`);
      expect(body.data.expanded.payments[0].next_action).to.equal(null);
    });

    it('is shown with its action beside what it is expanded by', async () => {
      const { body, headers } = await customer.get(`${path()}?expand=order`);
      expect(body.data.next_action).to.deep.equal(sdkAction);
      expect(body.data.expanded.order.id).to.equal(unpaid.id);
      expect(headers.get('Cache-Control')).to.equal('no-store');
    });

    it('is shown without it when the provider fails, and after two seconds when it does not respond', async () => {
      payer.isAvailable(false);
      expect(expectOne(await customer.get(path()))).to.include({
        status: 'requires_action',
        next_action: null,
      });
      payer.isAvailable(true);
      await service.pass(1_000);
      payer.isSlow(true);
      const [read, milliseconds] = await service.time.during(customer.get(path()));
      expect(expectOne(read).next_action).to.equal(null);
      expect(milliseconds).to.be.within(1_900, 2_500);
    });

    it('succeeds when it is read after its payer has consented', async () => {
      payer.consents({ id: payment.id });
      expect(expectOne(await customer.get(path()))).to.include({ status: 'succeeded', next_action: null });
      expect((await orderNow(customer, unpaid)).status).to.equal('paid');
    });

    it('is canceled with a key only, and the response is replayed', async () => {
      expectError(await customer.patch(path(), { status: 'canceled' }), 'IDEMPOTENCY_KEY_MISSING');
      const key = randomUUID();
      const first = await cancel(customer, payment, {}, key);
      expect(expectOne(first).status).to.equal('canceled');
      expect((await cancel(customer, payment, {}, key)).text).to.equal(first.text);
      expectError(await cancel(customer, payment), 'INVALID_STATE');
    });

    it('is canceled with its metadata by staff, and by no other customer', async () => {
      expectError(await cancel(customer, payment, { metadata: { a: 'b' } }), 'FORBIDDEN');
      expectError(await cancel(await service.person('customer'), payment), 'FORBIDDEN');
      expectInvalid(await cancel(customer, payment, { status: 'succeeded' }), 'status');
      expectInvalid(await cancel(customer, payment, { status: null }), 'status');
      const canceled = expectOne(await cancel(staff, payment, { metadata: { a: 'b' } }));
      expect(canceled).to.deep.include({ status: 'canceled', metadata: { a: 'b' } });
    });

    it('stays when the outcome of its cancellation is unknown, and the same key finds it out', async () => {
      payer.isAvailable(false);
      const key = randomUUID();
      expectError(await cancel(customer, payment, {}, key), 'UPSTREAM_TIMEOUT');
      expect(expectOne(await customer.get(path())).status).to.equal('requires_action');
      payer.isAvailable(true);
      expect(expectOne(await cancel(customer, payment, {}, key)).status).to.equal('canceled');
    });

    it('has succeeded when its payer consented before the cancellation, which is 409', async () => {
      payer.consents({ id: payment.id });
      const key = randomUUID();
      expectError(await cancel(customer, payment, {}, key), 'INVALID_STATE');
      expectError(await cancel(customer, payment, {}, key), 'INVALID_STATE');
      expect(expectOne(await customer.get(path())).status).to.equal('succeeded');
      expect((await orderNow(customer, unpaid)).status).to.equal('paid');
    });

    for (const [fields, invalid] of [
      [{ payer_present: 'true' }, 'payer_present'],
      [{ payer_present: null }, 'payer_present'],
      [{ payer_present: false, return_url: returnUrl }, 'return_url'],
      [{ payer_present: undefined, return_url: returnUrl }, 'return_url'],
      [{ return_url: 'http://shop.example/paid' }, 'return_url'],
      [{ return_url: '' }, 'return_url'],
      [{ return_url: `https://shop.example/${'x'.repeat(2048)}` }, 'return_url'],
      [{ return_url: null }, 'return_url'],
      [{ return_url: 7 }, 'return_url'],
    ] as const) {
      it(`rejects ${JSON.stringify(fields).slice(0, 60)} on ${invalid}`, async () => {
        expectInvalid(await payPresent(customer, unpaid, fields), invalid);
      });
    }

    it('takes http addresses on a loopback address', async () => {
      const other = await newOrder(customer, await newProduct(service));
      const response = await payPresent(customer, other, { return_url: 'http://localhost:5173/paid' });
      expect(expectCreated(response, '/v1/payments').next_action.type).to.equal('redirect');
    });

    it('has no payer to ask when it is offline', async () => {
      const response = await payPresent(staff, unpaid, { payment_method: 'offline' });
      expectInvalid(response, 'payer_present');
    });
  },
  { kind: 'sqlite' },
);

describeService('A provider that asks no payer', {}, (service) => {
  it('has other payments as before, which name no time to act', async () => {
    const customer = await service.person('customer');
    const unpaid = await newOrder(customer, await newProduct(service));
    const response = await pay(customer, unpaid);
    expect(response.headers.get('Cache-Control')).to.equal(null);
    expect(response.headers.get('ETag')).to.match(/^"\d+"$/);
    expect(response.body.data).to.include({ next_action: null, action_expires_at: null });
  });

  it('gives a key whose token no cache keeps', async () => {
    const { headers } = await service.operator.post('/v1/api-keys', { name: 'One' });
    expect(headers.get('Cache-Control')).to.equal('no-store');
  });
});
