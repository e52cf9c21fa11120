import { expect } from 'chai';
import { sleep } from '#adapters/support/time.ts';
import { ApplicationError } from '#application/errors.ts';
import type { Repositories } from '#application/ports/repositories.ts';
import { Product, type ProductId } from '#domain/product.ts';
import { Quantity } from '#domain/quantity.ts';
import { newId } from '../support/machine.ts';
import { atOnce, mocha, rejectionOf, type Suite, storeFor } from './harness.ts';
import { aProduct, later, noon } from './samples.ts';

/** What `UnitOfWork` and `Repository` promise about several concurrent units of work. */
export const describeRaces: Suite = (adapter, open, runner = mocha()) =>
  runner.describe(`${adapter}: concurrent units of work`, () => {
    const { it } = runner;
    const store = storeFor(open, runner);

    const added = async (product: Product): Promise<Product> => {
      await store.unitOfWork.run(({ products }) => products.add(product));
      return product;
    };

    const find = (id: ProductId) => store.unitOfWork.read(({ products }) => products.find(id));

    it('lose no update when each locks what it changes: twenty increments', async () => {
      const { id } = await added(aProduct({ stock: Quantity.zero }));
      await Promise.all(
        atOnce(20, () =>
          store.unitOfWork.run(async ({ products }) => {
            const held = await products.lock(id);
            if (held === undefined) throw new Error('It was added before.');
            await products.save(Product.release(held, Quantity.of(1), later(1)));
          }),
        ),
      );
      expect(await find(id)).to.include({ stock: Quantity.of(20), version: 21 });
    });

    it('are retried when they save over a newer version (optimistic concurrency)', async () => {
      const original = await added(aProduct());
      await store.unitOfWork.run(({ products }) =>
        products.save(Product.change(original, { name: 'Green tea' }, later(1))),
      );
      const seen: number[] = [];
      await store.unitOfWork.run(async ({ products }) => {
        const before = seen.length === 0 ? original : await products.find(original.id);
        if (before === undefined) throw new Error('It was added before.');
        seen.push(before.version);
        await products.save(Product.change(before, { description: 'Mild' }, later(2)));
      });
      expect(seen).to.deep.equal([1, 2]);
      expect(await find(original.id)).to.include({ name: 'Green tea', description: 'Mild', version: 3 });
    });

    it('both take effect when two change what neither has locked', async () => {
      const { id } = await added(aProduct());
      const change = (details: Parameters<typeof Product.change>[1]) =>
        store.unitOfWork.run(async ({ products }) => {
          const before = await products.find(id);
          if (before === undefined) throw new Error('It was added before.');
          await sleep(5);
          await products.save(Product.change(before, details, later(1)));
        });
      await Promise.all([change({ name: 'Green tea' }), change({ description: 'Mild' })]);
      expect(await find(id)).to.include({ name: 'Green tea', description: 'Mild', version: 3 });
    });

    it('see what those before them have written when each acquires one lease for one holder', async () => {
      const [name, sku] = [newId(), newId()];
      await Promise.all(
        atOnce(5, () =>
          store.unitOfWork.run(async ({ leases, products }) => {
            expect(await leases.acquire({ name, holder: 'any', expiresAt: noon }, noon)).to.equal(true);
            const [found] = await products.findBy('sku', [sku]);
            if (found === undefined) await products.add(aProduct({ sku }));
            else await products.save(Product.change(found, { name: `${found.name}.` }, later(1)));
          }),
        ),
      );
      const [found] = await store.unitOfWork.read(({ products }) => products.findBy('sku', [sku]));
      expect(found?.version).to.equal(5);
    });

    it('fail in the end, without a change, when the conflict persists', async () => {
      const original = await added(aProduct());
      const never = aProduct();
      let runs = 0;
      const rejection = await rejectionOf(
        store.unitOfWork.run(async ({ products }) => {
          runs += 1;
          await products.add(never);
          await products.save({ ...original, version: 7 });
        }),
      );
      expect(rejection).to.be.instanceOf(ApplicationError).with.property('kind', 'unavailable');
      const { maxAttempts = 4 } = store;
      expect(runs).to.be.within(maxAttempts, maxAttempts + 1);
      expect(await find(never.id)).to.equal(undefined);
      expect(await find(original.id)).to.deep.equal(original);
    });

    it('are retried when they save what was removed', async () => {
      const gone = aProduct();
      let runs = 0;
      await store.unitOfWork.run(async ({ products }) => {
        runs += 1;
        if (runs === 1) await products.save(Product.change(gone, { name: 'Green tea' }, later(1)));
      });
      expect(runs).to.equal(2);
      expect(await find(gone.id)).to.equal(undefined);
    });

    it('all succeed, although two lock the same resources in opposite order (deadlock)', async () => {
      const [one, other] = [await added(aProduct()), await added(aProduct())];
      let holding = 0;
      const both = Promise.withResolvers<void>();
      const rename = async ({ products }: Repositories, id: ProductId) => {
        const held = await products.lock(id);
        if (held === undefined) throw new Error('It was added before.');
        await products.save(Product.change(held, { name: `${held.name}!` }, later(1)));
      };
      const inOrder = (first: ProductId, second: ProductId) =>
        store.unitOfWork.run(async (repositories) => {
          await rename(repositories, first);
          holding += 1;
          if (holding === 2) both.resolve();
          // Where units of work wait for each other from the beginning, the other is not holding anything yet.
          await Promise.race([both.promise, sleep(100)]);
          await rename(repositories, second);
        });
      await Promise.all([inOrder(one.id, other.id), inOrder(other.id, one.id)]);
      expect(await find(one.id)).to.include({ name: 'Tea!!', version: 3 });
      expect(await find(other.id)).to.include({ name: 'Tea!!', version: 3 });
    });
  });
