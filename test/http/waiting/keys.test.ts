import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import type { Client, Json } from '../support/client.ts';
import { expectError, expectOne } from '../support/expectations.ts';
import { isReplay } from '../support/replays.ts';
import { describeServiceOnEachStore, describeServiceOnMemory } from '../support/service.ts';
import { newOrder, newProduct, paymentsOf } from '../support/shop.ts';
import { timed, untilItWaits } from '../support/waiting.ts';

/** Pays with a key, and sends the same again while the first request runs. */
const payTwice = async (buyer: Client, order: Json, method: string, prefer: string | undefined) => {
  const key = randomUUID();
  const send = (headers: Record<string, string>) =>
    buyer.post(
      '/v1/payments',
      { order_id: order.id, payment_method: method },
      { 'Idempotency-Key': key, ...headers },
    );
  const first = send({});
  await pause(untilItWaits);
  const second = timed(send(prefer === undefined ? {} : { Prefer: prefer }));
  return { first, second };
};

describeServiceOnEachStore('A request that waits for its key', {}, (service) => {
  let buyer: Client;
  let order: Json;
  beforeEach(async () => {
    buyer = await service.person('customer');
    order = await newOrder(buyer, await newProduct(service));
  });

  it('gets the stored response once the first request has ended', async () => {
    const { first, second } = await payTwice(buyer, order, 'tok_slow', 'wait=20');
    const created = await first;
    const ended = performance.now();
    const [replayed] = await second;
    expect(performance.now() - ended).to.be.below(600);
    expect([created.status, replayed.status]).to.deep.equal([201, 201]);
    expect(replayed.body).to.deep.equal(created.body);
    expect([isReplay(created), isReplay(replayed)]).to.deep.equal([false, true]);
    expect(replayed.headers.get('Preference-Applied')).to.equal('wait=20');
    expect(await paymentsOf(buyer, order)).to.have.length(1);
  });
});

describeServiceOnMemory(
  'Waiting for a key',
  { PAYMENT_TIMEOUT_MS: '3000', IDEMPOTENCY_LEASE_MS: '60000' },
  (service) => {
    let buyer: Client;
    let order: Json;
    beforeEach(async () => {
      buyer = await service.person('customer');
      order = await newOrder(buyer, await newProduct(service));
    });

    it('does not happen without the preference: 409 comes at once', async () => {
      const { first, second } = await payTwice(buyer, order, 'tok_slow', undefined);
      const [response, milliseconds] = await second;
      expectError(response, 'IDEMPOTENCY_KEY_IN_PROGRESS');
      expect(response.headers.has('Preference-Applied')).to.equal(false);
      expect(milliseconds).to.be.below(500);
      expect((await first).status).to.equal(201);
    });

    it('ends with 409 when the time has passed', async () => {
      const { first, second } = await payTwice(buyer, order, 'tok_timeout', 'wait=1');
      const [response, milliseconds] = await second;
      expectError(response, 'IDEMPOTENCY_KEY_IN_PROGRESS');
      expect(milliseconds).to.be.within(990, 1_900);
      expect(response.headers.get('Preference-Applied')).to.equal('wait=1');
      expect(response.headers.get('Link')).to.match(/rel="monitor"/);
      expect(response.headers.get('Retry-After')).to.equal('1');
      expect((await first).status).to.equal(504);
    });

    it('takes the request up when the first one has ended without a response', async () => {
      const { first, second } = await payTwice(buyer, order, 'tok_timeout', 'wait=20');
      expect((await first).status).to.equal(504);
      const [response] = await second;
      expect(expectOne(response, 201).status).to.equal('succeeded');
      expect(await paymentsOf(buyer, order)).to.have.length(1);
    });

    it('is for the same request only: another one is rejected at once', async () => {
      const key = randomUUID();
      const headers = { 'Idempotency-Key': key };
      const first = buyer.post('/v1/payments', { order_id: order.id, payment_method: 'tok_slow' }, headers);
      await pause(untilItWaits);
      const [other, milliseconds] = await timed(
        buyer.post(
          '/v1/payments',
          { order_id: order.id, payment_method: 'tok_ok' },
          { ...headers, Prefer: 'wait=20' },
        ),
      );
      expectError(other, 'IDEMPOTENCY_KEY_REUSED', ['payment_method']);
      expect(milliseconds).to.be.below(500);
      expect((await first).status).to.equal(201);
    });
  },
);
