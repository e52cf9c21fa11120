import { expect } from 'chai';
import * as fc from 'fast-check';
import { collectionNames } from '#application/ports/repositories.ts';
import type { OrderId, OrderItem } from '#domain/order.ts';
import { newId } from '../support/machine.ts';
import { addPurchase, partOf, readerOf } from './every-collection.ts';
import { filteredBy } from './filters.ts';
import { mocha, type Suite, storeFor } from './harness.ts';
import { assertRandomly } from './random.ts';
import { aFullPurchase, aPurchase } from './samples.ts';

/** What `Reader.firstBy` promises. */
export const describeFirstOfEach: Suite = (adapter, open, runner = mocha()) =>
  runner.describe(`${adapter}: the resources of several others`, () => {
    const { it } = runner;
    const store = storeFor(open, runner);

    /** An order with so many items, which are added from the last to the first. */
    const orderWith = async (count: number) => {
      const { user, order, item } = aPurchase();
      const items = Array.from({ length: count }, (): OrderItem => ({ ...item, id: newId() }));
      await store.unitOfWork.run(async ({ users, orders, orderItems }) => {
        await users.add(user);
        await orders.add(order);
        for (const each of items.toReversed()) await orderItems.add(each);
      });
      return { orderId: order.id, items };
    };

    const firstOf = (orderIds: readonly OrderId[], limit: number) =>
      store.unitOfWork.read(({ orderItems }) => orderItems.firstBy('orderId', orderIds, limit));

    it('are as many for each as the limit says, and never fewer because others have more', async () => {
      const [many, few, none] = [await orderWith(5), await orderWith(2), await orderWith(0)];
      const ids = [few.orderId, none.orderId, many.orderId];
      expect(await firstOf(ids, 3)).to.deep.equal([...many.items.slice(0, 3), ...few.items]);
      expect(await firstOf(ids, 1)).to.deep.equal([...many.items.slice(0, 1), ...few.items.slice(0, 1)]);
      expect(await firstOf(ids, 100)).to.deep.equal([...many.items, ...few.items]);
    });

    it('are found once although values are repeated, and not at all without values', async () => {
      const { orderId, items } = await orderWith(3);
      expect(await firstOf([orderId, orderId, newId<OrderId>()], 2)).to.deep.equal(items.slice(0, 2));
      expect(await firstOf([], 2)).to.deep.equal([]);
    });

    it('are those that every order has, whichever are asked for', async () => {
      const orders = [await orderWith(4), await orderWith(1), await orderWith(7)];
      await assertRandomly(
        fc.asyncProperty(fc.subarray(orders), fc.integer({ min: 1, max: 8 }), async (some, limit) => {
          const found = await firstOf(
            some.map(({ orderId }) => orderId),
            limit,
          );
          expect(found).to.deep.equal(
            orders.filter((each) => some.includes(each)).flatMap(({ items }) => items.slice(0, limit)),
          );
        }),
        20,
      );
    });

    it('are of every kind, by each field', async () => {
      const purchases = [aPurchase(), aFullPurchase()];
      await store.unitOfWork.run(async (all) => {
        for (const purchase of purchases) await addPurchase(all, purchase);
      });
      for (const name of collectionNames) {
        const resources = purchases.map((purchase) => partOf(purchase, name));
        for (const field of Object.keys(filteredBy[name])) {
          const matching = resources.filter((resource) => Reflect.get(resource, field) !== null);
          const values = matching.map((resource) => Reflect.get(resource, field));
          const found = await store.unitOfWork.read((all) => readerOf(all, name).firstBy(field, values, 100));
          const own = found.filter(({ id }) => resources.some((resource) => resource.id === id));
          expect(own, `${name} by ${field}`).to.deep.equal(matching);
        }
      }
    });

    it('include what the unit of work itself has added, and leave out what it has removed', async () => {
      const { orderId, items } = await orderWith(3);
      const [first, second, third] = items;
      if (first === undefined || second === undefined || third === undefined)
        throw new Error('There are three.');
      const fourth = { ...first, id: newId<OrderItem['id']>() };
      await store.unitOfWork.run(async ({ orderItems }) => {
        await orderItems.remove(first.id);
        await orderItems.add(fourth);
        expect(await orderItems.firstBy('orderId', [orderId], 2)).to.deep.equal([second, third]);
        expect(await orderItems.firstBy('orderId', [orderId], 3)).to.deep.equal([second, third, fourth]);
      });
    });
  });
