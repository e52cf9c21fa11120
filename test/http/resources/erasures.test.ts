import { expect } from 'chai';
import { localKinds } from '../../support/test-databases.ts';
import { expectCreated, expectError, expectInvalid, expectList, expectOne } from '../support/expectations.ts';
import { isReplay } from '../support/replays.ts';
import { describeServiceInSimulatedTime } from '../support/service.ts';
import { newProduct, nowhere, once } from '../support/shop.ts';
import { describeErasure } from './erasures.suite.ts';

describeErasure(localKinds);

const timing = { kind: 'sqlite' as const, credentialTtlMs: 50, erasureQuietMs: 300 };
const environment = { RECONCILE_AFTER_MS: '500' };

describeServiceInSimulatedTime(
  'Erasures',
  environment,
  (service) => {
    const erase = (userId: string, headers = {}) =>
      service.operator.post('/v1/erasures', { user_id: userId }, headers);

    it('are begun by administrators, and completed a moment later', async () => {
      const { userId } = await service.person('customer');
      const erasure = expectCreated(await erase(userId), '/v1/erasures');
      expect(erasure).to.include({ user_id: userId, status: 'pending', version: 1 });
      const path = `/v1/erasures/${erasure.id}`;
      const completed = await service.until(
        async () => expectOne(await service.operator.get(path)),
        ({ status }) => status === 'completed',
      );
      expect(completed).to.include({ id: erasure.id, version: 2 });
      const all = expectList(await service.operator.get('/v1/erasures?limit=100'));
      expect(all).to.deep.include(completed);
      expect((await service.operator.get(path, { 'If-None-Match': '"2"' })).status).to.equal(304);
    });

    it('need the id of a user, and nothing else', async () => {
      for (const user_id of [null, 7, '', 'x', {}, [nowhere]])
        expectInvalid(await erase(user_id as never), 'user_id');
      expectInvalid(await service.operator.post('/v1/erasures', {}), 'user_id');
      const extra = { user_id: nowhere, reason: 'asked' };
      expectInvalid(await service.operator.post('/v1/erasures', extra), 'reason');
      expectInvalid(await service.operator.get('/v1/erasures?user_id=x'), 'user_id');
      expectError(await erase(nowhere), 'NOT_FOUND');
      expectError(await service.operator.get(`/v1/erasures/${nowhere}`), 'NOT_FOUND');
    });

    it('happen once, and are replayed under their key', async () => {
      const { userId } = await service.person('customer');
      const key = once();
      const first = await erase(userId, key);
      const again = await erase(userId, key);
      expect(isReplay(again)).to.equal(true);
      expect(again.text).to.equal(first.text);
      expectError(await erase(userId), 'INVALID_STATE');
    });

    it('are rejected for oneself and for the operator', async () => {
      const admin = await service.person('admin');
      expectError(await admin.post('/v1/erasures', { user_id: admin.userId }), 'INVALID_STATE');
      const [operator] = expectList(await admin.get('/v1/users?email=operator%40localhost'));
      expectError(await admin.post('/v1/erasures', { user_id: operator?.id }), 'INVALID_STATE');
    });

    it('end the keys of their user, and what staff could do for them', async () => {
      const [customer, staff] = [await service.person('customer'), await service.person('staff')];
      const product = await newProduct(service);
      expectOne(await erase(customer.userId), 201);
      await service.until(
        () => customer.get('/v1/products'),
        ({ status }) => status === 401,
      );
      const user_id = customer.userId;
      const body = { product_id: product.id, quantity: 1, user_id };
      expectError(await staff.post('/v1/orders', body), 'INVALID_STATE');
      expectError(await service.operator.post('/v1/api-keys', { name: 'Key', user_id }), 'INVALID_STATE');
      expectError(await service.operator.patch(`/v1/users/${user_id}`, { name: 'X' }), 'INVALID_STATE');
      expectError(await service.operator.delete(`/v1/users/${user_id}`), 'INVALID_STATE');
      expect(expectOne(await staff.get(`/v1/users/${user_id}`))).to.include({
        ...{ status: 'erased', name: 'Erased', email: `erased-${user_id}@erased.invalid` },
      });
    });
  },
  timing,
);
