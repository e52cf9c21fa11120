import { expect } from 'chai';
import * as fc from 'fast-check';
import { type CreationPeriod, collectionNames, type PageOrder } from '#application/ports/repositories.ts';
import { Instant } from '#domain/instant.ts';
import { Id, type Resource } from '#domain/resource.ts';
import { partOf, readerOf, repositoryOf, withField } from './every-collection.ts';
import { mocha, type Suite, storeFor } from './harness.ts';
import { assertRandomly } from './random.ts';
import { aPurchase, later, noon } from './samples.ts';

/** In milliseconds. */
const year = 365 * 86_400_000;

/** More than all resources of a collection that these tests add. */
const maxWalk = 1_000;

/** The time in an id, in milliseconds (RFC 9562 section 5.7). */
export const timeIn = (id: Id): number => Number.parseInt(Id.toHex(id).slice(0, 12), 16);

/** What `CreationPeriod` promises. */
export const describeCreationPeriods: Suite = (adapter, open, runner = mocha()) =>
  runner.describe(`${adapter}: periods of creation`, () => {
    const { it, before } = runner;
    const store = storeFor(open, runner);
    /** Milliseconds behind noon, in the order of ids: the latest is not the one that was created last. */
    const times = [0, 1, 1, 3_600_000, 2, -1];
    const purchases = times.map(() => aPurchase());
    const resourcesOf = (collection: (typeof collectionNames)[number]): Resource[] =>
      purchases.map((purchase, index) =>
        withField(partOf(purchase, collection), 'createdAt', later(times[index] ?? 0)),
      );

    before(() =>
      store.unitOfWork.run(async (repositories) => {
        for (const name of collectionNames) await repositoryOf(repositories, name).addAll(resourcesOf(name));
      }),
    );

    const page = async (
      collection: (typeof collectionNames)[number],
      period: CreationPeriod,
      order?: PageOrder,
    ) =>
      store.unitOfWork.read(async (all) => {
        const found: Resource[] = [];
        for (;;) {
          const after = found.at(-1)?.id;
          const { rows, hasMore } = await readerOf(all, collection).page(
            {},
            { ...period, order, after, limit: 2 },
          );
          found.push(...rows);
          expect(found.length, 'a walk that ends').to.be.at.most(maxWalk);
          if (!hasMore) return found;
          expect(rows, 'a page before another').to.have.length(2);
        }
      });

    it('include its first instant, and exclude its last', async () => {
      for (const name of collectionNames) {
        const [first, second, third, , fifth, last] = resourcesOf(name);
        const some = await page(name, { createdFrom: later(1), createdBefore: later(3) });
        expect(some, name).to.deep.equal([second, third, fifth]);
        const fewer = await page(name, { createdFrom: noon, createdBefore: later(1) });
        expect(fewer, name).to.deep.equal([first]);
        expect(await page(name, { createdBefore: noon }), name).to.deep.equal([last]);
      }
    });

    it('are open at an end that is not given', async () => {
      for (const name of collectionNames) {
        const all = resourcesOf(name);
        expect(await page(name, { createdFrom: later(2) }), name).to.deep.equal([all[3], all[4]]);
        expect(await page(name, {}), name).to.deep.equal(all);
        expect(await page(name, { createdFrom: undefined, createdBefore: undefined }), name).to.deep.equal(
          all,
        );
      }
    });

    it('match nothing when they end before they begin, or at once', async () => {
      for (const name of collectionNames) {
        expect(await page(name, { createdFrom: later(1), createdBefore: later(1) }), name).to.deep.equal([]);
        expect(await page(name, { createdFrom: later(2), createdBefore: noon }), name).to.deep.equal([]);
      }
    });

    it('may begin and end in any year from 0 to 9999', async () => {
      const first = Instant.at(Date.parse('0000-01-01T00:00:00Z'));
      const last = Instant.at(Date.parse('9999-12-31T23:59:59.999Z'));
      for (const name of collectionNames) {
        const everything = await page(name, { createdFrom: first, createdBefore: last });
        expect(everything, name).to.deep.equal(resourcesOf(name));
        expect(await page(name, { createdFrom: last }), name).to.deep.equal([]);
        expect(await page(name, { createdBefore: first }), name).to.deep.equal([]);
      }
    });

    it('are walked in descending order of id as well, and together with a filter', async () => {
      const period = { createdFrom: noon, createdBefore: later(2) };
      for (const name of collectionNames) {
        const [first, second, third] = resourcesOf(name);
        expect(await page(name, period, 'descending'), name).to.deep.equal([third, second, first]);
      }
      const [, one] = purchases;
      if (one === undefined) throw new Error('There are six.');
      const paid = (createdFrom: typeof noon) =>
        store.unitOfWork.read(({ orders }) =>
          orders.page({ userId: one.user.id, status: 'paid' }, { limit: 2, createdFrom }),
        );
      expect((await paid(later(1))).rows.map(({ id }) => id)).to.deep.equal([one.order.id]);
      expect((await paid(later(2))).rows).to.deep.equal([]);
    });

    it('have all that was created in them, also where the clock was wrong when ids were made', async () => {
      const offBy = fc.constantFrom(-year, -3_600_000, -90_000, -1, 0, 1, 90_000, 3_600_000, year);
      const end = fc.option(fc.tuple(fc.nat({ max: 5 }), offBy), { nil: undefined });
      const property = fc.asyncProperty(
        fc.array(offBy, { minLength: 6, maxLength: 6 }),
        ...[end, end],
        fc.constantFrom<PageOrder>('ascending', 'descending'),
        async (offsets, from, before, order) => {
          const all = offsets.map((offset) => {
            const { user } = aPurchase();
            return { ...user, createdAt: Instant.at(timeIn(user.id) + offset) };
          });
          await store.unitOfWork.run(({ users }) => users.addAll(all));
          const endOf = (given: [number, number] | undefined) =>
            given && Instant.plus(all[given[0]]?.createdAt ?? noon, given[1]);
          const period = { createdFrom: endOf(from), createdBefore: endOf(before) };
          const added = new Set<string>(all.map(({ id }) => id));
          const matching = all.filter(
            ({ createdAt }) =>
              createdAt >= (period.createdFrom ?? '') && createdAt < (period.createdBefore ?? '~'),
          );
          const found = (await page('users', period, order)).filter(({ id }) => added.has(id));
          expect(found).to.deep.equal(order === 'ascending' ? matching : matching.toReversed());
        },
      );
      const anHour = 3_600_000;
      await assertRandomly(property, 40, [
        [Array<number>(6).fill(-anHour), undefined, [5, 1], 'ascending'],
        [Array<number>(6).fill(anHour), [0, 0], undefined, 'descending'],
      ]);
    });
  });
