import { expect } from 'chai';
import { collectionNames } from '#application/ports/repositories.ts';
import type { DomainError } from '#domain/errors.ts';
import { Product, type ProductId } from '#domain/product.ts';
import { Quantity } from '#domain/quantity.ts';
import { newId } from '../support/machine.ts';
import { addPurchase, addPurchases, partOf, repositoryOf } from './every-collection.ts';
import { filteredBy } from './filters.ts';
import { mocha, rejectionOf, type Suite, storeFor } from './harness.ts';
import { aFullPurchase, aProduct, aPurchase, awkward, later } from './samples.ts';

const many = 700;

/** The contract of `Repository` for several resources at once. */
export const describeSeveral: Suite = (adapter, open, runner = mocha()) =>
  runner.describe(`${adapter}: several resources at once`, () => {
    const { it } = runner;
    const store = storeFor(open, runner);

    const addAll = (all: readonly Product[]) => store.unitOfWork.run(({ products }) => products.addAll(all));
    const saveAll = (all: readonly Product[]) =>
      store.unitOfWork.run(({ products }) => products.saveAll(all));
    const among = (skus: readonly string[]) =>
      store.unitOfWork.read(({ products }) => products.findBy('sku', skus));

    /** Products whose skus begin with some letters of their own. */
    const several = (letters: string, count = 3): Product[] =>
      Array.from({ length: count }, (_, index) => aProduct({ sku: `${letters}-${index}` }));

    it('are added, found by one of their fields in the order of their ids, and changed', async () => {
      const all = several('a', many);
      await addAll(all);
      const skus = all.map(({ sku }) => sku ?? '');
      expect(await among([...skus].reverse())).to.deep.equal(all);
      const changed = all.map((product) => Product.change(product, { name: 'Mate', stock: null }, later(1)));
      await saveAll(changed);
      expect(await among(skus)).to.deep.equal(changed);
    });

    const moreThanThousand = async (letters: string) => {
      const all = several(letters, 1_100);
      await addAll(all);
      const [ids, skus] = [all.map(({ id }) => id), all.map(({ sku }) => sku ?? '')];
      return { ids, skus };
    };
    const idsOf = (found: readonly Product[]): readonly ProductId[] => found.map(({ id }) => id);

    it('are found by more than a thousand values', async () => {
      const { ids, skus } = await moreThanThousand('g');
      const found = await store.unitOfWork.read(({ products }) =>
        Promise.all([
          products.findBy('sku', skus),
          products.findBy('id', ids),
          products.firstBy('sku', skus, 1),
        ]),
      );
      expect(found.map(idsOf)).to.deep.equal([ids, ids, ids]);
    });

    it('are locked by more than a thousand values', async () => {
      const { ids, skus } = await moreThanThousand('h');
      const locked = await store.unitOfWork.run(async ({ products }) => [
        await products.lockBy('sku', skus),
        await products.lockBy('id', ids),
      ]);
      expect(locked.map(idsOf)).to.deep.equal([ids, ids]);
    });

    it('are each found once, although values are repeated', async () => {
      const all = several('e', 2);
      await addAll(all);
      const skus = ['e-1', 'e-0', 'nowhere', 'e-1', 'e-0'];
      expect(await among(skus)).to.deep.equal(all);
      expect(await store.unitOfWork.run(({ products }) => products.lockBy('sku', skus))).to.deep.equal(all);
    });

    it('are found and locked by their ids, in ascending order and each once', async () => {
      const all = several('f', many);
      await addAll(all);
      const ids = all.map(({ id }) => id);
      const asked: readonly ProductId[] = [...ids.toReversed(), newId(), ...ids];
      const found = await store.unitOfWork.read(({ products }) => products.findBy('id', asked));
      expect(found).to.deep.equal(all);
      for (const [some, expected] of [
        [asked, all],
        [ids.slice(3, 4), all.slice(3, 4)],
        [[newId<ProductId>()], []],
        [[], []],
      ] as const) {
        const both = await store.unitOfWork.run(async ({ products }) => [
          await products.findBy('id', some),
          await products.lockBy('id', some),
        ]);
        expect(both).to.deep.equal([expected, expected]);
      }
    });

    it('are returned as they were added, whatever characters they contain', async () => {
      const text = `${awkward} {"a":[null]}`;
      const price = { amount: Number.MAX_SAFE_INTEGER, currency: 'JPY' };
      const stock = Quantity.of(999_999.999);
      // Texts from before the rules for visible ends and normal forms stay stored as they are.
      const texts = { name: text, description: text, sku: text };
      const full = { ...aProduct({ price, stock, status: 'archived' }), ...texts };
      const bare = aProduct({ sku: 'bare', description: '', stock: Quantity.zero });
      const after = Product.change(bare, { description: text, stock: null }, later(7));
      await addAll([full, bare]);
      expect(await among([text, 'bare'])).to.deep.equal([full, bare]);
      await saveAll([after]);
      expect(await among(['bare'])).to.deep.equal([after]);
    });

    it('are of every kind', async () => {
      // The application passes pages of a hundred rows, and what belongs to them.
      const purchases = [aFullPurchase(), ...Array.from({ length: 100 }, () => aPurchase())];
      await store.unitOfWork.run((repositories) => addPurchase(repositories, aPurchase()));
      await store.unitOfWork.run(async (all) => {
        await addPurchases(all, purchases);
      });
      await store.unitOfWork.run(async (all) => {
        for (const name of collectionNames) {
          const changed = purchases
            .map((each) => partOf(each, name))
            .map((resource) => ({
              ...{ ...resource, version: resource.version + 1, updatedAt: later(1) },
            }));
          const repository = repositoryOf(all, name);
          await repository.saveAll(changed);
          const ids = changed.map(({ id }) => id);
          expect(await repository.findBy('id', ids), `${name} by id`).to.deep.equal(changed);
          expect(await repository.lockBy('id', ids), `${name} locked by id`).to.deep.equal(changed);
          for (const field of Object.keys(filteredBy[name])) {
            const matching = changed.filter((resource) => Reflect.get(resource, field) !== null);
            const values = matching.map((resource) => Reflect.get(resource, field));
            if (values.length === 0) continue;
            for (const found of [
              await repository.findBy(field, values),
              await repository.lockBy(field, values),
              await repository.firstBy(field, values, 10_000),
            ]) {
              const own = found.filter(({ id }) => ids.includes(id));
              expect(own, `${name} by ${field}`).to.deep.equal(matching);
            }
          }
        }
      });
    });

    it('may be none', async () => {
      await store.unitOfWork.run(async ({ products }) => {
        await products.addAll([]);
        await products.saveAll([]);
        expect(await products.findBy('sku', [])).to.deep.equal([]);
        expect(await products.lockBy('sku', ['nowhere'])).to.deep.equal([]);
      });
    });

    it('are added all or none, and the error names the field', async () => {
      const [there = aProduct(), ...others] = several('b');
      await addAll([there]);
      const twin = { ...aProduct(), sku: there.sku };
      const rejection = (await rejectionOf(addAll([...others, twin]))) as DomainError;
      expect(rejection.kind).to.equal('conflict');
      expect(rejection.fieldErrors.map(({ field }) => field)).to.deep.equal(['sku']);
      expect(await among(['b-0', 'b-1', 'b-2'])).to.deep.equal([there]);
    });

    it('are changed all or none when another unit of work has changed one of them', async () => {
      const all = several('c');
      await addAll(all);
      const [first = aProduct()] = all;
      const renamed = Product.change(first, { name: 'Renamed' }, later(1));
      await saveAll([renamed]);
      const stale = all.map((product) => Product.change(product, { name: 'Stale' }, later(2)));
      expect(await rejectionOf(saveAll(stale))).to.include({ kind: 'unavailable' });
      expect(await among(['c-0', 'c-1', 'c-2'])).to.deep.equal([renamed, ...all.slice(1)]);
    });

    it('lose no concurrent update where they are locked', async () => {
      const all = several('d');
      await addAll(all.map((product) => ({ ...product, stock: Quantity.zero })));
      const skus = all.map(({ sku }) => sku ?? '');
      const countUp = () =>
        store.unitOfWork.run(async ({ products }) => {
          const held = await products.lockBy('sku', skus);
          await products.saveAll(held.map((product) => Product.release(product, Quantity.of(1), later(1))));
        });
      await Promise.all(Array.from({ length: 10 }, countUp));
      expect((await among(skus)).map(({ stock }) => stock)).to.deep.equal(skus.map(() => Quantity.of(10)));
    });
  });
