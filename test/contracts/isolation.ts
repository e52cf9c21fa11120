import { expect } from 'chai';
import type { Repositories } from '#application/ports/repositories.ts';
import { Product, type ProductId } from '#domain/product.ts';
import { newId } from '../support/machine.ts';
import { addPurchase, findPurchase, nothingOf } from './every-collection.ts';
import { atOnce, existing, mocha, rejectionOf, type Suite, storeFor } from './harness.ts';
import { aProduct, aPurchase, aRecord, later, noon } from './samples.ts';

/** What is left of a unit of work that fails, loses a conflict or has ended, and when others see one that has committed. */
export const describeIsolation: Suite = (adapter, open, runner = mocha()) =>
  runner.describe(`${adapter}: units of work are isolated`, () => {
    const { it } = runner;
    const store = storeFor(open, runner);

    const added = async (product = aProduct()): Promise<Product> => {
      await store.unitOfWork.run(({ products }) => products.add(product));
      return product;
    };
    const find = (id: ProductId) => store.unitOfWork.read(({ products }) => products.find(id));

    it('leave nothing behind when they fail: no resource, no key, no lease', async () => {
      const [kept, gone] = [aPurchase(), aPurchase()];
      const [record, lease] = [aRecord(), { name: newId(), holder: 'Ada', expiresAt: later(100) }];
      await store.unitOfWork.run((repositories) => addPurchase(repositories, kept));
      const removed = await added();
      const cause = new RangeError('changed my mind');
      const failing = store.unitOfWork.run(async (repositories) => {
        const { products, reviews, idempotencyKeys, leases } = repositories;
        await addPurchase(repositories, gone);
        await products.save(Product.change(kept.product, { name: 'Mate' }, later(1)));
        await products.saveAll([
          Product.change(existing(await products.find(kept.product.id)), {}, later(2)),
        ]);
        await products.remove(removed.id);
        await reviews.remove(kept.review.id);
        await idempotencyKeys.add(record);
        await leases.acquire(lease, noon);
        // Whatever was changed has reached the database by now.
        await products.findBy('sku', [newId()]);
        throw cause;
      });
      expect(await rejectionOf(failing)).to.equal(cause);
      const left = await store.unitOfWork.read(async (all) => ({
        ...(await findPurchase(all, gone)),
        record: await all.idempotencyKeys.find(record.userId, record.key),
      }));
      expect(left).to.deep.equal({ ...nothingOf, record: undefined });
      expect(await find(kept.product.id)).to.deep.equal(kept.product);
      expect(await find(removed.id)).to.deep.equal(removed);
      const { review } = kept;
      expect(await store.unitOfWork.read(({ reviews }) => reviews.find(review.id))).to.deep.equal(review);
      const isFree = ({ leases }: Repositories) => leases.acquire({ ...lease, holder: 'Bob' }, noon);
      expect(await store.unitOfWork.run(isFree)).to.equal(true);
    });

    it('keep nothing of a run that lost a conflict: the next run begins anew', async () => {
      const { id } = await added();
      const stale = existing(await find(id));
      await store.unitOfWork.run(({ products }) =>
        products.save(Product.change(stale, { name: 'Mate' }, later(1))),
      );
      const first = aProduct();
      const seen: (string | undefined)[] = [];
      await store.unitOfWork.run(async ({ products }) => {
        const current = existing(await products.find(id));
        seen.push(current.name, (await products.find(first.id))?.name);
        if (seen.length > 2) return products.save(Product.change(current, { description: 'Mild' }, later(2)));
        await products.add(first);
        return products.save(Product.change(stale, { name: 'Lost' }, later(2)));
      });
      expect(seen).to.deep.equal(['Mate', undefined, 'Mate', undefined]);
      expect(await find(first.id)).to.equal(undefined);
      expect(await find(id)).to.include({ name: 'Mate', description: 'Mild', version: 3 });
    });

    it('change nothing by a call that comes after they have ended, whether they committed or failed', async () => {
      const there = await added();
      for (const fails of [false, true]) {
        let retained: Repositories | undefined;
        const ended = store.unitOfWork.run(async (repositories) => {
          retained = repositories;
          if (fails) throw new RangeError('changed my mind');
        });
        await ended.catch(() => undefined);
        const { products, idempotencyKeys } = existing(retained);
        const [late, record] = [aProduct(), aRecord()];
        await Promise.allSettled([
          products.add(late),
          products.remove(there.id),
          idempotencyKeys.add(record),
          products.find(there.id),
        ]);
        await added();
        expect(await find(late.id)).to.equal(undefined);
        expect(await find(there.id)).to.deep.equal(there);
        const kept = store.unitOfWork.read((all) => all.idempotencyKeys.find(record.userId, record.key));
        expect(await kept).to.equal(undefined);
      }
    });

    it('are rolled back after any rejected change, even if the work catches the error and goes on', async () => {
      const there = await added(aProduct({ sku: newId() }));
      const record = aRecord();
      await store.unitOfWork.run(({ idempotencyKeys }) => idempotencyKeys.add(record));
      const stale = { ...there, version: 7 };
      const rejected: Readonly<Record<string, (all: Repositories) => Promise<unknown>>> = {
        'a taken sku': ({ products }) => products.add({ ...aProduct(), sku: there.sku }),
        'a taken sku, in bulk': ({ products }) => products.addAll([{ ...aProduct(), sku: there.sku }]),
        'a stale version': ({ products }) => products.save(stale),
        'a stale version, in bulk': ({ products }) => products.saveAll([stale]),
        'a taken id': ({ products }) => products.add({ ...there, sku: null }),
      };
      for (const [what, change] of Object.entries(rejected)) {
        const [before, behind] = [aProduct(), aProduct()];
        await rejectionOf(
          store.unitOfWork.run(async (repositories) => {
            await repositories.products.add(before);
            await change(repositories).catch(() => undefined);
            await repositories.products.add(behind).catch(() => undefined);
            await repositories.products.find(behind.id).catch(() => undefined);
          }),
        );
        expect(await Promise.all([find(before.id), find(behind.id)]), what).to.deep.equal([
          undefined,
          undefined,
        ]);
        expect(await find(there.id), what).to.deep.equal(there);
      }
    });

    it('are seen by each read that begins after them, although others of the same resource are under way', async () => {
      const product = await added(aProduct({ sku: newId() }));
      const sku = product.sku ?? '';
      const look = () =>
        store.unitOfWork.read(({ products }) =>
          Promise.all([
            products.find(product.id),
            products.findBy('sku', [sku]).then(([found]) => found),
            products.page({ sku }, { limit: 1 }).then(({ rows: [found] }) => found),
          ]),
        );
      let isDone = false;
      // A store that never ends a unit of work must not keep the readers busy for ever.
      const latest = performance.now() + 5_000;
      const others = atOnce(3, async () => {
        while (!isDone && performance.now() < latest) {
          await look();
          await new Promise(setImmediate);
        }
      });
      let current = product;
      try {
        for (let round = 0; round < 20; round += 1) {
          current = Product.change(current, { name: `Tea ${round}` }, later(round));
          await store.unitOfWork.run(({ products }) => products.save(current));
          expect(await look()).to.deep.equal([current, current, current]);
        }
      } finally {
        isDone = true;
        await Promise.all(others);
      }
    });

    it('are visible to another process once they are acknowledged', async () => {
      const another = (await store.openAnother?.()) ?? {
        unitOfWork: store.unitOfWork,
        close: async () => undefined,
      };
      const all = Array.from({ length: 20 }, () => aProduct());
      const seen = await Promise.all(
        all.map(async (product) => {
          await added(product);
          return another.unitOfWork.read(({ products }) => products.find(product.id));
        }),
      );
      await another.close();
      expect(seen).to.deep.equal(all);
    });
  });
