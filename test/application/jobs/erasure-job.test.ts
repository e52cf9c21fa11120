import { expect } from 'chai';
import { idempotencyKeyLifetimeMs } from '#application/idempotency/idempotency.ts';
import { defaultErasureQuietMs } from '#application/jobs/erasure-job.ts';
import type { Collections } from '#application/ports/repositories.ts';
import type { Erasure } from '#domain/erasure.ts';
import type { Order } from '#domain/order.ts';
import { updated } from '#domain/resource.ts';
import { ofEachTest } from '../../support/of-each-test.ts';
import { kindOf } from '../error-kind.ts';
import { noon, nowhere, page } from '../fixture.ts';
import { aWorld } from '../world.ts';

const planted = 'Grace Hopper of Arlington';
const metadata = { note: planted };
const texts = { name: planted, company: planted, line1: planted, line2: planted, postalCode: 'VA 22207' };
const address = { ...texts, city: planted, region: planted, country: 'US', phone: '+1 703' };

describe('The erasure job', () => {
  const world = ofEachTest(aWorld);

  const erase = (): Promise<Erasure> =>
    world.run(world.useCases.erasures.begin, world.admin, world.ada.userId);
  const statusOf = async (erasure: Erasure) => (await world.current('erasures', erasure)).status;

  /** Runs the job until both passes are over. */
  const finish = async (erasure: Erasure): Promise<void> => {
    await world.backgroundJobs.eraseUsers();
    world.clock.pass(defaultErasureQuietMs);
    for (let runs = 0; (await statusOf(erasure)) === 'pending' && runs < 50; runs += 1) {
      expect((await world.backgroundJobs.eraseUsers()).errors).to.deep.equal([]);
    }
    expect(await statusOf(erasure)).to.equal('completed');
  };

  const change = <C extends 'orders' | 'payments' | 'refunds' | 'reviews'>(
    name: C,
    { id }: { readonly id: string },
    fields: Partial<Collections[C]['resource']>,
  ): Promise<void> =>
    world.unitOfWork.run(async (repositories) => {
      const collection = repositories[name] as unknown as (typeof repositories)['orders'];
      const found = await collection.lock(id as Order['id']);
      if (found !== undefined) await collection.save(updated(found, fields as Partial<Order>, noon));
    });

  const plant = async () => {
    const bought = await world.purchase(await world.product());
    const { payment } = bought;
    const order = await world.become(world.staff, bought.order, 'fulfilled');
    const refund = await world.refund(world.staff, payment, {
      ...{ amount: { amount: 1, currency: 'EUR' }, reason: planted },
    });
    const item = await world.firstItem(order);
    const review = await world.run(world.useCases.reviews.write, world.ada, {
      ...{ itemId: item.id, rating: 4, title: planted, body: planted },
    });
    await change('orders', order, {
      ...{ metadata, externalId: 'ERP-1', note: planted, shippingAddress: address, billingAddress: address },
    });
    await change('payments', payment, { metadata });
    await change('refunds', refund, { metadata });
    return { payment, order, refund, review };
  };

  it('empties all texts, and keeps orders, sums, payments and ratings', async () => {
    const { payment, order, refund, review } = await plant();
    await finish(await erase());
    const erasedAddress = {
      ...{ name: 'erased', company: null, line1: 'erased', line2: null, postalCode: null },
      ...{ city: 'erased', region: null, country: 'US', phone: null },
    };
    expect(await world.current('orders', order)).to.deep.include({
      ...{
        status: 'fulfilled',
        total: order.total,
        number: order.number,
        itemCount: 1,
        userId: order.userId,
      },
      ...{ metadata: {}, externalId: null, note: null },
      ...{ shippingAddress: erasedAddress, billingAddress: erasedAddress },
    });
    expect(await world.current('payments', payment)).to.deep.include({
      ...{ amount: payment.amount, providerReference: payment.providerReference, metadata: {} },
    });
    expect(await world.current('refunds', refund)).to.deep.include({
      ...{ amount: refund.amount, status: 'succeeded', reason: null, metadata: {} },
    });
    const { userProduct } = review;
    expect(await world.current('reviews', review)).to.include({
      ...{ rating: 4, title: null, body: null, userProduct },
    });
  });

  it('cancels pending orders and releases their stock', async () => {
    const tea = await world.product({ stock: 10 });
    const orders = [await world.order(world.ada, tea, 2), await world.order(world.ada, tea, 3)];
    const other = await world.order(world.bob, tea, 1);
    await finish(await erase());
    for (const order of orders)
      expect(await world.current('orders', order)).to.include({ status: 'canceled' });
    expect(await world.current('orders', other)).to.deep.equal(other);
    expect(await world.stockOf(tea)).to.equal(9);
  });

  it('removes credentials that a request has added beside the erasure', async () => {
    const erasure = await erase();
    const { key } = await world.run(world.useCases.apiKeys.issue, world.bob, { name: 'Late' });
    const late = { ...key, userId: world.ada.userId, version: key.version + 1 };
    await world.unitOfWork.run(({ apiKeys }) => apiKeys.save(late));
    await finish(erasure);
    expect(await world.find('apiKeys', key)).to.equal(undefined);
  });

  it('empties what is written in the first seconds, before the last pass', async () => {
    const { order } = await plant();
    const erasure = await erase();
    await world.backgroundJobs.eraseUsers();
    await change('orders', order, { note: planted });
    await world.backgroundJobs.eraseUsers();
    expect(await statusOf(erasure)).to.equal('pending');
    await finish(erasure);
    expect(await world.current('orders', order)).to.include({ note: null });
  });

  it('removes stored responses of the user, and empties those of staff that name them', async () => {
    const { payment, order } = await plant();
    const details = { email: 'grace@example.com', name: planted, role: 'customer' } as const;
    const creating = () => world.send(world.useCases.users.create, world.admin, details, 'create');
    const created = await creating();
    const { id } =
      'outcome' in created && 'done' in created.outcome ? created.outcome.done : { id: nowhere() };
    const input = { paymentId: payment.id, amount: { amount: 1, currency: 'EUR' }, reason: planted };
    const refunding = () => world.send(world.useCases.refunds.create, world.staff, input, 'refund');
    await refunding();
    const renaming = { id: world.ada.userId, expectedVersions: undefined, changes: { name: planted } };
    await world.send(world.useCases.users.change, world.ada, renaming, 'rename');
    await finish(await erase());
    await finish(await world.run(world.useCases.erasures.begin, world.admin, id as never));
    const stored = (userId: string, key: string) =>
      world.unitOfWork.read(({ idempotencyKeys }) => idempotencyKeys.find(userId as never, key));
    expect(await stored(world.ada.userId, 'rename')).to.equal(undefined);
    expect(await stored(world.admin.userId, 'create')).to.include({ response: null });
    expect(await stored(world.staff.userId, 'refund')).to.include({ response: null });
    expect(await kindOf(creating())).to.equal('key-reused');
    expect(world.provider.moved).to.have.lengthOf(3);
    const again = await refunding();
    expect(again).to.have.nested.property('outcome.done.reason', null);
    expect(world.provider.moved).to.have.lengthOf(3);
    expect(await world.current('orders', order)).to.include({ status: 'fulfilled' });
    expect(await kindOf(creating())).to.equal('key-reused');
    world.clock.pass(idempotencyKeyLifetimeMs);
    expect(await creating()).to.have.nested.property('outcome.done.name', planted);
  });

  it('empties the response to a change of a refund that was made long ago', async () => {
    const { refund } = await plant();
    world.clock.pass(30 * idempotencyKeyLifetimeMs);
    for (const [key, changes] of Object.entries({ change: { metadata: { by: 'Staff' } }, read: {} })) {
      const input = { id: refund.id, expectedVersions: undefined, ...changes };
      const attempt = world.attemptOf(world.staff, input, key);
      // A refund does not name its user to clients.
      await world.idempotency.command(
        attempt,
        world.useCases.refunds.change(world.staff, input),
        (response) => JSON.stringify(response, (name, value) => (name === 'userId' ? undefined : value)),
      );
    }
    await finish(await erase());
    for (const key of ['change', 'read']) {
      const stored = await world.unitOfWork.read(({ idempotencyKeys }) =>
        idempotencyKeys.find(world.staff.userId, key),
      );
      expect(stored).to.include({ response: null });
    }
  });

  it('keeps the response to the erasure itself, which its client may ask for again', async () => {
    const erasing = () => world.send(world.useCases.erasures.begin, world.admin, world.ada.userId, 'erase');
    const first = await erasing();
    const erasure = 'outcome' in first && 'done' in first.outcome ? first.outcome.done : undefined;
    await finish(erasure ?? (await erase()));
    expect(await erasing()).to.deep.equal({ replayed: JSON.stringify(erasure) });
  });

  it('goes on after it stopped anywhere, also in another process', async () => {
    const erasedOrders = 250;
    const tea = await world.product();
    const orders: Order[] = [];
    for (let count = 0; count < erasedOrders; count += 1) orders.push(await world.order(world.ada, tea));
    for (const order of orders) await change('orders', order, { note: planted });
    const erasure = await erase();
    for (let units = 0; units < 40; units += 1) {
      let left = units;
      const before = () => {
        left -= 1;
        return left < 0 ? Promise.reject(new Error('killed')) : Promise.resolve();
      };
      await world.elsewhere({ before }).backgroundJobs.eraseUsers();
    }
    await finish(erasure);
    for (const order of orders) {
      expect(await world.current('orders', order)).to.include({ status: 'canceled', note: null });
    }
  });

  it('ends a run after a hundred batches, and goes on in the next', async () => {
    const tea = await world.product();
    for (let count = 0; count < 120; count += 1) await world.order(world.ada, tea);
    const erasure = await erase();
    const stopped = AbortSignal.abort();
    expect(await world.backgroundJobs.eraseUsers(stopped)).to.deep.equal({ done: 0, errors: [] });
    await finish(erasure);
  });

  it('waits for a payment that keeps an order pending', async () => {
    const order = await world.order(world.ada, await world.product());
    const erasure = await erase();
    world.clock.pass(defaultErasureQuietMs);
    await change('orders', order, { paying: true });
    await world.backgroundJobs.eraseUsers();
    expect(await statusOf(erasure)).to.equal('pending');
    await change('orders', order, { paying: false });
    await finish(erasure);
    expect(await world.current('orders', order)).to.include({ status: 'canceled' });
  });

  it('completes each erasure once, and does nothing after it', async () => {
    const erasure = await erase();
    expect(await world.backgroundJobs.eraseUsers()).to.deep.equal({ done: 0, errors: [] });
    world.clock.pass(defaultErasureQuietMs);
    expect(await world.backgroundJobs.eraseUsers()).to.deep.equal({ done: 1, errors: [] });
    expect(await world.backgroundJobs.eraseUsers()).to.deep.equal({ done: 0, errors: [] });
    expect(await world.current('erasures', erasure)).to.include({ status: 'completed', version: 2 });
    const { rows } = await world.read(world.useCases.erasures.list, world.admin, page);
    expect(rows).to.have.lengthOf(1);
  });
});
