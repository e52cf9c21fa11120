import { expect } from 'chai';
import { idempotencyKeyLifetimeMs } from '#application/idempotency/idempotency.ts';
import { Instant } from '#domain/instant.ts';
import { Quantity } from '#domain/quantity.ts';
import { kindOf } from '../error-kind.ts';
import { minute, noon, page, times } from '../fixture.ts';
import { aWorld, type World } from '../world.ts';

describe('Background jobs', () => {
  let world: World;
  beforeEach(async () => {
    world = await aWorld();
  });

  describe('delete expired idempotency records (reaper)', () => {
    const place = async (key: string) => {
      const { id: productId } = await world.product();
      const input = { productId, quantity: Quantity.of(1) };
      await world.send(world.useCases.orders.place, world.ada, input, key);
    };

    const isKnown = async (key: string): Promise<boolean> =>
      (await world.unitOfWork.run(({ idempotencyKeys }) => idempotencyKeys.lock(world.ada.userId, key))) !==
      undefined;

    it('24 hours after their creation, and not a millisecond before', async () => {
      await place('first');
      world.clock.pass(1);
      await place('second');
      world.clock.pass(idempotencyKeyLifetimeMs - 2);
      await world.backgroundJobs.purgeIdempotencyKeys();
      expect([await isKnown('first'), await isKnown('second')]).to.deep.equal([true, true]);
      world.clock.pass(1);
      await world.backgroundJobs.purgeIdempotencyKeys();
      expect([await isKnown('first'), await isKnown('second')]).to.deep.equal([false, true]);
    });

    it('all of them, in batches', async () => {
      const keys = Array.from({ length: 201 }, (_, count) => `key ${count}`);
      await world.unitOfWork.run(async ({ idempotencyKeys }) => {
        for (const key of keys) {
          const attempt = { ...world.ada, key, fingerprint: 'request' };
          await idempotencyKeys.add({
            ...attempt,
            createdAt: noon,
            response: 'done',
            lease: null,
            resource: null,
          });
        }
      });
      world.clock.pass(idempotencyKeyLifetimeMs);
      await world.backgroundJobs.purgeIdempotencyKeys();
      expect((await Promise.all(keys.map(isKnown))).some((known) => known)).to.equal(false);
    });

    it('but never those whose payment is not settled', async () => {
      const order = await world.order(world.ada, await world.product());
      world.provider.timesOut();
      const input = { orderId: order.id, paymentMethod: 'tok' };
      const paying = world.send(world.useCases.payments.pay, world.ada, input, 'unfinished');
      expect(await kindOf(paying)).to.equal('provider-timeout');
      world.clock.pass(30 * idempotencyKeyLifetimeMs);
      await world.backgroundJobs.purgeIdempotencyKeys();
      expect(await isKnown('unfinished')).to.equal(true);
      expect((await world.backgroundJobs.recoverAbandonedProcesses()).errors).to.deep.equal([]);
      await world.backgroundJobs.purgeIdempotencyKeys();
      expect(await isKnown('unfinished')).to.equal(false);
    });
  });

  describe('have a leader lease', () => {
    const acquireLeadership = (holder: string, milliseconds = 1000) =>
      world.backgroundJobs.acquireLeadership(holder, milliseconds);

    it('that one process holds at a time, for as long as it renews it', async () => {
      expect(await acquireLeadership('one')).to.equal(true);
      expect(await acquireLeadership('other')).to.equal(false);
      world.clock.pass(999);
      expect(await acquireLeadership('one')).to.equal(true);
      world.clock.pass(999);
      expect(await acquireLeadership('other')).to.equal(false);
    });

    it('that another process acquires when the clock was set back since (clock skew)', async () => {
      await world.backgroundJobs.acquireLeadership('one', 15_000);
      world.clock.pass(-minute);
      expect(await world.backgroundJobs.acquireLeadership('two', 15_000)).to.equal(false);
      world.clock.pass(-1);
      expect(await world.backgroundJobs.acquireLeadership('two', 15_000)).to.equal(true);
      expect(await world.backgroundJobs.acquireLeadership('one', 15_000)).to.equal(false);
    });

    it('that another process acquires after it has expired', async () => {
      await acquireLeadership('one');
      world.clock.pass(1000);
      expect(await acquireLeadership('other')).to.equal(true);
      expect(await acquireLeadership('one')).to.equal(false);
    });

    it('that another process acquires at once when it is released', async () => {
      await acquireLeadership('one');
      await acquireLeadership('one', 0);
      expect(await acquireLeadership('other')).to.equal(true);
    });
  });

  it('do nothing when there is nothing to do', async () => {
    const { unitOfWork, clock } = world;
    expect((await world.backgroundJobs.recoverAbandonedProcesses()).errors).to.deep.equal([]);
    await world.backgroundJobs.purgeIdempotencyKeys();
    await world.backgroundJobs.expireOrders();
    const found = await world.read(world.useCases.orders.list, world.staff, { filter: {}, page });
    expect(found.rows).to.deep.equal([]);
    const unsettled = await unitOfWork.read(({ idempotencyKeys }) =>
      idempotencyKeys.findStale({
        createdBefore: clock.now(),
        now: Instant.plus(clock.now(), idempotencyKeyLifetimeMs),
        leaseMs: times.lease,
        limit: 10,
      }),
    );
    expect(unsettled).to.deep.equal([]);
  });
});
