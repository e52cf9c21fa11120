import { expect } from 'chai';
import * as page from '#adapters/ops/admin/browser/views/sales.ts';
import { Instant } from '#domain/instant.ts';
import { Sales } from '#domain/sales.ts';
import type { Json } from '../../http/support/client.ts';

const hour = 3_600_000;

/** When a day of 2026 begins in which clocks are changed, and how many hours it has. */
const changesOfClocks = [
  ['Europe/Vienna', ['2026-03-28T23:00:00.000Z', 23], ['2026-10-24T22:00:00.000Z', 25]],
  ['America/New_York', ['2026-03-08T05:00:00.000Z', 23], ['2026-11-01T04:00:00.000Z', 25]],
  ['Australia/Lord_Howe', ['2026-04-04T13:00:00.000Z', 24.5], ['2026-10-03T13:30:00.000Z', 23.5]],
  ['America/Santiago', ['2026-04-04T03:00:00.000Z', 25], ['2026-09-06T04:00:00.000Z', 23]],
] as const;

/** A row of `GET /sales` for an order in the period of its creation. */
const rowsOf = (query: Json, ...orders: readonly Instant[]): readonly Json[] =>
  Sales.periods(query.from, query.days, query.time_zone).flatMap(({ from, until }) =>
    orders
      .filter((at) => from <= at && at < until)
      .map(() => ({
        ...{ from, until, currency: 'EUR', order_count: 1, paid_order_count: 1 },
        ...{
          paid: { amount: 100 },
          refunded: { amount: 0 },
          captured: { amount: 100 },
          disputed: { amount: 0 },
        },
      })),
  );

/** What the page asks for. */
const queryOf = async (days: readonly Date[]): Promise<Json> => {
  const asked: Json[] = [];
  const read: Json = async (query: Json) => asked.push(query);
  await page.readSales(read, days);
  return asked[0];
};

const lastOf = (days: readonly Date[]): Date => days.at(-1) ?? expect.fail('There is no day.');

describe('The days of sales on the admin page', () => {
  const { TZ: zoneOfTests } = process.env;

  afterEach(() => {
    if (zoneOfTests === undefined) delete process.env.TZ;
    else process.env.TZ = zoneOfTests;
  });

  for (const [zone, ...changes] of changesOfClocks)
    for (const [begin, hours] of changes) {
      const end = Instant.plus(begin as Instant, hours * hour);

      it(`are as long as those of clocks in ${zone}, on one of ${hours} hours and on all that follow`, async () => {
        process.env.TZ = zone;
        for (let later = -1; later < 31; later += 1) {
          const now = new Date(Date.parse(end) + later * 24 * hour + 30 * 60_000);
          const days: readonly Date[] = page.daysOf(now, 30);
          const query = await queryOf(days);
          const begins = Sales.periods(query.from, query.days, query.time_zone).map(({ from }) => from);
          expect(begins).to.deep.equal(days.map((day) => day.toISOString()));
        }
      });

      it(`have an order in its last minute and none of the next, in ${zone} on a day of ${hours} hours`, async () => {
        process.env.TZ = zone;
        const [last, next] = [Instant.plus(end, -1), end];
        const before = page.daysOf(new Date(last), 30);
        expect(page.sumOf(rowsOf(await queryOf(before), last, next), 'EUR', lastOf(before)).orders).to.equal(
          1,
        );
        const after = page.daysOf(new Date(next), 30);
        const rows = rowsOf(await queryOf(after), last, next);
        expect(page.sumOf(rows, 'EUR', lastOf(after)).orders).to.equal(1);
        expect(page.sumOf(rows, 'EUR', lastOf(after.slice(0, -1)), lastOf(after)).orders).to.equal(1);
      });
    }

  it('have 24 hours each where the server does not know the zone of the browser', async () => {
    const unknown = Object.assign(new Error('The zone is unknown.'), { status: 422 });
    const read = async ({ time_zone: zone, ...query }: Json): Promise<Json> => {
      if (zone !== undefined) throw unknown;
      return { data: [query] };
    };
    const days = page.daysOf(new Date('2026-03-01T12:00:00Z'), 30);
    expect(await page.readSales(read, days)).to.deep.equal({
      rows: [{ from: days[0]?.toISOString(), days: 30 }],
      tooLarge: [],
    });
  });

  it('are shown without the one whose sum is too large for the API', async () => {
    const days: readonly Date[] = page.daysOf(new Date('2026-03-01T12:00:00Z'), 3);
    const message = 'reaches the period from 2026-02-28, whose sum in EUR exceeds 2^53-1';
    const tooLarge = Object.assign(new Error(message), {
      ...{ status: 422, details: [{ field: 'from', message }] },
    });
    const read = async ({ from, days: count }: Json): Promise<Json> => {
      if (count > 1 || from === days[1]?.toISOString()) throw tooLarge;
      return { data: [from] };
    };
    expect(await page.readSales(read, days)).to.deep.equal({
      ...{ rows: [days[0]?.toISOString(), days[2]?.toISOString()], tooLarge: [days[1]] },
    });
  });

  it('have exact sums, also above 2^53', () => {
    const day = lastOf(page.daysOf(new Date('2026-03-01T12:00:00Z'), 1));
    const money = { amount: 9_007_199_254_740_991 };
    const row: Json = {
      ...{ from: day.toISOString(), currency: 'EUR', order_count: 1, paid_order_count: 1 },
      ...{ paid: money, refunded: money, captured: money, disputed: money },
    };
    const { orders, paid } = page.sumOf([row, row, row], 'EUR', day);
    expect([orders, paid]).to.deep.equal([3, { amount: 27_021_597_764_222_973n, currency: 'EUR' }]);
  });
});
