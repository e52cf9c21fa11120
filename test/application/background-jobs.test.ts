import { expect } from 'chai';
import { type BackgroundJobs, backgroundJobs } from '#application/background-jobs.ts';
import { idempotencyKeyLifetimeMs } from '#application/idempotency/idempotency.ts';
import { Instant } from '#domain/instant.ts';
import type { Order } from '#domain/order.ts';
import type { PaymentId } from '#domain/payment.ts';
import { Quantity } from '#domain/quantity.ts';
import { kindOf } from './error-kind.ts';
import { hour, minute, noon, nowhere, page, times } from './stage.ts';
import { aWorld, type World } from './world.ts';

describe('Background jobs', () => {
  let world: World;
  beforeEach(async () => {
    world = await aWorld();
  });

  const statusOf = async (order: Order): Promise<string> => (await world.current('orders', order)).status;

  /** Another one, in whose way something comes between its looking and its doing. */
  const keeper = (interfere: () => Promise<unknown>): BackgroundJobs =>
    world.elsewhere({ afterReading: interfere }).backgroundJobs;

  describe('expire unpaid orders', () => {
    it('at the end of their lifetime, and not a millisecond before', async () => {
      const product = await world.product({ stock: 5 });
      const order = await world.order(world.ada, product, 2);
      world.clock.pass(times.orderLifetime - 1);
      await world.backgroundJobs.expireOrders();
      expect(await world.current('orders', order)).to.deep.equal(order);
      world.clock.pass(1);
      await world.backgroundJobs.expireOrders();
      expect(await world.current('orders', order)).to.include({
        status: 'canceled',
        version: 2,
        updatedAt: world.clock.now(),
      });
    });

    it('and release their stock, once', async () => {
      const product = await world.product({ stock: 5 });
      const order = await world.order(world.ada, product, 2);
      await world.addItem(world.ada, order, product, 3);
      expect(await world.stockOf(product)).to.equal(0);
      world.clock.pass(times.orderLifetime);
      await world.backgroundJobs.expireOrders();
      await world.backgroundJobs.expireOrders();
      expect(await world.stockOf(product)).to.equal(5);
    });

    it('by their creation time, despite later changes', async () => {
      const product = await world.product();
      const order = await world.order(world.ada, product);
      world.clock.pass(times.orderLifetime - hour);
      await world.addItem(world.ada, order, product);
      const later = await world.order(world.ada, product);
      world.clock.pass(hour);
      await world.backgroundJobs.expireOrders();
      expect(await statusOf(order)).to.equal('canceled');
      expect(await statusOf(later)).to.equal('pending');
    });

    it('and no others', async () => {
      const product = await world.product();
      const paid = await world.purchase(product);
      const fulfilled = await world.purchase(product);
      await world.become(world.staff, fulfilled.order, 'fulfilled');
      const canceled = await world.order(world.ada, product);
      const before = await world.become(world.ada, canceled, 'canceled');
      world.clock.pass(times.orderLifetime);
      await world.backgroundJobs.expireOrders();
      expect(await statusOf(paid.order)).to.equal('paid');
      expect(await statusOf(fulfilled.order)).to.equal('fulfilled');
      expect(await world.current('orders', canceled)).to.deep.equal(before);
    });

    it('but not while a payment is pending', async () => {
      const product = await world.product();
      const paying = await world.order(world.ada, product);
      const unpaid = await world.order(world.ada, product);
      world.provider.fails();
      expect(await kindOf(world.pay(world.ada, paying))).to.equal('provider-failed');
      world.clock.pass(times.orderLifetime);
      await world.backgroundJobs.expireOrders();
      expect(await statusOf(paying)).to.equal('pending');
      expect(await statusOf(unpaid)).to.equal('canceled');
      await world.backgroundJobs.reconcilePayments();
      await world.backgroundJobs.expireOrders();
      expect(await statusOf(paying)).to.equal('canceled');
    });

    const meanwhile: Readonly<Record<string, (order: Order) => Promise<unknown>>> = {
      'is canceled': (order) => world.become(world.ada, order, 'canceled'),
      'is paid': (order) => world.pay(world.ada, order),
      'begins to be paid': (order) => {
        world.provider.fails();
        return kindOf(world.pay(world.ada, order));
      },
      'gets a second try, because its payment is declined,': (order) => {
        world.clock.pass(1);
        world.provider.declines();
        return kindOf(world.pay(world.ada, order));
      },
    };
    for (const [what, happens] of Object.entries(meanwhile)) {
      it(`but not one that ${what} at the last moment`, async () => {
        const product = await world.product({ stock: 5 });
        const order = await world.order(world.ada, product, 2);
        world.clock.pass(times.orderLifetime);
        await keeper(() => happens(order)).expireOrders();
        const canceled = what === 'is canceled';
        expect((await statusOf(order)) === 'canceled').to.equal(canceled);
        expect(await world.stockOf(product)).to.equal(canceled ? 5 : 3);
      });
    }

    it('never, when their lifetime is unlimited', async () => {
      world = await aWorld({ orderLifetime: 0 });
      const order = await world.order(world.ada, await world.product());
      world.clock.pass(1000 * times.orderLifetime);
      await world.backgroundJobs.expireOrders();
      expect(await world.current('orders', order)).to.deep.equal(order);
    });

    it('all of them, in batches', async () => {
      const product = await world.product();
      const orders: Order[] = [];
      for (let count = 0; count < 250; count += 1) orders.push(await world.order(world.ada, product));
      world.clock.pass(times.orderLifetime);
      const young = await world.order(world.ada, product);
      expect(await world.backgroundJobs.expireOrders()).to.deep.equal({ done: 250, errors: [] });
      expect(new Set(await Promise.all(orders.map(statusOf)))).to.deep.equal(new Set(['canceled']));
      expect(await statusOf(young)).to.equal('pending');
    });

    it('even if a hundred of them fail, and report the errors', async () => {
      const product = await world.product();
      const orders: Order[] = [];
      for (let count = 0; count < 101; count += 1) orders.push(await world.order(world.ada, product));
      world.clock.pass(times.orderLifetime);
      let tries = 0;
      const before = async () => {
        tries += 1;
        if (tries <= 100) throw new Error('The disk is full.');
      };
      const { done, errors } = await world.elsewhere({ before }).backgroundJobs.expireOrders();
      expect([done, errors.length]).to.deep.equal([1, 100]);
      expect(await Promise.all(orders.map(statusOf))).to.include('canceled');
    });
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
      expect((await world.backgroundJobs.reconcilePayments()).errors).to.deep.equal([]);
      await world.backgroundJobs.purgeIdempotencyKeys();
      expect(await isKnown('unfinished')).to.equal(false);
    });
  });

  describe('settle abandoned payments and refunds (reconciler)', () => {
    /** Payments that the provider has charged without an answer; each of an order of its own. */
    const unfinished = async (count: number): Promise<PaymentId[]> => {
      const product = await world.product();
      for (let place = 0; place < count; place += 1) {
        world.provider.timesOut();
        const order = await world.order(world.ada, product);
        expect(await kindOf(world.pay(world.ada, order))).to.equal('provider-timeout');
      }
      return statuses().then((found) => found.map(([id]) => id));
    };

    const statuses = async () => {
      const all = { filter: {}, page: { limit: 1000 } };
      const { rows } = await world.read(world.useCases.payments.list, world.staff, all);
      return rows.map(({ id, status }) => [id, status] as const);
    };

    const statusesNow = async () => (await statuses()).map(([, status]) => status);

    it('after a time, and leave them to the client until then', async () => {
      await unfinished(1);
      world.clock.pass(times.reconcileAfter - 1);
      expect((await world.backgroundJobs.reconcilePayments()).errors).to.deep.equal([]);
      expect(await statusesNow()).to.deep.equal(['pending']);
      world.clock.pass(1);
      expect(await world.backgroundJobs.reconcilePayments()).to.deep.equal({ done: 1, errors: [] });
      expect(await statusesNow()).to.deep.equal(['succeeded']);
    });

    it('but not one whose lease another process holds', async () => {
      world = await aWorld({ reconcileAfter: times.lease / 2 });
      const late = world.provider.answersLate();
      const paying = world.pay(world.ada, await world.order(world.ada, await world.product()));
      await late.called;
      world.clock.pass(times.lease - 1);
      expect((await world.backgroundJobs.reconcilePayments()).errors).to.deep.equal([]);
      expect(await statusesNow()).to.deep.equal(['pending']);
      late.respond();
      expect(await paying).to.include({ status: 'succeeded' });
      expect(world.provider.calls.map(({ name }) => name)).to.deep.equal(['charge']);
    });

    it('despite an error on one, which is reported and retried', async () => {
      const [one, two, three] = await unfinished(3);
      world.provider.unreachable.add(two ?? nowhere());
      world.clock.pass(times.reconcileAfter);
      const { errors } = await world.backgroundJobs.reconcilePayments();
      expect(errors).to.have.lengthOf(1);
      expect(errors[0]).to.have.property('kind', 'provider-failed');
      expect(await statuses()).to.deep.equal([
        [one, 'succeeded'],
        [two, 'pending'],
        [three, 'succeeded'],
      ]);
      world.provider.unreachable.clear();
      expect((await world.backgroundJobs.reconcilePayments()).errors).to.deep.equal([]);
      expect(await statusesNow()).to.deep.equal(['succeeded', 'succeeded', 'succeeded']);
    });

    it('hundreds in one run, when there is no error', async () => {
      await unfinished(250);
      world.clock.pass(times.reconcileAfter);
      expect((await world.backgroundJobs.reconcilePayments()).errors).to.deep.equal([]);
      expect(new Set(await statusesNow())).to.deep.equal(new Set(['succeeded']));
    });

    it('although a hundred others fail again and again', async () => {
      const all = await unfinished(101);
      for (const id of all.slice(0, 100)) world.provider.unreachable.add(id);
      world.clock.pass(times.reconcileAfter);
      const statusOfLast = async () => (await statusesNow()).at(-1);
      await world.backgroundJobs.reconcilePayments();
      world.clock.pass(1);
      await world.backgroundJobs.reconcilePayments();
      expect(await statusOfLast()).to.equal('succeeded');
      expect((await statusesNow()).filter((status) => status === 'pending')).to.have.lengthOf(100);
    });

    it('but not one that its client settles at the last moment', async () => {
      const order = await world.order(world.ada, await world.product());
      const input = { orderId: order.id, paymentMethod: 'tok' };
      const pay = () => world.send(world.useCases.payments.pay, world.ada, input, 'key');
      world.provider.timesOut();
      expect(await kindOf(pay())).to.equal('provider-timeout');
      world.clock.pass(times.reconcileAfter);
      expect((await keeper(pay).reconcilePayments()).errors).to.deep.equal([]);
      const known = await world.unitOfWork.run(({ idempotencyKeys }) =>
        idempotencyKeys.lock(world.ada.userId, 'key'),
      );
      expect(known).to.deep.nested.include({ 'lease.fencingToken': 2, 'lease.leaseUntil': null });
      expect(await statusesNow()).to.deep.equal(['succeeded']);
    });

    it('each once, when two processes run the job', async () => {
      await unfinished(5);
      world.clock.pass(times.reconcileAfter);
      await Promise.all([world.backgroundJobs.reconcilePayments(), world.backgroundJobs.reconcilePayments()]);
      expect(await statusesNow()).to.deep.equal(Array.from({ length: 5 }, () => 'succeeded'));
      expect(world.provider.calls.filter(({ name }) => name === 'closeCharge')).to.have.lengthOf(5);
    });

    it('although created and leased by a clock that was set back since (clock skew)', async () => {
      await unfinished(1);
      const late = world.provider.answersLate();
      const paying = world.pay(world.ada, await world.order(world.ada, await world.product()));
      await late.called;
      world.clock.pass(-25 * hour);
      expect(await world.backgroundJobs.reconcilePayments()).to.deep.equal({ done: 2, errors: [] });
      expect(await statusesNow()).to.deep.equal(['succeeded', 'succeeded']);
      late.respond();
      expect(await paying).to.include({ status: 'succeeded' });
      expect(world.provider.moved).to.have.lengthOf(2);
    });

    it('and report a process without a registered recovery', async () => {
      const { unitOfWork, clock } = world;
      await unfinished(1);
      world.clock.pass(times.reconcileAfter);
      const ignorant = backgroundJobs({
        unitOfWork,
        clock,
        recoveries: new Map(),
        endActions: () => async () => ({ done: 0, errors: [] }),
        leaseMs: times.lease,
        reconcileAfterMs: times.reconcileAfter,
        orderLifetimeMs: 0,
        erasureQuietMs: 0,
        eventRetentionMs: 0,
      });
      const { errors } = await ignorant.reconcilePayments();
      expect(String(errors[0])).to.contain('No recovery is registered for the process "payment".');
      expect(await statusesNow()).to.deep.equal(['pending']);
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
    expect((await world.backgroundJobs.reconcilePayments()).errors).to.deep.equal([]);
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
