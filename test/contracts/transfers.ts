import { expect } from 'chai';
import * as fc from 'fast-check';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import { Product, type ProductId } from '#domain/product.ts';
import { Quantity } from '#domain/quantity.ts';
import { anotherFor, existing, mocha, type Suite, storeFor } from './harness.ts';
import { assertRandomly } from './random.ts';
import { aProduct, aUser, later } from './samples.ts';

const places = 4;
const much = Quantity.of(1_000);

/** Moves one unit of stock from each of some products to another product. */
const transfer = fc.record({
  from: fc.uniqueArray(fc.nat(places - 1), { minLength: 1, maxLength: 3 }),
  to: fc.nat(places - 1),
  /** Whether it reads all of them first and in between, and whether it fails at the end. */
  looks: fc.boolean(),
  counts: fc.boolean(),
  fails: fc.boolean(),
  hasDeadline: fc.boolean(),
});

type Transfer = typeof transfer extends fc.Arbitrary<infer T> ? T : never;

/** Units of work on the same resources are serializable, as far as each locks what it changes. */
export const describeTransfers: Suite = (adapter, open, runner = mocha()) =>
  runner.describe(`${adapter}: concurrent transfers between a few resources`, () => {
    const { it } = runner;
    const store = storeFor(open, runner);
    const another = anotherFor(store, runner);

    const carryOut = (
      unitOfWork: UnitOfWork,
      ids: readonly ProductId[],
      { from, to, looks, counts, fails, hasDeadline }: Transfer,
      index: number,
    ) =>
      unitOfWork.run(
        async ({ products }) => {
          const move = async (place: number, change?: typeof Product.reserve) => {
            const held = existing(await products.lock(existing(ids[place])));
            if (change) await products.save(change(held, Quantity.of(1), later(index)));
          };
          if (looks) for (const id of ids) await products.find(id);
          // Locked in one order: two transactions could otherwise deadlock again and again.
          for (const place of [...new Set([...from, to])].sort()) await move(place);
          for (const place of from) await move(place, Product.reserve);
          if (counts) expect(await products.findBy('sku', ids)).to.have.lengthOf(places);
          for (const _ of from) await move(to, Product.release);
          if (fails) throw new RangeError('changed my mind');
        },
        hasDeadline ? { actor: aUser().id, deadline: performance.now() + 60_000 } : undefined,
      );

    it('lose nothing and are serializable, whatever they lock, in one process or two', async () => {
      await assertRandomly(
        fc.asyncProperty(fc.array(transfer, { minLength: 2, maxLength: 20 }), async (transfers) => {
          const all = Array.from({ length: places }, () => {
            const product = aProduct({ stock: much });
            return { ...product, sku: product.id };
          });
          await store.unitOfWork.run(({ products }) => products.addAll(all));
          const ids = all.map(({ id }) => id);
          const results = await Promise.allSettled(
            transfers.map((each, index) => {
              const { unitOfWork } = index % 2 === 0 ? store : another();
              return carryOut(unitOfWork, ids, each, index);
            }),
          );
          const expected = ids.map(() => ({ stock: 1_000, version: 1 }));
          const count = (place: number, change: number): void => {
            const there = existing(expected[place]);
            expected[place] = { stock: there.stock + change, version: there.version + 1 };
          };
          for (const [index, { from, to, fails }] of transfers.entries()) {
            const result = results[index];
            if (fails) expect(result).to.have.property('reason').instanceOf(RangeError);
            else expect(result).to.include({ status: 'fulfilled' });
            if (fails) continue;
            for (const place of from) count(place, -1);
            for (const _ of from) count(to, 1);
          }
          const now = await store.unitOfWork.read(({ products }) =>
            Promise.all(ids.map((id) => products.find(id))),
          );
          const left = now
            .map(existing)
            .map(({ stock, version }) => ({ stock: (stock ?? 0) / 1_000, version }));
          expect(left).to.deep.equal(expected);
        }),
        20,
      );
    });
  });
