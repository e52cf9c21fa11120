import { expect } from 'chai';
import { ensureOperator } from '#application/accounts/operator-account.ts';
import type { Caller } from '#application/preconditions.ts';
import type { Erasure } from '#domain/erasure.ts';
import { DomainError } from '#domain/errors.ts';
import type { Order } from '#domain/order.ts';
import type { UserId } from '#domain/user.ts';
import { ofEachTest } from '../support/of-each-test.ts';
import { kindOf } from './error-kind.ts';
import { minute, nowhere, page, times } from './fixture.ts';
import { aWorld } from './world.ts';

describe('Erasures', () => {
  const world = ofEachTest(aWorld);

  const erase = (userId: UserId, caller: Caller = world.admin): Promise<Erasure> =>
    world.run(world.useCases.erasures.begin, caller, userId);

  it('are begun and read by administrators only', async () => {
    const { userId } = world.ada;
    for (const caller of [world.ada, world.bob, world.staff]) {
      expect(await kindOf(erase(userId, caller))).to.equal('forbidden');
      expect(await kindOf(world.read(world.useCases.erasures.list, caller, page))).to.equal('forbidden');
      expect(await kindOf(world.read(world.useCases.erasures.get, caller, nowhere()))).to.equal('forbidden');
    }
    const erasure = await erase(userId);
    expect(erasure).to.include({ userId, status: 'pending', version: 1 });
    expect(await world.read(world.useCases.erasures.get, world.admin, erasure.id)).to.deep.equal(erasure);
    const { rows } = await world.read(world.useCases.erasures.list, world.admin, page);
    expect(rows).to.deep.equal([erasure]);
    expect(await kindOf(world.read(world.useCases.erasures.get, world.admin, nowhere()))).to.equal(
      'not-found',
    );
  });

  it('lock their user at once, who has neither name nor keys any more', async () => {
    const { userId } = world.ada;
    const metadata = { tier: 'gold' };
    await world.run(world.useCases.users.change, world.admin, {
      ...{ id: userId, expectedVersions: undefined },
      changes: { externalId: 'ERP-1', metadata },
    });
    const { key } = await world.run(world.useCases.apiKeys.issue, world.ada, { name: 'Key' });
    await erase(userId);
    expect(await world.find('users', { id: userId })).to.deep.include({
      ...{ status: 'erased', email: `erased-${userId}@erased.invalid`, name: 'Erased' },
      ...{ externalId: null, metadata: {}, version: 3, role: 'customer' },
    });
    expect(await world.find('apiKeys', key)).to.equal(undefined);
  });

  it('leave the address to another user', async () => {
    const ada = await world.current('users', { id: world.ada.userId });
    await erase(ada.id);
    const { email, name, role } = ada;
    const again = await world.run(world.useCases.users.create, world.admin, { email, name, role });
    expect(again.id).not.to.equal(ada.id);
  });

  it('are rejected for oneself, for the operator, for an unknown user, and a second time', async () => {
    expect(await kindOf(erase(world.admin.userId))).to.equal('invalid-state');
    const operator = await ensureOperator({ ...world });
    expect(await kindOf(erase(operator))).to.equal('invalid-state');
    expect(await kindOf(erase(nowhere()))).to.equal('not-found');
    await erase(world.ada.userId);
    expect(await kindOf(erase(world.ada.userId))).to.equal('invalid-state');
  });

  it('change every pending order, so that a payment of it that begins beside them is rejected', async () => {
    const tea = await world.product();
    const orders: Order[] = [];
    for (let count = 0; count < 250; count += 1) orders.push(await world.order(world.ada, tea));
    await erase(world.ada.userId);
    for (const order of orders)
      expect(await world.current('orders', order)).to.include({
        status: 'pending',
        version: order.version + 1,
      });
  });

  it('are rejected while a payment is unsettled', async () => {
    const order = await world.order(world.ada, await world.product());
    world.provider.timesOut();
    expect(await kindOf(world.pay(world.ada, order))).to.equal('provider-timeout');
    expect(await kindOf(erase(world.ada.userId))).to.equal('invalid-state');
    expect(await world.find('users', { id: world.ada.userId })).to.include({ status: 'active' });
    world.clock.pass(times.reconcileAfter);
    await world.backgroundJobs.recoverAbandonedProcesses();
    await world.become(world.staff, order, 'fulfilled');
    await erase(world.ada.userId);
  });

  it('are rejected while a refund is unsettled', async () => {
    const { order, payment } = await world.purchase(await world.product());
    world.provider.timesOut();
    expect(await kindOf(world.refund(world.staff, payment))).to.equal('provider-timeout');
    expect(await kindOf(erase(world.ada.userId))).to.equal('invalid-state');
    world.clock.pass(times.reconcileAfter);
    await world.backgroundJobs.recoverAbandonedProcesses();
    expect(await world.current('orders', order)).to.include({ status: 'refunded' });
    await erase(world.ada.userId);
  });

  describe('wait for what must be sent:', () => {
    const rejection = async (userId: UserId): Promise<DomainError> => {
      try {
        await erase(userId);
      } catch (error) {
        if (error instanceof DomainError) return error;
        throw error;
      }
      throw new Error('It has begun.');
    };

    it('they are rejected while an order is paid, and name it', async () => {
      const { order } = await world.purchase(await world.product());
      const { kind, message, fieldErrors } = await rejection(world.ada.userId);
      expect(kind).to.equal('invalid-state');
      expect(message)
        .to.contain(order.id)
        .and.to.match(/Fulfill, refund or cancel/);
      expect(fieldErrors).to.deep.equal([]);
      expect(await world.find('users', { id: world.ada.userId })).to.include({ status: 'active' });
      await world.become(world.staff, order, 'fulfilled');
      await erase(world.ada.userId);
    });

    it('a paid order of another user does not matter, nor one that was refunded', async () => {
      const { order, payment } = await world.purchase(await world.product());
      await world.refund(world.staff, payment);
      expect(await world.current('orders', order)).to.include({ status: 'refunded' });
      await erase(world.bob.userId);
      await erase(world.ada.userId);
    });

    it('of many orders the first twenty are named', async () => {
      const tea = await world.product();
      const orders: Order[] = [];
      for (let count = 0; count < 21; count += 1) orders.push((await world.purchase(tea)).order);
      const { message } = await rejection(world.ada.userId);
      expect(orders.map(({ id }) => message.includes(id))).to.deep.equal([...Array(20).fill(true), false]);
      expect(message).to.contain('and others');
    });
  });

  describe('make sure that nothing is done as their user or to them:', () => {
    it('no change and no removal', async () => {
      const { userId } = world.ada;
      await erase(userId);
      const input = { id: userId, expectedVersions: undefined };
      const { change, remove } = world.useCases.users;
      for (const caller of [world.ada, world.admin]) {
        expect(await kindOf(world.run(change, caller, { ...input, changes: { name: 'Ada' } }))).to.equal(
          'invalid-state',
        );
      }
      expect(await kindOf(world.run(remove, world.admin, input))).to.equal('invalid-state');
    });

    it('no order and no key, by them or for them', async () => {
      const { id: productId } = await world.product();
      const { userId } = world.ada;
      await erase(userId);
      const { orders, apiKeys } = world.useCases;
      for (const caller of [world.ada, world.staff, world.admin]) {
        const placing = world.run(orders.place, caller, { productId, quantity: 1000 as never, userId });
        expect(await kindOf(placing)).to.equal('invalid-state');
      }
      for (const caller of [world.ada, world.admin]) {
        expect(await kindOf(world.run(apiKeys.issue, caller, { name: 'Key', userId }))).to.equal(
          'invalid-state',
        );
      }
    });

    it('no payment of a pending order', async () => {
      const order = await world.order(world.ada, await world.product());
      await erase(world.ada.userId);
      for (const caller of [world.ada, world.staff]) {
        expect(await kindOf(world.pay(caller, order))).to.equal('invalid-state');
      }
      expect(world.provider.moved).to.deep.equal([]);
    });

    it('no review of what they have bought', async () => {
      const { order } = await world.purchase(await world.product());
      const { id: itemId } = await world.firstItem(order);
      await world.become(world.staff, order, 'fulfilled');
      await erase(world.ada.userId);
      const review = { itemId, rating: 1, title: null, body: null };
      expect(await kindOf(world.run(world.useCases.reviews.write, world.ada, review))).to.equal(
        'invalid-state',
      );
    });

    it('but a refund of what they have paid', async () => {
      const { order, payment } = await world.purchase(await world.product());
      await world.become(world.staff, order, 'fulfilled');
      await erase(world.ada.userId);
      world.clock.pass(minute);
      expect(await world.refund(world.staff, payment)).to.include({ status: 'succeeded' });
      expect(await world.current('payments', payment)).to.include({ status: 'refunded' });
    });
  });
});
