import { expect } from 'chai';
import type { Client } from '../support/client.ts';
import { expectError } from '../support/expectations.ts';
import { describeServiceInSimulatedTime } from '../support/service.ts';
import { newProduct } from '../support/shop.ts';
import { observed, untilWaiting } from '../support/waiting.ts';

describeServiceInSimulatedTime(
  'The credential of a request that waits',
  { ...observed, RATE_LIMIT_MAX: '1000' },
  (service) => {
    const read = (client: Client, filter: string) =>
      service.time.during(client.get(`/v1/events?start=latest&type=${filter}`, { Prefer: 'wait=20' }));
    const keyOf = async ({ userId }: { readonly userId: string }) =>
      (await service.operator.get(`/v1/api-keys?user_id=${userId}`)).body.data[0];

    it('is checked every four seconds: a revoked key gets 401', async () => {
      const staff = await service.person('staff');
      const waiting = read(staff, 'order.*');
      await untilWaiting(service, 1);
      await service.operator.delete(`/v1/api-keys/${(await keyOf(staff)).id}`);
      const [response, milliseconds] = await waiting;
      expectError(response, 'UNAUTHORIZED');
      expect(milliseconds).to.be.within(3_900, 5_000);
    });

    it('is checked before the response: a revoked key gets no event', async () => {
      const staff = await service.person('staff');
      const waiting = read(staff, 'product.*');
      await untilWaiting(service, 1);
      await service.operator.delete(`/v1/api-keys/${(await keyOf(staff)).id}`);
      await newProduct(service);
      const [response, milliseconds] = await waiting;
      expectError(response, 'UNAUTHORIZED');
      expect(milliseconds).to.be.below(2_000);
    });

    it('has the role that its user has then: 403 without the role', async () => {
      const staff = await service.person('staff');
      const waiting = read(staff, 'product.*');
      await untilWaiting(service, 1);
      const changed = await service.operator.patch(`/v1/users/${staff.userId}`, { role: 'customer' });
      expect(changed.status).to.equal(200);
      await newProduct(service);
      const [response] = await waiting;
      expectError(response, 'FORBIDDEN');
    });

    it('shows what the role of then may see', async () => {
      const admin = await service.person('admin');
      const waiting = read(admin, 'api_key.created');
      await untilWaiting(service, 1);
      await service.operator.patch(`/v1/users/${admin.userId}`, { role: 'staff' });
      await service.person('customer');
      const [{ body }] = await waiting;
      expect(body.data).to.have.length(1);
      expect(body.data[0].data).to.equal(null);
    });

    it('counts once for the rate limit', async () => {
      const staff = await service.person('staff');
      const waiting = read(staff, 'product.*');
      await untilWaiting(service, 1);
      for (const _ of [1, 2, 3]) {
        await service.person('customer');
        await service.time.pass(50);
      }
      await newProduct(service);
      const [response] = await waiting;
      expect(response.headers.get('X-RateLimit-Remaining')).to.equal('999');
      const next = await staff.get('/v1/products');
      expect(next.headers.get('X-RateLimit-Remaining')).to.equal('998');
    });
  },
);
