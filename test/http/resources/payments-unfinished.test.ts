import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Json } from '../support/client.ts';
import { expectCreated, expectError } from '../support/expectations.ts';
import { describeServiceInSimulatedTime, registered } from '../support/service.ts';
import {
  addItem,
  firstItem,
  newOrder,
  newProduct,
  offered,
  orderNow,
  pay,
  paymentsOf,
} from '../support/shop.ts';

/** `tok_slow` takes a second: longer than the short timeout, and shorter than the long one. */
const shortTimeout = { PAYMENT_TIMEOUT_MS: '50' };
const longTimeout = { PAYMENT_TIMEOUT_MS: '5000' };

/** The background jobs run this often, so that the tests are fast. */
const settling = { ...shortTimeout, RECONCILE_AFTER_MS: '300' };

describeServiceInSimulatedTime(
  'A payment whose outcome is unknown',
  shortTimeout,
  (service) => {
    const customer = registered(service, 'customer');
    const product = offered(service);
    let unpaid: Json;
    let key: string;

    beforeEach(async () => {
      unpaid = await newOrder(customer, product);
      key = randomUUID();
    });

    it('because the provider failed responds 502 and stays pending, and a retry makes no second payment', async () => {
      expectError(await pay(customer, unpaid, 'tok_error', key), 'UPSTREAM_FAILED');
      expectError(await pay(customer, unpaid, 'tok_error', key), 'UPSTREAM_FAILED');
      const [payment, ...more] = await paymentsOf(customer, unpaid);
      expect(payment).to.include({ status: 'pending', provider_reference: null, failure: null });
      expect(more).to.deep.equal([]);
    });

    it('because the provider timed out responds 504, and the retry gets the outcome', async () => {
      expectError(await pay(customer, unpaid, 'tok_timeout', key), 'UPSTREAM_TIMEOUT');
      const [pending] = await paymentsOf(customer, unpaid);
      expect(pending.status).to.equal('pending');

      const retry = await pay(customer, unpaid, 'tok_timeout', key);
      expect(retry.headers.get('Idempotent-Replayed')).to.equal(null);
      const payment = expectCreated(retry, '/v1/payments');
      expect(payment).to.include({ id: pending.id, status: 'succeeded' });
      expect((await orderNow(customer, unpaid)).status).to.equal('paid');

      const again = await pay(customer, unpaid, 'tok_timeout', key);
      expect(again.headers.get('Idempotent-Replayed')).to.equal('true');
      expect(again.text).to.equal(retry.text);
      expect(await paymentsOf(customer, unpaid)).to.deep.equal([payment]);
    });

    it('is settled once by two concurrent retries', async () => {
      expectError(await pay(customer, unpaid, 'tok_timeout', key), 'UPSTREAM_TIMEOUT');
      const retry = () => pay(customer, unpaid, 'tok_timeout', key);
      const responses = await Promise.all([retry(), retry(), retry()]);
      for (const response of responses) {
        if (response.status !== 201) expectError(response, 'IDEMPOTENCY_KEY_IN_PROGRESS');
      }
      expect(responses.some(({ status }) => status === 201)).to.equal(true);
      expect(await paymentsOf(customer, unpaid)).to.have.lengthOf(1);
    });

    it('blocks payment, changes and cancellation of its order', async () => {
      const item = await firstItem(customer, unpaid);
      expectError(await pay(customer, unpaid, 'tok_timeout', key), 'UPSTREAM_TIMEOUT');
      expectError(await pay(customer, unpaid), 'INVALID_STATE');
      expectError(await addItem(customer, unpaid, product), 'INVALID_STATE');
      const path = `/v1/orders/${unpaid.id}`;
      expectError(await customer.patch(path, { status: 'canceled' }), 'INVALID_STATE');
      expectError(await customer.patch(`${path}/items/${item.id}`, { quantity: 2 }), 'INVALID_STATE');
      expectError(await customer.delete(`${path}/items/${item.id}`), 'INVALID_STATE');
    });
  },
  { kind: 'sqlite' },
);

describeServiceInSimulatedTime(
  'A payment that no client retries',
  settling,
  (service) => {
    const customer = registered(service, 'customer');
    const product = offered(service, { stock: 100 });

    /** Waits until the order's only payment is no longer pending. */
    const settled = async (order: Json): Promise<Json> => {
      const isSettled = ([payment]: Json[]) => payment.status !== 'pending';
      return (await service.until(() => paymentsOf(customer, order), isSettled))[0];
    };

    it('is settled as succeeded, and a late retry gets that outcome', async () => {
      const unpaid = await newOrder(customer, product);
      const key = randomUUID();
      expectError(await pay(customer, unpaid, 'tok_timeout', key), 'UPSTREAM_TIMEOUT');
      const payment = await settled(unpaid);
      expect(payment.status).to.equal('succeeded');
      expect((await orderNow(customer, unpaid)).status).to.equal('paid');

      const retry = await pay(customer, unpaid, 'tok_timeout', key);
      expect(expectCreated(retry, '/v1/payments')).to.deep.equal(payment);
      expect(await paymentsOf(customer, unpaid)).to.deep.equal([payment]);
      expect((await pay(customer, unpaid, 'tok_timeout', key)).text).to.equal(retry.text);
    });

    it('is settled as failed, a late retry gets that outcome, and the order can be paid again', async () => {
      const unpaid = await newOrder(customer, product);
      const key = randomUUID();
      expectError(await pay(customer, unpaid, 'tok_error', key), 'UPSTREAM_FAILED');
      const payment = await settled(unpaid);
      expect(payment.status).to.equal('failed');
      expect(payment.failure).to.have.all.keys('code', 'message');

      expectError(await pay(customer, unpaid, 'tok_error', key), 'PAYMENT_DECLINED');
      expectError(await pay(customer, unpaid, 'tok_error', key), 'PAYMENT_DECLINED');
      expectCreated(await pay(customer, unpaid), '/v1/payments');
      expect(await paymentsOf(customer, unpaid)).to.have.lengthOf(2);
    });
  },
  { kind: 'sqlite' },
);

describeServiceInSimulatedTime(
  'A slow payment',
  longTimeout,
  (service) => {
    it('responds when it is settled, and is pending until then', async () => {
      const customer = await service.person('customer');
      const unpaid = await newOrder(customer, await newProduct(service));
      const key = randomUUID();
      const slow = pay(customer, unpaid, 'tok_slow', key);
      const [pending] = await service.until(
        () => paymentsOf(customer, unpaid),
        (payments) => payments.length > 0,
      );
      expect(pending.status).to.equal('pending');

      const meanwhile = await pay(customer, unpaid, 'tok_slow', key);
      expectError(meanwhile, 'IDEMPOTENCY_KEY_IN_PROGRESS');
      expect(meanwhile.headers.get('Retry-After')).to.equal('1');
      expectError(await pay(customer, unpaid), 'INVALID_STATE');

      const response = await slow;
      expect(expectCreated(response, '/v1/payments')).to.include({ id: pending.id, status: 'succeeded' });
      const replay = await pay(customer, unpaid, 'tok_slow', key);
      expect(replay.text).to.equal(response.text);
      expect(replay.headers.get('Idempotent-Replayed')).to.equal('true');
    });
  },
  { kind: 'sqlite' },
);
