import { expect } from 'chai';
import { pastTimesBatchSize } from '#application/jobs/past-times.ts';
import { type TimedCollection, timeFields } from '#application/ports/missing-times.ts';
import type { Collections } from '#application/ports/repositories.ts';
import type { Instant } from '#domain/instant.ts';
import type { Resource } from '#domain/resource.ts';
import { newId } from '../support/machine.ts';
import { addPurchase, addPurchases, neededBy, partOf, readerOf, withField } from './every-collection.ts';
import { mocha, rejectionOf, type Suite, storeFor } from './harness.ts';
import { aPurchase, later, type Purchase, sampleOf } from './samples.ts';

const names = Object.keys(timeFields) as readonly TimedCollection[];

/** What `MissingTimes` promises. */
export const describeMissingTimes: Suite = (adapter, open, runner = mocha()) =>
  runner.describe(`${adapter}: times that resources of earlier releases do not have`, () => {
    const { it } = runner;
    const store = storeFor(open, runner);

    /** As an earlier release has left it, or with a time. */
    const purchaseWith = (time: Instant | null): Purchase => {
      const purchase = aPurchase();
      const { order, payment, refund, capture, dispute } = purchase;
      return {
        ...purchase,
        ...{ order: { ...order, paidAt: time }, payment: { ...payment, succeededAt: time } },
        ...{ refund: { ...refund, succeededAt: time }, capture: { ...capture, succeededAt: time } },
        dispute: { ...dispute, closedAt: time },
      };
    };
    const add = async (time: Instant | null): Promise<Purchase> => {
      const purchase = purchaseWith(time);
      await store.unitOfWork.run((repositories) => addPurchase(repositories, purchase));
      return purchase;
    };
    const fill = (collection: TimedCollection, ...times: readonly (readonly [Resource['id'], Instant])[]) =>
      store.unitOfWork.run(({ missingTimes }) =>
        missingTimes.fill(
          collection,
          times.map(([id, at]) => ({ id, at })),
        ),
      );
    const find = (collection: keyof Collections, { id }: Resource) =>
      store.unitOfWork.read((all) => readerOf(all, collection).find(id));

    it('are filled in, and nothing else of these resources is changed', async () => {
      const [one, other, third] = [await add(null), await add(null), await add(null)];
      for (const name of names) {
        const [first, second, left] = [one, other, third].map((each) => partOf(each, name));
        if (first === undefined || second === undefined || left === undefined)
          throw new Error('There are three.');
        await fill(name, [second.id, later(7)], [first.id, later(8)]);
        expect(await find(name, first), name).to.deep.equal(withField(first, timeFields[name], later(8)));
        expect(await find(name, second), name).to.deep.equal(withField(second, timeFields[name], later(7)));
        expect(await find(name, left), name).to.deep.equal(left);
      }
      for (const name of ['users', 'products', 'orderItems', 'reviews'] as const)
        expect(await find(name, sampleOf[name](one)), name).to.deep.equal(sampleOf[name](one));
    });

    it('are filled in by a list as long as the feed gives', async () => {
      const all = Array.from({ length: pastTimesBatchSize }, () => purchaseWith(null));
      const needed = [...new Set(names.flatMap(neededBy))];
      await store.unitOfWork.run((repositories) => addPurchases(repositories, all, needed));
      for (const name of names) {
        const resources = all.map((purchase) => partOf(purchase, name));
        await fill(name, ...resources.map(({ id }, place) => [id, later(place)] as const));
        const found = await store.unitOfWork.read((repositories) =>
          readerOf(repositories, name).findBy(
            'id',
            resources.map(({ id }) => id),
          ),
        );
        expect(found, name).to.deep.equal(
          resources.map((resource, place) => withField(resource, timeFields[name], later(place))),
        );
      }
    });

    it('stay as they are where they are known, and are passed over where nothing is', async () => {
      const purchase = await add(later(5));
      for (const name of names) {
        const known = partOf(purchase, name);
        await fill(name, [known.id, later(9)], [newId(), later(9)]);
        expect(await find(name, known), name).to.deep.equal(known);
        await fill(name);
      }
    });

    it('are found by their period, and roll back with their unit of work', async () => {
      const { order } = await add(null);
      const paid = () =>
        store.unitOfWork.read(async ({ orders }) => {
          const request = { paidFrom: later(1), paidBefore: later(2), limit: 10 };
          return (await orders.page({ userId: order.userId }, request)).rows.map(({ id }) => id);
        });
      const failure = new Error('It ends here.');
      const rejection = await rejectionOf(
        store.unitOfWork.run(async ({ missingTimes }) => {
          await missingTimes.fill('orders', [{ id: order.id, at: later(1) }]);
          throw failure;
        }),
      );
      expect(rejection).to.equal(failure);
      expect(await paid()).to.deep.equal([]);
      await fill('orders', [order.id, later(1)]);
      expect(await paid()).to.deep.equal([order.id]);
    });
  });
