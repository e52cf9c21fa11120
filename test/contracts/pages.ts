import { expect } from 'chai';
import * as fc from 'fast-check';
import { readAll } from '#application/pages.ts';
import type { Page, PageOrder } from '#application/ports/repositories.ts';
import type { OrderItem, OrderItemId } from '#domain/order.ts';
import type { ProductId } from '#domain/product.ts';
import { newId } from '../support/machine.ts';
import { mocha, type Suite, storeFor } from './harness.ts';
import { assertRandomly } from './random.ts';
import { aProduct, aPurchase } from './samples.ts';

/** What `Reader.page` promises. */
export const describePages: Suite = (adapter, open, runner = mocha()) =>
  runner.describe(`${adapter}: pages`, () => {
    const { it } = runner;
    const store = storeFor(open, runner);

    /** An order of its own for each test, whose further items are what is walked. */
    const items = async (count: number) => {
      const purchase = aPurchase();
      const more = Array.from({ length: count }, (): OrderItem => ({ ...purchase.item, id: newId() }));
      await store.unitOfWork.run(async (repositories) => {
        await repositories.users.add(purchase.user);
        await repositories.orders.add(purchase.order);
        await repositories.orderItems.add(purchase.item);
        for (const item of more.toReversed()) await repositories.orderItems.add(item);
      });
      return { orderId: purchase.order.id, all: [purchase.item, ...more] };
    };

    const page = (
      orderId: OrderItem['orderId'],
      limit: number,
      after?: OrderItemId,
      order?: PageOrder,
    ): Promise<Page<OrderItem>> =>
      store.unitOfWork.read(({ orderItems }) => orderItems.page({ orderId }, { limit, after, order }));

    it('ascend by id, in any order of insertion', async () => {
      const { orderId, all } = await items(9);
      expect(await page(orderId, 100)).to.deep.equal({ rows: all, hasMore: false });
    });

    it('have the requested length while there are more, and show whether there are', async () => {
      const { orderId, all } = await items(3);
      expect(await page(orderId, 3)).to.deep.equal({ rows: all.slice(0, 3), hasMore: true });
      expect(await page(orderId, 4)).to.deep.equal({ rows: all, hasMore: false });
      expect(await page(orderId, 5)).to.deep.equal({ rows: all, hasMore: false });
      expect(await page(orderId, 1, all[2]?.id)).to.deep.equal({ rows: all.slice(3), hasMore: false });
      expect(await page(orderId, 1, all[3]?.id)).to.deep.equal({ rows: [], hasMore: false });
    });

    it('are as long as was asked for', async () => {
      const { orderId, all } = await items(1_200);
      const ids = all.map(({ id }) => id);
      for (const limit of [600, 1_100, 1_200, 1_201, 5_000])
        for (const order of ['ascending', 'descending'] as const) {
          const { rows, hasMore } = await page(orderId, limit, undefined, order);
          const expected = (order === 'ascending' ? ids : ids.toReversed()).slice(0, limit);
          expect(
            rows.map(({ id }) => id),
            `${order}, ${limit}`,
          ).to.deep.equal(expected);
          expect(hasMore, `more than ${limit}`).to.equal(limit < ids.length);
        }
    });

    it('continue after a removed resource', async () => {
      const { orderId, all } = await items(4);
      const [, second] = all;
      if (second === undefined) throw new Error('There are five.');
      await store.unitOfWork.run(({ orderItems }) => orderItems.remove(second.id));
      expect(await page(orderId, 2, second.id)).to.deep.equal({ rows: all.slice(2, 4), hasMore: true });
    });

    it('descend, and begin after their cursor, where that is asked for', async () => {
      const { orderId, all } = await items(5);
      const descending = all.toReversed();
      const rows = (limit: number, after?: OrderItemId) => page(orderId, limit, after, 'descending');
      expect(await rows(100)).to.deep.equal({ rows: descending, hasMore: false });
      expect(await rows(6)).to.deep.equal({ rows: descending, hasMore: false });
      expect(await rows(2)).to.deep.equal({ rows: descending.slice(0, 2), hasMore: true });
      expect(await rows(3, all[4]?.id)).to.deep.equal({ rows: descending.slice(2, 5), hasMore: true });
      expect(await rows(3, all[0]?.id)).to.deep.equal({ rows: [], hasMore: false });
      const [, , third] = all;
      if (third === undefined) throw new Error('There are six.');
      await store.unitOfWork.run(({ orderItems }) => orderItems.remove(third.id));
      expect(await rows(2, third.id)).to.deep.equal({ rows: descending.slice(4), hasMore: false });
      expect(await page(orderId, 2, third.id, 'ascending')).to.deep.equal({
        rows: all.slice(3, 5),
        hasMore: true,
      });
    });

    it('cover an unfiltered collection as well', async () => {
      const products = Array.from({ length: 5 }, () => aProduct());
      await store.unitOfWork.run(async (repositories) => {
        for (const product of products) await repositories.products.add(product);
      });
      const walked = await store.unitOfWork.read(async (repositories) => {
        const ids: ProductId[] = [];
        for await (const { id } of readAll(repositories.products, {})) {
          ids.push(id);
          expect(ids.length, 'a walk that ends').to.be.below(1_000);
        }
        return ids;
      });
      expect(walked).to.deep.equal(walked.toSorted());
      expect(walked).to.include.members(products.map(({ id }) => id));
    });

    /** Walks random pages, and adds and removes resources between them. */
    const walkDespiteChanges = async (order: PageOrder): Promise<void> => {
      const step = fc.array(fc.record({ place: fc.nat(29), adds: fc.boolean() }), { maxLength: 4 });
      await assertRandomly(
        fc.asyncProperty(
          fc.array(fc.boolean(), { minLength: 30, maxLength: 30 }),
          fc.integer({ min: 1, max: 7 }),
          fc.array(step, { maxLength: 30 }),
          async (present, limit, steps) => {
            const { orderId, all } = await items(0);
            const [sample] = all;
            if (sample === undefined) throw new Error('There is one.');
            const pool = present.map((): OrderItem => ({ ...sample, id: newId() }));
            let there = new Set(pool.filter((_, place) => present[place]));
            await store.unitOfWork.run(async ({ orderItems }) => {
              await orderItems.remove(sample.id);
              for (const item of there) await orderItems.add(item);
            });
            const throughout = new Set([...there].map(({ id }) => id));
            const everThere = new Set(throughout);
            const walked: OrderItemId[] = [];
            for (let turn = 0; ; turn += 1) {
              expect(turn, 'a walk that ends').to.be.below(200);
              const { rows, hasMore } = await page(orderId, limit, walked.at(-1), order);
              walked.push(...rows.map(({ id }) => id));
              if (!hasMore) break;
              expect(rows).to.have.lengthOf(limit);
              there = await store.unitOfWork.run(async ({ orderItems }) => {
                const after = new Set(there);
                for (const { place, adds } of steps[turn] ?? []) {
                  const item = pool[place];
                  if (item === undefined || after.has(item) === adds) continue;
                  if (adds) await orderItems.add(item);
                  else await orderItems.remove(item.id);
                  if (adds) after.add(item);
                  else after.delete(item);
                  everThere.add(item.id);
                  throughout.delete(item.id);
                }
                return after;
              });
            }
            const sorted = [...new Set(walked)].sort();
            expect(walked).to.deep.equal(order === 'ascending' ? sorted : sorted.toReversed());
            expect(walked).to.include.members([...throughout]);
            expect([...everThere]).to.include.members(walked);
          },
        ),
        40,
        // The first row of the first page is removed, so that a cursor that counts rows omits one.
        [[Array<boolean>(30).fill(true), 3, [[0, 29].map((place) => ({ place, adds: false }))]]],
      );
    };

    it('neither repeat nor omit a resource that exists throughout, despite concurrent changes', () =>
      walkDespiteChanges('ascending'));

    it('neither repeat nor omit one in descending order, despite concurrent changes', () =>
      walkDespiteChanges('descending'));
  });
