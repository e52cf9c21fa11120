import { expect } from 'chai';
import { Instant } from '#domain/instant.ts';
import type { SalesSums } from '#domain/sales.ts';
import { ofEachTest } from '../support/of-each-test.ts';
import { kindOf } from './error-kind.ts';
import { euros, hour, noon } from './fixture.ts';
import { aWorld } from './world.ts';

/** When clocks are changed in 2026: when the day begins, and how many hours it has. */
const changesOfClocks = [
  ['Europe/Vienna', ['2026-03-28T23:00:00.000Z', 23], ['2026-10-24T22:00:00.000Z', 25]],
  ['America/New_York', ['2026-03-08T05:00:00.000Z', 23], ['2026-11-01T04:00:00.000Z', 25]],
  ['Australia/Lord_Howe', ['2026-04-04T13:00:00.000Z', 24.5], ['2026-10-03T13:30:00.000Z', 23.5]],
  ['America/Santiago', ['2026-04-04T03:00:00.000Z', 25], ['2026-09-06T04:00:00.000Z', 23]],
] as const;

describe('A report of sales', () => {
  const world = ofEachTest(aWorld);

  const list = (days: number, from = noon, caller = world.staff, timeZone?: string) =>
    world.read(world.useCases.sales.list, caller, { from, days, timeZone });

  it('has what was ordered, taken and given back, each in the period in which it was created', async () => {
    const product = await world.product({ price: euros(450) });
    await world.order(world.bob, product);
    const { payment } = await world.purchase(product, 2);
    world.clock.pass(25 * hour);
    await world.refund(world.staff, payment, { amount: euros(100) });
    const second = Instant.plus(noon, 24 * hour);
    const third = Instant.plus(noon, 48 * hour);
    expect(await list(31)).to.deep.equal([
      {
        ...{ from: noon, until: second, currency: 'EUR', orderCount: 2, paidOrderCount: 1 },
        ...{ paid: euros(900), refundCount: 0, refunded: euros(0) },
        ...{ captured: euros(900), disputed: euros(0) },
      },
      {
        ...{ from: second, until: third, currency: 'EUR', orderCount: 0, paidOrderCount: 0 },
        ...{ paid: euros(0), refundCount: 1, refunded: euros(100) },
        ...{ captured: euros(0), disputed: euros(0) },
      },
    ]);
  });

  for (const [zone, ...days] of changesOfClocks)
    it(`counts the first and the last millisecond of a day in which clocks are changed in ${zone}`, async () => {
      const product = await world.product();
      for (const [from, hours] of days) {
        const until = Instant.plus(from as Instant, hours * hour);
        for (const at of [from as Instant, Instant.plus(until, -1), until]) {
          world.clock.pass(Instant.milliseconds(at) - Instant.milliseconds(world.clock.now()));
          await world.order(world.ada, product);
        }
        const rows = await list(2, from as Instant, world.staff, zone);
        const counts = rows.map((row) => [row.from, row.orderCount]);
        expect(counts, from).to.deep.equal([
          [from, 2],
          [until, 1],
        ]);
      }
    });

  it('counts no order that is canceled', async () => {
    const order = await world.order(world.ada, await world.product());
    expect(await list(1)).to.have.lengthOf(1);
    await world.become(world.ada, order, 'canceled');
    expect(await list(1)).to.deep.equal([]);
  });

  it('asks the store for one period after the other, each when the one before is there', async () => {
    const asked: (readonly string[])[] = [];
    let running = 0;
    const sum = async ({ from, until }: { from: Instant; until: Instant }): Promise<SalesSums> => {
      running += 1;
      asked.push([from, until]);
      expect(running).to.equal(1);
      await Promise.resolve();
      running -= 1;
      return { orders: [], refunds: [], payments: [], disputes: [] };
    };
    const reading = world.useCases.sales.list(world.staff, { from: noon, days: 3 });
    await reading({ sales: { sum } } as never);
    const begins = [0, 1, 2, 3].map((day) => Instant.plus(noon, day * 24 * hour));
    expect(asked).to.deep.equal([0, 1, 2].map((day) => [begins[day], begins[day + 1]]));
  });

  it('is for staff', async () => {
    expect(await kindOf(list(1, noon, world.ada))).to.equal('forbidden');
    expect(await list(1, noon, world.admin)).to.deep.equal([]);
  });
});
