import { expect } from 'chai';
import * as fc from 'fast-check';
import type { PageOrder, PaidPeriod } from '#application/ports/repositories.ts';
import { Instant } from '#domain/instant.ts';
import type { Order } from '#domain/order.ts';
import { timeIn } from './creation-periods.ts';
import { mocha, type Suite, storeFor } from './harness.ts';
import { assertRandomly } from './random.ts';
import { aPurchase, later, noon } from './samples.ts';

/** In milliseconds. */
const [hour, year] = [3_600_000, 365 * 86_400_000];

/** More than all orders that these tests add. */
const maxWalk = 2_000;

/** What `PaidPeriod` promises. */
export const describePaidPeriods: Suite = (adapter, open, runner = mocha()) =>
  runner.describe(`${adapter}: periods of payment`, () => {
    const { it, before } = runner;
    const store = storeFor(open, runner);
    const { user, order: anOrder } = aPurchase();
    const orderPaid = (paidAt: Instant | null, details: Partial<Order> = {}): Order => ({
      ...{ ...aPurchase().order, userId: user.id, status: paidAt === null ? 'pending' : 'paid', paidAt },
      ...details,
    });
    /** In the order of ids: the latest is not the one that was paid last. */
    const orders = [later(0), later(1), null, later(1), later(hour), later(2), later(-1)].map((paidAt) =>
      orderPaid(paidAt),
    );

    before(() =>
      store.unitOfWork.run(async (all) => {
        await all.users.add(user);
        await all.orders.addAll(orders);
      }),
    );

    const page = (period: PaidPeriod & { readonly createdFrom?: Instant }, order?: PageOrder, filter = {}) =>
      store.unitOfWork.read(async (all) => {
        const found: Order[] = [];
        for (;;) {
          const request = { ...period, order, after: found.at(-1)?.id, limit: 2 };
          const { rows, hasMore } = await all.orders.page({ userId: user.id, ...filter }, request);
          found.push(...rows);
          expect(found.length, 'a walk that ends').to.be.at.most(maxWalk);
          if (!hasMore) return found;
          expect(rows, 'a page before another').to.have.length(2);
        }
      });

    const places = (...chosen: readonly number[]) => chosen.map((place) => orders[place]);

    it('include their first instant, exclude their last, and have no order that was never paid', async () => {
      expect(await page({ paidFrom: later(1), paidBefore: later(3) })).to.deep.equal(places(1, 3, 5));
      expect(await page({ paidFrom: noon, paidBefore: later(1) })).to.deep.equal(places(0));
      expect(await page({ paidBefore: noon })).to.deep.equal(places(6));
      expect(await page({ paidFrom: later(2) })).to.deep.equal(places(4, 5));
      const [first, last] = ['0000-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z'].map((text) =>
        Instant.at(Date.parse(text)),
      );
      expect(await page({ paidFrom: first, paidBefore: last })).to.deep.equal(places(0, 1, 3, 4, 5, 6));
    });

    it('are open at both ends where none is given, and have orders that were never paid then', async () => {
      expect(await page({})).to.deep.equal(orders);
      expect(await page({ paidFrom: undefined, paidBefore: undefined })).to.deep.equal(orders);
    });

    it('match nothing when they end before they begin, or at once', async () => {
      expect(await page({ paidFrom: later(1), paidBefore: later(1) })).to.deep.equal([]);
      expect(await page({ paidFrom: later(2), paidBefore: noon })).to.deep.equal([]);
    });

    it('are walked in descending order of id, with a filter, and with a period of creation', async () => {
      const period = { paidFrom: noon, paidBefore: later(2) };
      expect(await page(period, 'descending')).to.deep.equal(places(3, 1, 0));
      expect(await page(period, 'ascending', { status: 'paid' })).to.deep.equal(places(0, 1, 3));
      expect(await page(period, 'ascending', { status: 'canceled' })).to.deep.equal([]);
      expect(await page({ ...period, createdFrom: noon })).to.deep.equal(places(0, 1, 3));
      expect(await page({ ...period, createdFrom: later(1) })).to.deep.equal([]);
    });

    it('follow an order that is paid', async () => {
      const order = orderPaid(null);
      const paidAt = later(50 * hour);
      const period = { paidFrom: paidAt, paidBefore: later(50 * hour + 1) };
      await store.unitOfWork.run((all) => all.orders.add(order));
      expect(await page(period)).to.deep.equal([]);
      const paid: Order = { ...order, status: 'paid', paidAt, version: order.version + 1 };
      await store.unitOfWork.run((all) => all.orders.save(paid));
      expect(await page(period)).to.deep.equal([paid]);
    });

    it('have all that was paid in them, however long after its creation', async () => {
      const delay = fc.constantFrom(null, -year, -90_000, -1, 0, 1, 90_000, hour - 1, hour, 2 * hour, year);
      const off = fc.constantFrom(-hour, -1, 0, 1, hour);
      const end = fc.option(fc.tuple(fc.nat({ max: 5 }), off), { nil: undefined });
      const property = fc.asyncProperty(
        fc.array(delay, { minLength: 6, maxLength: 6 }),
        ...[end, end],
        fc.constantFrom<PageOrder>('ascending', 'descending'),
        async (delays, from, until, order) => {
          const all = delays.map((each) => {
            const { order: made } = aPurchase();
            const paidAt = each === null ? null : Instant.at(timeIn(made.id) + each);
            return { ...anOrder, id: made.id, number: made.number, paidAt };
          });
          await store.unitOfWork.run((repositories) => repositories.orders.addAll(all));
          const endOf = (given: [number, number] | undefined) =>
            given && Instant.plus(all[given[0]]?.paidAt ?? noon, given[1]);
          const period = { paidFrom: endOf(from) ?? Instant.at(0), paidBefore: endOf(until) };
          const added = new Set<string>(all.map(({ id }) => id));
          const matching = all.filter(
            ({ paidAt }) =>
              paidAt !== null && paidAt >= period.paidFrom && paidAt < (period.paidBefore ?? '~'),
          );
          const found = (await page(period, order)).filter(({ id }) => added.has(id));
          expect(found).to.deep.equal(order === 'ascending' ? matching : matching.toReversed());
        },
      );
      await assertRandomly(property, 40, [
        [Array<number>(6).fill(2 * hour), [0, 0], [5, 1], 'ascending'],
        [Array<number>(6).fill(-year), [0, 0], [5, 1], 'descending'],
      ]);
    });
  });
