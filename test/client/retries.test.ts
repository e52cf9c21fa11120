import { mock } from 'node:test';
import { expect } from 'chai';
import { newIdempotencyKey } from '#adapters/http/client/build-request.ts';
import { orThrow } from '#adapters/http/client/index.ts';
import { endOfTurn } from '#adapters/support/time.ts';
import { Random } from '#test/support/random.ts';
import { freePort } from '../bootstrap/support/ports.ts';
import { describeServiceOnMemory } from '../http/support/service.ts';
import { newProduct } from '../http/support/shop.ts';
import { forEachCase } from '../support/for-each-case.ts';
import type { Fault } from './faulty-wire.ts';
import { Shop } from './shop.ts';

const faults: readonly Fault[] = [
  'not sent',
  'answer lost',
  'answer cut',
  'silence',
  'bad gateway',
  'portal',
];

/** The faults with which the request does not reach the service. */
const early: readonly Fault[] = ['not sent', 'bad gateway', 'portal'];

describeServiceOnMemory('The client, when requests fail,', {}, (service) => {
  const shop = new Shop(service);
  const { time, wire } = shop;

  it('pays once, whatever fault occurs twice in a row', () =>
    forEachCase(faults, async (fault) => {
      const customer = await shop.client('customer', { timeoutMilliseconds: 5_000 });
      const { id } = await shop.newOrder(customer);
      wire.expect(fault, fault);
      const paid = orThrow(
        await customer.send('POST /payments', { body: { order_id: id, payment_method: 'tok_ok' } }),
      );
      expect(paid.data).to.include({ order_id: id, status: 'succeeded' });
      expect(paid.replayed).to.equal(!early.includes(fault));

      expect(wire.seen).to.have.length.of.at.least(3);
      expect(new Set(wire.seen.map(({ key }) => key))).to.have.property('size', 1);
      expect(new Set(wire.seen.map(({ body }) => body))).to.have.property('size', 1);
      expect(wire.seen[0]?.key).to.equal(paid.idempotencyKey);
      const payments = orThrow(await customer.send('GET /payments', { query: { order_id: id } }));
      expect(payments.data).to.deep.equal([paid.data]);
    }));

  it('generates idempotency keys that ascend with the time', () => {
    const begun = Date.UTC(2027, 0, 1);
    const clock = mock.method(Date, 'now', () => begun);
    const keys: string[] = [];
    for (let call = 0; call < 3; call += 1) {
      clock.mock.mockImplementation(() => begun + call);
      keys.push(newIdempotencyKey());
    }
    clock.mock.restore();
    expect(keys).to.deep.equal(keys.toSorted());
    for (const key of keys) expect(key).to.match(/^[0-9a-f]{32}$/);
    expect(Number.parseInt(keys[0]?.slice(0, 12) ?? '', 16)).to.equal(begun);
    expect(new Set(Array.from({ length: 1_000 }, newIdempotencyKey))).to.have.property('size', 1_000);
  });

  it('generates another key for each call', async () => {
    const customer = await shop.client();
    const orders = [await shop.newOrder(customer), await shop.newOrder(customer)];
    wire.expect();
    for (const { id } of orders) {
      await customer.send('POST /payments', { body: { order_id: id, payment_method: 'tok_ok' } });
    }
    const keys = wire.seen.map(({ key }) => key ?? '');
    expect(keys[0]).to.not.equal(keys[1]);
    expect(keys.join('')).to.match(/^[0-9a-f]{64}$/);
  });

  it('pays each of twenty orders once, whatever faults occur', async () => {
    const random = new Random(7);
    const customer = await shop.client('customer', { timeoutMilliseconds: 5_000 });
    for (let count = 0; count < 20; count += 1) {
      const { id } = await shop.newOrder(customer);
      wire.expect(
        ...Array.from({ length: random.below(3) }, () => faults[random.below(faults.length)] ?? 'none'),
      );
      const paid = orThrow(
        await customer.send('POST /payments', { body: { order_id: id, payment_method: 'tok_ok' } }),
      );
      wire.expect();
      const payments = orThrow(await customer.send('GET /payments', { query: { order_id: id } }));
      expect(payments.data).to.deep.equal([paid.data]);
    }
  });

  it('does not retry after a final error', async () => {
    const customer = await shop.client();
    const { id } = await shop.newOrder(customer);
    wire.expect();
    const declined = await customer.send('POST /payments', {
      body: { order_id: id, payment_method: 'tok_declined' },
    });
    expect(declined).to.have.nested.property('error.code', 'PAYMENT_DECLINED');
    expect(wire.seen).to.have.length(1);
  });

  it('retries while the first request with the key is running', async () => {
    const customer = await shop.client();
    const { id } = await shop.newOrder(customer);
    const payment = {
      body: { order_id: id, payment_method: 'tok_slow' },
      idempotencyKey: 'one-key-for-both',
    };
    const [one, other] = await Promise.all([
      customer.send('POST /payments', payment),
      customer.send('POST /payments', payment),
    ]);
    expect(orThrow(one).data).to.deep.equal(orThrow(other).data);
    expect([orThrow(one).replayed, orThrow(other).replayed]).to.have.members([true, false]);
  });

  it('returns the last error and the key when it stops retrying', async () => {
    const customer = await shop.client('customer', { retryForMilliseconds: 500 });
    const { id } = await shop.newOrder(customer);
    wire.expect(...Array.from({ length: 100 }, () => 'answer lost' as const));
    const payment = { order_id: id, payment_method: 'tok_ok' };
    const answer = await customer.send('POST /payments', { body: payment });
    if (answer.ok) expect.fail('No response can have arrived.');
    expect(answer.error).to.include({ code: 'UNREACHABLE', status: 0, isFinal: false });
    expect(wire.seen.length).to.be.greaterThan(1);

    wire.expect();
    const { idempotencyKey = '' } = answer.error;
    const paid = orThrow(await customer.send('POST /payments', { body: payment, idempotencyKey }));
    expect(paid.replayed).to.equal(true);
  });

  it('tries once when retries are off', async () => {
    const customer = await shop.client();
    wire.expect('bad gateway');
    const answer = await customer.send('GET /orders', { retryForMilliseconds: 0 });
    expect(answer).to.have.nested.property('error.code', 'UNREADABLE');
    expect(answer).to.have.nested.property('error.status', 502);
    expect(wire.seen).to.have.length(1);
  });

  it('counts 404 as success after a deletion whose response was lost', async () => {
    const staff = await shop.client('staff');
    const { id } = await newProduct(service);
    wire.expect('answer lost');
    expect(await staff.send('DELETE /products/{id}', { path: { id } })).to.include({ ok: true, status: 204 });
    const again = await staff.send('DELETE /products/{id}', { path: { id } });
    expect(again).to.have.nested.property('error.code', 'PRODUCT_NOT_FOUND');
  });

  it('does not count a 404 of another server as a deletion', async () => {
    const staff = await shop.client('staff');
    const { id } = await newProduct(service);
    wire.expect('bad gateway', 'nowhere');
    const answer = await staff.send('DELETE /products/{id}', { path: { id } });
    expect(answer).to.have.nested.property('error.code', 'UNREADABLE');
    expect(await staff.send('GET /products/{id}', { path: { id } })).to.have.property('ok', true);
  });

  it('throws at once for a request that can never be sent', async () => {
    for (const settings of [{ url: 'localhost:3000' }, { url: '/v1' }, { key: 'ptc_…' }]) {
      const customer = await shop.client('customer', settings);
      const error = await customer.send('GET /orders').catch((thrown) => thrown);
      expect(error, JSON.stringify(settings)).to.be.instanceOf(TypeError);
    }
  });

  it('gives the reason when no response arrives', async () => {
    const customer = await shop.client('customer', {
      url: `http://127.0.0.1:${await freePort()}`,
      retryForMilliseconds: 0,
    });
    const answer = await customer.send('GET /orders');
    expect(answer).to.have.nested.property('error.message').that.includes('ECONNREFUSED');
  });

  describe('when its signal aborts,', () => {
    it('ends while it waits for a response', async () => {
      const customer = await shop.client();
      wire.expect('silence');
      const controller = new AbortController();
      const call = customer.send('GET /orders', { signal: controller.signal }).catch((reason) => reason);
      while (wire.seen.length === 0) await endOfTurn();
      controller.abort(new Error('Enough.'));
      expect(await call).to.have.property('message', 'Enough.');
    });

    it('ends while it waits to retry', async () => {
      const customer = await shop.client();
      wire.expect(...Array.from({ length: 100 }, () => 'not sent' as const));
      const controller = new AbortController();
      setTimeout(() => controller.abort(new Error('Enough.')), 400);
      const call = customer.send('GET /orders', { signal: controller.signal }).catch((reason) => reason);
      // It would retry for five seconds.
      expect(await time.taken(() => call)).to.be.within(399, 450);
      expect(await call).to.have.property('message', 'Enough.');
    });

    it('ends while it waits for the key', async () => {
      const customer = await shop.client('customer', { key: () => new Promise<string>(() => undefined) });
      const controller = new AbortController();
      setTimeout(() => controller.abort(new Error('Enough.')), 100);
      const call = customer.send('GET /orders', { signal: controller.signal }).catch((reason) => reason);
      // It would wait for five seconds.
      expect(await time.taken(() => call)).to.be.within(99, 150);
      expect(await call).to.have.property('message', 'Enough.');
    });

    it('sends nothing when the signal has aborted before', async () => {
      const customer = await shop.client();
      wire.expect();
      const reason = await customer.send('GET /orders', { signal: AbortSignal.abort() }).catch((e) => e);
      expect(reason).to.have.property('name', 'AbortError');
      expect(wire.seen).to.have.length(0);
    });
  });
});

describeServiceOnMemory(
  'The client, where three requests a second are allowed,',
  { RATE_LIMIT_MAX: '3', RATE_LIMIT_WINDOW_SECONDS: '1' },
  (service) => {
    const shop = new Shop(service);

    it('waits for Retry-After, and then succeeds', async () => {
      const customer = await shop.client();
      shop.wire.expect();
      for (let count = 0; count < 8; count += 1) orThrow(await customer.send('GET /orders'));
      expect(shop.wire.seen.length, 'requests, of which some were rejected').to.be.within(9, 20);
    });

    it('does not wait longer than retryForMilliseconds', async () => {
      const customer = await shop.client('customer', { retryForMilliseconds: 0 });
      const answers = [];
      // Wherever the window begins, it contains more than three of these requests.
      for (let count = 0; count < 8; count += 1) answers.push(await customer.send('GET /orders'));
      const rejected = answers.find(({ ok }) => !ok);
      expect(rejected).to.have.nested.property('error.code', 'RATE_LIMITED');
      expect(rejected).to.have.nested.property('error.retryAfterSeconds').that.is.within(1, 2);
    });
  },
);
