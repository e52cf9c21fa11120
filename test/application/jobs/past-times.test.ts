import { expect } from 'chai';
import { type TimedCollection, timeFields } from '#application/ports/missing-times.ts';
import type { Repositories, Repository } from '#application/ports/repositories.ts';
import type { Event } from '#domain/event.ts';
import { Instant } from '#domain/instant.ts';
import type { Resource } from '#domain/resource.ts';
import { addPurchase } from '../../contracts/every-collection.ts';
import { aPurchase } from '../../contracts/samples.ts';
import { ofEachTest } from '../../support/of-each-test.ts';
import { hour, noon } from '../fixture.ts';
import { aWorld, type World } from '../world.ts';

type Timed = Resource & Record<string, unknown>;
const names = Object.keys(timeFields) as readonly TimedCollection[];
const subjects: ReadonlySet<string> = new Set(['order', 'payment', 'refund', 'dispute']);

describe('Times of money that rows of an earlier release do not have', () => {
  const world = ofEachTest(aWorld);
  const job = () => world.backgroundJobs.fillPastTimes();

  const rowsOf = async (name: TimedCollection): Promise<readonly Timed[]> => {
    const { rows } = await world.unitOfWork.read((all) =>
      (all[name] as unknown as Repository<Timed, object>).page({}, { limit: 5_000 }),
    );
    return rows;
  };
  const timesOf = async (name: TimedCollection) => (await rowsOf(name)).map((row) => row[timeFields[name]]);

  const eventsOf = ({ events }: Pick<Repositories, 'events'>): Promise<readonly Event[]> =>
    events.page({}, { after: 0, limit: 10_000 }).then(({ rows }) => rows);

  /** Makes rows and events as the release before wrote them. */
  const forget = (shop: World): Promise<void> =>
    shop.unitOfWork.run(async (all) => {
      for (const name of names) {
        const collection = all[name] as unknown as Repository<Timed, object>;
        const { rows } = await collection.page({}, { limit: 5_000 });
        for (const row of rows)
          await collection.save({ ...row, [timeFields[name]]: null, version: row.version + 1 });
      }
    });
  const forgetEvents = (shop: World): Promise<void> =>
    shop.unitOfWork.run(async (all) => {
      const old = (await eventsOf(all)).filter(({ subject }) => subjects.has(subject.type));
      const fields: readonly string[] = Object.values(timeFields);
      const without = (data: object | null) =>
        data && Object.fromEntries(Object.entries(data).filter(([name]) => !fields.includes(name)));
      await all.events.replace(old.map((event) => ({ ...event, data: without(event.data) as never })));
    });

  const earlierSale = async () => {
    const product = await world.product();
    const { payment } = await world.purchase(product);
    const paidAt = world.clock.now();
    world.clock.pass(hour);
    await world.refund(world.staff, payment);
    const refundedAt = world.clock.now();
    await forget(world);
    await forgetEvents(world);
    return { paidAt, refundedAt };
  };

  it('are those of the events that are kept, without another version or event', async () => {
    const { paidAt, refundedAt } = await earlierSale();
    expect(await timesOf('orders')).to.deep.equal([null]);
    const [before] = await rowsOf('orders');
    const events = await world.unitOfWork.run(eventsOf);
    expect(await job()).to.deep.equal({ done: 3, errors: [] });
    expect(await rowsOf('orders')).to.deep.equal([{ ...before, paidAt }]);
    expect(await timesOf('payments')).to.deep.equal([paidAt]);
    expect(await timesOf('refunds')).to.deep.equal([refundedAt]);
    expect(await world.unitOfWork.run(eventsOf)).to.deep.equal(events);
    world.clock.pass(hour);
    expect((await job()).done).to.equal(0);
  });

  it('are those of the payment for its capture, and of the end of a dispute', async () => {
    const { capture, dispute, ...purchase } = aPurchase();
    await world.unitOfWork.run((all) =>
      addPurchase(all, {
        ...{ ...purchase, capture: { ...capture, status: 'succeeded' } },
        dispute: { ...dispute, status: 'lost' },
      }),
    );
    await forget(world);
    await forgetEvents(world);
    expect((await job()).done).to.equal(3);
    for (const name of ['payments', 'captures', 'disputes'] as const)
      expect(await timesOf(name), name).to.deep.equal([noon]);
  });

  it('stay unknown where no event is kept', async () => {
    await earlierSale();
    const later = Instant.plus(world.clock.now(), 1);
    await world.unitOfWork.run(({ events }) => events.deleteOlder(later, later));
    expect((await job()).done).to.equal(0);
    for (const name of ['orders', 'payments', 'refunds'] as const)
      expect(await timesOf(name), name).to.deep.equal([null]);
  });

  it('are not looked for where this release has written the events', async () => {
    await world.purchase(await world.product());
    await forget(world);
    expect((await job()).done).to.equal(0);
    expect(await timesOf('orders')).to.deep.equal([null]);
  });

  it('are filled in an hour later of what a process of the earlier release has written beside', async () => {
    await world.purchase(await world.product());
    expect((await job()).done).to.equal(0);
    const { paidAt, refundedAt } = await earlierSale();
    expect((await job()).done).to.equal(3);
    expect(await timesOf('refunds')).to.deep.equal([refundedAt]);
    expect((await timesOf('orders')).at(-1)).to.equal(paidAt);
    expect(paidAt).to.equal(noon);
  });

  it('stop early when the job is told to', async () => {
    await earlierSale();
    expect((await world.backgroundJobs.fillPastTimes(AbortSignal.abort())).done).to.equal(0);
    expect(await timesOf('orders')).to.deep.equal([null]);
  });
});
