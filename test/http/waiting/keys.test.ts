import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { localKinds } from '../../support/test-databases.ts';
import type { Client, Json } from '../support/client.ts';
import { expectError, expectOne } from '../support/expectations.ts';
import { describeServiceInSimulatedTime } from '../support/service.ts';
import { newOrder, newProduct, paymentsOf } from '../support/shop.ts';
import { describeWaitForKey, payTwice, untilItPays } from './keys.suite.ts';

describeWaitForKey(localKinds);

describeServiceInSimulatedTime(
  'Waiting for a key',
  { PAYMENT_TIMEOUT_MS: '7500', IDEMPOTENCY_LEASE_MS: '60000' },
  (service) => {
    let buyer: Client;
    let order: Json;
    beforeEach(async () => {
      buyer = await service.person('customer');
      order = await newOrder(buyer, await newProduct(service));
    });

    it('does not happen without the preference: 409 comes at once', async () => {
      const { first, second } = await payTwice(service, buyer, order, 'tok_slow', undefined);
      const [response, milliseconds] = await service.time.during(second);
      expectError(response, 'IDEMPOTENCY_KEY_IN_PROGRESS');
      expect(response.headers.has('Preference-Applied')).to.equal(false);
      expect(milliseconds).to.be.below(500);
      expect((await service.time.during(first))[0].status).to.equal(201);
    });

    it('ends with 409 when the time has passed', async () => {
      const { first, second } = await payTwice(service, buyer, order, 'tok_timeout', 'wait=1');
      const [response, milliseconds] = await service.time.during(second);
      expectError(response, 'IDEMPOTENCY_KEY_IN_PROGRESS');
      expect(milliseconds).to.be.within(1_000, 1_300);
      expect(response.headers.get('Preference-Applied')).to.equal('wait=1');
      expect(response.headers.get('Link')).to.match(/rel="monitor"/);
      expect(response.headers.get('Retry-After')).to.equal('1');
      expect((await service.time.during(first))[0].status).to.equal(504);
    });

    it('takes the request up within a second after the first one has ended without a response', async () => {
      const { first, second } = await payTwice(service, buyer, order, 'tok_timeout', 'wait=20');
      expect((await service.time.during(first))[0].status).to.equal(504);
      const [response, milliseconds] = await service.time.during(second);
      expect(milliseconds).to.be.below(1_200);
      expect(expectOne(response, 201).status).to.equal('succeeded');
      expect(await paymentsOf(buyer, order)).to.have.length(1);
    });

    it('is for the same request only: another one is rejected at once', async () => {
      const key = randomUUID();
      const headers = { 'Idempotency-Key': key };
      const first = buyer.post('/v1/payments', { order_id: order.id, payment_method: 'tok_slow' }, headers);
      await untilItPays(service, buyer, order);
      const [other, milliseconds] = await service.time.during(
        buyer.post(
          '/v1/payments',
          { order_id: order.id, payment_method: 'tok_ok' },
          { ...headers, Prefer: 'wait=20' },
        ),
      );
      expectError(other, 'IDEMPOTENCY_KEY_REUSED', ['payment_method']);
      expect(milliseconds).to.be.below(500);
      expect((await service.time.during(first))[0].status).to.equal(201);
    });
  },
);
