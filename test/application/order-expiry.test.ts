import { expect } from 'chai';
import type { BackgroundJobs } from '#application/jobs/background-jobs.ts';
import type { Order } from '#domain/order.ts';
import { kindOf } from './error-kind.ts';
import { hour, times } from './fixture.ts';
import { aWorld, type World } from './world.ts';

describe('Background jobs expire unpaid orders', () => {
  let world: World;
  beforeEach(async () => {
    world = await aWorld();
  });

  const statusOf = async (order: Order): Promise<string> => (await world.current('orders', order)).status;

  /** Another one, in whose way something comes between its looking and its doing. */
  const keeper = (interfere: () => Promise<unknown>): BackgroundJobs =>
    world.elsewhere({ afterReading: interfere }).backgroundJobs;

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
    await world.backgroundJobs.recoverAbandonedProcesses();
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
    'gets a second try, because its payment is declined': (order) => {
      world.clock.pass(1);
      world.provider.declines();
      return kindOf(world.pay(world.ada, order));
    },
  };
  for (const [what, happens] of Object.entries(meanwhile)) {
    it(`but not one that changes at the last moment (${what})`, async () => {
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
