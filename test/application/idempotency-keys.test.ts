import { expect } from 'chai';
import { idempotencyKeyLifetimeMs } from '#application/idempotency/idempotency.ts';
import type { Caller } from '#application/preconditions.ts';
import type { IdempotencyKey, ListIdempotencyKeys } from '#application/use-cases/idempotency-keys.ts';
import { Instant } from '#domain/instant.ts';
import type { Order } from '#domain/order.ts';
import { ofEachTest } from '../support/of-each-test.ts';
import { kindOf } from './error-kind.ts';
import { minute, noon, nowhere, page, times } from './fixture.ts';
import { aWorld } from './world.ts';

describe('A user who looks idempotency keys up', () => {
  const world = ofEachTest(aWorld);
  let order: Order;
  beforeEach(async () => {
    order = await world.order(world.ada, await world.product());
  });

  const origin = { method: 'POST', path: '/v1/payments', requestId: 'r-1' };

  /** Pays with a key; the provider may be unavailable. */
  const pay = (key = 'key', requestId = 'r-1') => {
    const input = { orderId: order.id, paymentMethod: 'tok' };
    const request = { ...world.attemptOf(world.ada, input, key), origin: { ...origin, requestId } };
    return world.idempotency.process(request, world.useCases.payments.pay(world.ada, input), world.write);
  };

  const failingPay = async (requestId?: string) => {
    world.provider.fails();
    await pay('key', requestId).catch(() => undefined);
  };

  const list = async (filter: ListIdempotencyKeys['filter'] = {}, caller: Caller = world.ada) =>
    (await world.read(world.useCases.idempotencyKeys.list, caller, { filter, page })).rows;

  const only = async (): Promise<IdempotencyKey> => {
    const [found, ...more] = await list();
    expect(more).to.deep.equal([]);
    return found ?? expect.fail('There is none.');
  };

  it('sees what was carried out, with the response as far as its body', async () => {
    await pay();
    expect(await only()).to.deep.include({
      ...{ userId: world.ada.userId, key: 'key', status: 'completed', ...origin },
      ...{ attemptCount: 1, leaseUntil: null, version: 2, createdAt: noon },
      expiresAt: Instant.plus(noon, idempotencyKeyLifetimeMs),
    });
  });

  it('sees no request that came without its origin', async () => {
    await world.send(
      world.useCases.payments.pay,
      world.ada,
      { orderId: order.id, paymentMethod: 'tok' },
      'key',
    );
    expect(await list()).to.deep.equal([]);
  });

  it('sees the first request, how often it was begun, and a version that grows with each change', async () => {
    await failingPay('r-1');
    const open = await only();
    expect(open).to.include({ status: 'open', attemptCount: 1, requestId: 'r-1', version: 2 });
    world.clock.pass(minute);
    await failingPay('r-2');
    const again = await only();
    expect(again).to.include({ id: open.id, status: 'open', attemptCount: 2, requestId: 'r-1' });
    expect(again.version).to.be.greaterThan(open.version);
    await pay();
    const done = await only();
    expect(done).to.include({ status: 'completed', attemptCount: 3, leaseUntil: null });
    expect(done.version).to.be.greaterThan(again.version);
    await pay();
    expect(await only()).to.deep.equal(done);
  });

  it('sees the key open once its lease has expired, at a version of its own', async () => {
    const phases = world.useCases.payments.pay(world.ada, { orderId: order.id, paymentMethod: 'tok' });
    const called = Promise.withResolvers<void>();
    const dies = Promise.withResolvers<never>();
    const call = () => {
      called.resolve();
      return dies.promise;
    };
    const request = { ...world.attemptOf(world.ada, 'input', 'key'), origin };
    const dying = world.idempotency.process(request, { ...phases, call }, world.write).catch(() => undefined);
    await called.promise;
    const leaseUntil = Instant.plus(noon, times.lease);
    expect(await only()).to.include({ status: 'in_progress', version: 1, leaseUntil, updatedAt: noon });
    world.clock.pass(times.lease - 1);
    expect(await only()).to.include({ status: 'in_progress', version: 1 });
    world.clock.pass(1);
    expect(await only()).to.include({ status: 'open', version: 2, leaseUntil, updatedAt: leaseUntil });
    expect(await list({ status: 'in_progress' })).to.deep.equal([]);
    expect(await list({ status: 'open', key: 'key' })).to.have.lengthOf(1);
    await world.idempotency.process(request, phases, world.write);
    const done = await only();
    expect(done).to.include({ status: 'completed', attemptCount: 2 });
    expect(done.version).to.be.greaterThan(2);
    dies.reject(new Error('The process dies.'));
    await dying;
    expect(await only()).to.deep.equal(done);
  });

  it('sees it settled by the reconciler, without a response until a retry asks for it', async () => {
    await failingPay();
    world.clock.pass(times.reconcileAfter);
    await world.backgroundJobs.recoverAbandonedProcesses();
    const settled = await only();
    expect(settled).to.include({ status: 'completed', attemptCount: 2, responseStart: null });
    await pay();
    const replayed = await only();
    expect(replayed.responseStart).to.not.equal(null);
    expect(replayed.version).to.equal(settled.version + 1);
  });

  it('sees a settled key for 24 hours, and an unsettled one until it is settled', async () => {
    await pay('paid');
    order = await world.order(world.ada, await world.product());
    await failingPay();
    world.clock.pass(idempotencyKeyLifetimeMs - 1);
    expect((await list()).map(({ key }) => key)).to.deep.equal(['paid', 'key']);
    const [paid] = await list({ key: 'paid' });
    world.clock.pass(1);
    expect((await list()).map(({ key }) => key)).to.deep.equal(['key']);
    expect(await list({ key: 'paid' })).to.deep.equal([]);
    const expired = world.read(world.useCases.idempotencyKeys.get, world.ada, paid?.id ?? nowhere());
    expect(await kindOf(expired)).to.equal('not-found');
  });

  it('sees their own; administrators see those of a user, and no one else does', async () => {
    await pay();
    const { id } = await only();
    const { get } = world.useCases.idempotencyKeys;
    const ofAda = { userId: world.ada.userId };
    for (const other of [world.bob, world.staff]) {
      expect(await list({}, other)).to.deep.equal([]);
      expect(await list(ofAda, other)).to.deep.equal([]);
      expect(await list({ ...ofAda, key: 'key' }, other)).to.deep.equal([]);
      expect(await kindOf(world.read(get, other, id))).to.equal('forbidden');
    }
    expect(await list({}, world.admin)).to.deep.equal([]);
    expect(await list(ofAda, world.admin)).to.have.lengthOf(1);
    expect(await world.read(get, world.admin, id)).to.deep.equal(await only());
    expect(await world.read(get, world.ada, id)).to.deep.equal(await only());
    const narrow = { ...world.ada, scopes: [] };
    expect(await kindOf(list({}, narrow))).to.equal('forbidden');
  });

  it('gets the page of one key by its place, too', async () => {
    await pay();
    const { id } = await only();
    const at = async (order: 'ascending' | 'descending', after: typeof id) => {
      const request = { filter: { key: 'key' }, page: { limit: 1, after, order } };
      return (await world.read(world.useCases.idempotencyKeys.list, world.ada, request)).rows.length;
    };
    const [before, behind] = [nowhere<typeof id>(), 'ffffffff-ffff-ffff-ffff-ffffffffffff' as typeof id];
    expect(await at('ascending', before)).to.equal(1);
    expect(await at('ascending', id)).to.equal(0);
    expect(await at('descending', behind)).to.equal(1);
    expect(await at('descending', id)).to.equal(0);
  });

  it('leaves nothing behind that names an erased user', async () => {
    const changing = (caller: Caller, key: string, path: string) => {
      const input = { id: world.ada.userId, expectedVersions: undefined, changes: { name: 'Ada L.' } };
      const request = {
        ...world.attemptOf(caller, input, key),
        origin: { ...origin, path, requestId: 'of-ada' },
      };
      return world.idempotency.command(request, world.useCases.users.change(caller, input), () => 'done');
    };
    const path = `/v1/users/${world.ada.userId}`;
    await changing(world.ada, 'own', path);
    await changing(world.admin, 'of-admin', path);
    await world.run(world.useCases.erasures.begin, world.admin, world.ada.userId);
    world.clock.pass(minute);
    for (let runs = 0; runs < 5; runs += 1) await world.backgroundJobs.eraseUsers();
    expect(await list({ userId: world.ada.userId }, world.admin)).to.deep.equal([]);
    const [left] = await list({ key: 'of-admin' }, world.admin);
    expect(left).to.include({ requestId: null, responseStart: null, path, version: 2 });
  });
});
