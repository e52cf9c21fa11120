import { expect } from 'chai';
import * as fc from 'fast-check';
import { openPostgres } from '#adapters/persistence/postgres/open.ts';
import type { Store } from '#adapters/persistence/store.ts';
import { Product, type ProductId } from '#domain/product.ts';
import { Quantity } from '#domain/quantity.ts';
import { aProduct, aUser, later } from '#test/contracts/samples.ts';
import { type Database, freshDatabase } from '#test/support/postgres.ts';

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
  /** Whether it has no context, and so runs in a transaction of its own. */
  isAlone: fc.boolean(),
});

type Transfer = typeof transfer extends fc.Arbitrary<infer T> ? T : never;

describe('Units of work in PostgreSQL, in groups and in transactions of their own', () => {
  let database: Database;
  let stores: readonly Store[];
  before(async () => {
    database = await freshDatabase();
    // Two stores share nothing but the database, as two processes do.
    stores = [await openPostgres({ url: database.url }), await openPostgres({ url: database.url })];
  });
  after(async () => {
    for (const store of stores) await store.close();
    await database.drop();
  });

  const carryOut = (
    ids: readonly ProductId[],
    { from, to, looks, counts, fails, isAlone }: Transfer,
    index: number,
  ) => {
    const store = stores[index % stores.length];
    const context = { actor: aUser().id, deadline: performance.now() + 60_000 };
    return store?.unitOfWork.run(
      async ({ products }) => {
        const move = async (place: number, change?: typeof Product.reserve) => {
          const id = ids[place];
          const held = id === undefined ? undefined : await products.lock(id);
          if (held === undefined) throw new Error('It was added before.');
          if (change) await products.save(change(held, Quantity.of(1), later(index)));
        };
        if (looks) for (const id of ids) await products.find(id);
        // Locked in one order: two transactions of their own could otherwise deadlock again and again.
        for (const place of [...new Set([...from, to])].sort()) await move(place);
        for (const place of from) await move(place, Product.reserve);
        if (counts) expect(await products.findBy('sku', ids)).to.have.lengthOf(places);
        for (const _ of from) await move(to, Product.release);
        if (fails) throw new RangeError('changed my mind');
      },
      isAlone ? undefined : context,
    );
  };

  it('are serializable, whatever they lock', async function () {
    this.timeout(120_000);
    await fc.assert(
      fc.asyncProperty(fc.array(transfer, { minLength: 2, maxLength: 30 }), async (transfers) => {
        const all = Array.from({ length: places }, () => {
          const product = aProduct({ stock: much });
          return { ...product, sku: product.id };
        });
        await stores[0]?.unitOfWork.run(({ products }) => products.addAll(all));
        const ids = all.map(({ id }) => id);
        const results = await Promise.allSettled(transfers.map((each, index) => carryOut(ids, each, index)));
        const expected = ids.map(() => ({ stock: 1_000, version: 1 }));
        for (const [index, { from, to, fails }] of transfers.entries()) {
          const result = results[index];
          if (fails) expect(result).to.have.property('reason').instanceOf(RangeError);
          else expect(result).to.include({ status: 'fulfilled' });
          if (fails) continue;
          for (const [place, change] of [
            ...from.map((each) => [each, -1] as const),
            ...from.map(() => [to, 1] as const),
          ]) {
            const there = expected[place];
            if (there !== undefined)
              expected[place] = { stock: there.stock + change, version: there.version + 1 };
          }
        }
        const now = await Promise.all(
          ids.map((id) => stores[0]?.unitOfWork.read(({ products }) => products.find(id))),
        );
        expect(
          now.map((each) => ({ stock: (each?.stock ?? 0) / 1_000, version: each?.version })),
        ).to.deep.equal(expected);
      }),
      { numRuns: 40 },
    );
  });
});
