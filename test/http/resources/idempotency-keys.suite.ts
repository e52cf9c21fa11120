import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { ApiResponse, Client, Json } from '../support/client.ts';
import { expectCreated, expectError, expectInvalid, expectList, expectOne } from '../support/expectations.ts';
import { registered, serviceSuite } from '../support/service.ts';
import {
  euros,
  newOrder,
  newPaidOrder,
  newProduct,
  nowhere,
  offered,
  once,
  pay,
  paymentsOf,
} from '../support/shop.ts';

/** A payment of `tok_slow` takes a second. */
const settings = { PAYMENT_TIMEOUT_MS: '2000' };

export const describeIdempotencyKey = serviceSuite(
  'The idempotency key of a request',
  settings,
  (service) => {
    const customer = registered(service, 'customer');
    const product = offered(service);
    let key: string;

    beforeEach(() => {
      key = `${randomUUID()}?&=%/"<>'`;
    });

    const listed = async (reader: Client, query = `key=${encodeURIComponent(key)}`): Promise<Json[]> =>
      expectList(await reader.get(`/v1/idempotency-keys?${query}`));

    const only = async (): Promise<Json> => {
      const [found, ...more] = await listed(customer);
      expect(more).to.deep.equal([]);
      return found ?? expect.fail('The key is in no list.');
    };

    const order = (quantity = 1) =>
      customer.post(
        '/v1/orders',
        { product_id: product.id, quantity },
        { 'Idempotency-Key': key, 'X-Request-Id': `first-of-${key.slice(0, 8)}` },
      );

    const linkOf = (response: ApiResponse): string | null => response.headers.get('Link');

    /** What the response says where to look: that page, followed as it stands. */
    const monitored = async (response: ApiResponse): Promise<Json> => {
      const [, path = ''] =
        /^<(\/v1\/idempotency-keys\?key=[^>]+)>; rel="monitor"$/.exec(linkOf(response) ?? '') ?? [];
      const [found] = expectList(await customer.get(path));
      expect(found?.key).to.equal(key);
      return found;
    };

    it('is in no list before the request', async () => {
      expect(await listed(customer)).to.deep.equal([]);
    });

    it('says what was created, and that a replay is no attempt', async () => {
      const created = expectCreated(await order(), '/v1/orders');
      await order();
      const found = await only();
      expect(found).to.deep.equal({
        ...{
          id: found.id,
          user_id: customer.userId,
          key,
          status: 'completed',
          method: 'POST',
          path: '/v1/orders',
        },
        ...{
          request_id: `first-of-${key.slice(0, 8)}`,
          attempt_count: 1,
          response_status: 201,
          error_code: null,
        },
        subject: { type: 'order', id: created.id, path: `/v1/orders/${created.id}` },
        ...{ lease_until: null, expires_at: found.expires_at },
        ...{ version: 1, created_at: found.created_at, updated_at: found.created_at },
      });
      expect(found.id).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab]/);
      expect(Date.parse(found.expires_at) - Date.parse(found.created_at)).to.equal(24 * 60 * 60 * 1000);
      const response = await customer.get(`/v1/idempotency-keys/${found.id}`);
      expect(expectOne(response)).to.deep.equal(found);
      expect(response.headers.get('ETag')).to.equal('"1"');
      expect(
        (await customer.get(`/v1/idempotency-keys/${found.id}`, { 'If-None-Match': '"1"' })).status,
      ).to.equal(304);
    });

    it('says what was changed, and a path with no id as its pattern', async () => {
      const { id } = expectCreated(
        await customer.post('/v1/orders', { product_id: product.id, quantity: 1 }),
        '/v1/orders',
      );
      await customer.patch(`/v1/orders/${id}`, { status: 'canceled' }, { 'Idempotency-Key': key });
      expect(await only()).to.deep.include({
        ...{ method: 'PATCH', path: `/v1/orders/${id}`, response_status: 200 },
        subject: { type: 'order', id, path: `/v1/orders/${id}` },
      });
      key = randomUUID();
      const line = { product_id: product.id, quantity: 1 };
      expectError(
        await customer.post('/v1/orders/Ada-Lovelace/items', line, { 'Idempotency-Key': key }),
        'NOT_FOUND',
      );
      expect(await only()).to.include({
        path: '/v1/orders/{order_id}/items',
        error_code: 'NOT_FOUND',
        subject: null,
      });
    });

    it('says why a request was rejected, and never shows what was sent', async () => {
      expectInvalid(await order(0), 'quantity');
      expect(await listed(customer)).to.deep.equal([]);
      const scarce = await newProduct(service, { stock: 1 });
      const body = { product_id: scarce.id, quantity: 2 };
      expectError(await customer.post('/v1/orders', body, { 'Idempotency-Key': key }), 'OUT_OF_STOCK');
      const found = await only();
      expect(found).to.include({
        ...{ status: 'completed', response_status: 409, error_code: 'OUT_OF_STOCK', subject: null },
      });
      expect(JSON.stringify(found)).to.not.include(scarce.id);
    });

    it('leads from 502 to the payment, open until a retry takes it up', async () => {
      const unpaid = await newOrder(customer, product);
      const response = await pay(customer, unpaid, 'tok_error', key);
      expectError(response, 'UPSTREAM_FAILED');
      expect(linkOf(response)).to.equal(
        `</v1/idempotency-keys?key=${encodeURIComponent(key)}>; rel="monitor"`,
      );
      const [payment] = await paymentsOf(customer, unpaid);
      const open = await monitored(response);
      expect(open).to.deep.include({
        ...{
          status: 'open',
          attempt_count: 1,
          response_status: null,
          error_code: null,
          path: '/v1/payments',
        },
        subject: { type: 'payment', id: payment.id, path: `/v1/payments/${payment.id}` },
      });
      expect(Date.parse(open.lease_until)).to.be.at.most(Date.now() + 20);
      const retried = await pay(customer, unpaid, 'tok_error', key);
      const again = await monitored(retried);
      expect(again).to.include({ id: open.id, status: 'open', attempt_count: 2 });
      expect(again.version).to.be.greaterThan(open.version);
      for (const status of ['open', 'completed', 'in_progress']) {
        const found = await listed(customer, `key=${encodeURIComponent(key)}&status=${status}`);
        expect(found).to.have.lengthOf(status === 'open' ? 1 : 0);
      }
    });

    it('leads from 504 to the payment, and to its response after a retry', async () => {
      const unpaid = await newOrder(customer, product);
      const response = await pay(customer, unpaid, 'tok_timeout', key);
      expectError(response, 'UPSTREAM_TIMEOUT');
      expect(await monitored(response)).to.include({ status: 'open', response_status: null });
      const payment = expectCreated(await pay(customer, unpaid, 'tok_timeout', key), '/v1/payments');
      expect(await only()).to.deep.include({
        ...{ status: 'completed', attempt_count: 2, response_status: 201, lease_until: null },
        subject: { type: 'payment', id: payment.id, path: `/v1/payments/${payment.id}` },
      });
    });

    it('is in progress during the request, and 409 leads to it', async () => {
      const unpaid = await newOrder(customer, product);
      const first = pay(customer, unpaid, 'tok_slow', key);
      const second = pay(customer, unpaid, 'tok_slow', key);
      // The one that arrives first pays.
      const rejected = await Promise.race([first, second]);
      expectError(rejected, 'IDEMPOTENCY_KEY_IN_PROGRESS');
      const found = await monitored(rejected);
      expect(found).to.include({ status: 'in_progress', attempt_count: 1, version: 1 });
      expect(Date.parse(found.lease_until)).to.be.greaterThan(Date.now());
      const statuses = (await Promise.all([first, second])).map(({ status }) => status);
      expect(statuses).to.have.members([201, 409]);
      expect(await only()).to.include({ status: 'completed', version: 2, response_status: 201 });
    });

    it('says that a payment was declined, and which', async () => {
      const unpaid = await newOrder(customer, product);
      const response = await pay(customer, unpaid, 'tok_declined', key);
      expectError(response, 'PAYMENT_DECLINED');
      expect(linkOf(response)).to.equal(null);
      const [payment] = await paymentsOf(customer, unpaid);
      expect(await only()).to.deep.include({
        ...{ status: 'completed', response_status: response.status, error_code: 'PAYMENT_DECLINED' },
        subject: { type: 'payment', id: payment.id, path: `/v1/payments/${payment.id}` },
      });
    });

    it('used for another payment names the fields that differ', async () => {
      const [unpaid, other] = [await newOrder(customer, product), await newOrder(customer, product)];
      expectCreated(await pay(customer, unpaid, 'tok_ok', key), '/v1/payments');
      expectError(await pay(customer, other, 'tok_ok', key), 'IDEMPOTENCY_KEY_REUSED', ['order_id']);
      const both = ['order_id', 'payment_method'];
      expectError(await pay(customer, other, 'tok_slow', key), 'IDEMPOTENCY_KEY_REUSED', both);
      // Another route, whose fields are others.
      expectError(await order(), 'IDEMPOTENCY_KEY_REUSED');
    });

    it('used for another refund names the fields that differ, also one that is left out', async () => {
      const staff = await service.person('staff');
      const paid = await newPaidOrder(customer, product);
      const [payment] = await paymentsOf(customer, paid);
      const refund = (fields: object) =>
        staff.post('/v1/refunds', { payment_id: payment.id, ...fields }, { 'Idempotency-Key': key });
      expectCreated(await refund({ amount: euros(1), reason: 'Broken' }), '/v1/refunds');
      expectError(await refund({ amount: euros(2), reason: 'Broken' }), 'IDEMPOTENCY_KEY_REUSED', ['amount']);
      expectError(await refund({ amount: euros(1) }), 'IDEMPOTENCY_KEY_REUSED', ['reason']);
    });

    it('used for other metadata of a payment or refund names the fields that differ, also on another route', async () => {
      const staff = await service.person('staff');
      const paid = await newPaidOrder(customer, product);
      const [payment] = await paymentsOf(customer, paid);
      const refunding = { payment_id: payment.id, amount: euros(1) };
      const refund = expectCreated(await staff.post('/v1/refunds', refunding, once()), '/v1/refunds');
      for (const path of [`/v1/payments/${payment.id}`, `/v1/refunds/${refund.id}`]) {
        const headers = once();
        expectOne(await staff.patch(path, { metadata: { till: '1' } }, headers));
        const reused = (metadata: object) => staff.patch(path, { metadata }, headers);
        expectError(await reused({ till: '2' }), 'IDEMPOTENCY_KEY_REUSED', ['metadata']);
        const elsewhere = await staff.post('/v1/refunds', refunding, headers);
        expectError(elsewhere, 'IDEMPOTENCY_KEY_REUSED', ['metadata', 'payment_id', 'amount']);
        const nowhereElse = await staff.patch(`/v1/refunds/${nowhere}`, { metadata: { till: '1' } }, headers);
        expectError(nowhereElse, 'IDEMPOTENCY_KEY_REUSED', []);
      }
    });

    it('belongs to its user: others see nothing of it, and an administrator asks by user', async () => {
      await order();
      const found = await only();
      const [stranger, admin] = [await service.person('staff'), await service.person('admin')];
      const byUser = `key=${encodeURIComponent(key)}&user_id=${customer.userId}`;
      for (const query of [`key=${encodeURIComponent(key)}`, byUser])
        expect(await listed(stranger, query)).to.deep.equal([]);
      expectError(await stranger.get(`/v1/idempotency-keys/${found.id}`), 'FORBIDDEN');
      expect(await listed(admin)).to.deep.equal([]);
      expect(await listed(admin, byUser)).to.deep.equal([found]);
      expect(expectOne(await admin.get(`/v1/idempotency-keys/${found.id}`))).to.deep.equal(found);
      expectError(await customer.get(`/v1/idempotency-keys/${nowhere}`), 'NOT_FOUND');
    });
  },
);
