import { expect } from 'chai';
import { DomainError } from '#domain/errors.ts';
import type { Product } from '#domain/product.ts';
import { Quantity } from '#domain/quantity.ts';
import { User } from '#domain/user.ts';
import { addPurchase } from './every-collection.ts';
import { atOnce, mocha, rejectionOf, type Suite, storeFor } from './harness.ts';
import { aProduct, aPurchase, aUser, later } from './samples.ts';

/** The contract of `Repository`: what it stores, finds and rejects. */
export const describeCollections: Suite = (adapter, open, runner = mocha()) =>
  runner.describe(`${adapter}: the collections`, () => {
    const { it } = runner;
    const store = storeFor(open, runner);
    const add = (product: Product) => store.unitOfWork.run(({ products }) => products.add(product));

    const conflictOn = async (field: string, rejected: Promise<unknown>, message: string) => {
      const rejection = await rejectionOf(rejected);
      if (!(rejection instanceof DomainError)) throw rejection;
      expect(rejection.kind).to.equal('conflict');
      expect(rejection.fieldErrors).to.deep.equal([{ field, message }]);
    };

    it('find nothing where there is nothing', async () => {
      const { id } = aProduct();
      expect(await store.unitOfWork.read(({ products }) => products.find(id))).to.equal(undefined);
      expect(await store.unitOfWork.run(({ products }) => products.lock(id))).to.equal(undefined);
    });

    it('return to each reader what it asked for, however many read at once', async () => {
      const all = await Promise.all(
        atOnce(20, async (index) => {
          const purchase = aPurchase(aProduct({ name: `Tea ${index}` }));
          await store.unitOfWork.run((repositories) => addPurchase(repositories, purchase));
          return purchase;
        }),
      );
      const found = await Promise.all(
        [...all, ...all].map(({ product, user }) =>
          store.unitOfWork.read(async ({ products, users }) => ({
            product: await products.find(product.id),
            user: await users.find(user.id),
            missing: await users.find(aUser().id),
          })),
        ),
      );
      const expected = all.map(({ product, user }) => ({ product, user, missing: undefined }));
      expect(found).to.deep.equal([...expected, ...expected]);
    });

    it('let a user have one review of a product, also of two at once, and another once it is removed', async () => {
      const purchase = aPurchase();
      const others = [aPurchase(), aPurchase(), aPurchase()];
      await store.unitOfWork.run(async (repositories) => {
        for (const each of [purchase, ...others]) await addPurchase(repositories, each);
        for (const { review } of [purchase, ...others]) await repositories.reviews.remove(review.id);
      });
      const { userId, productId, userProduct } = purchase.review;
      const [one, other, third] = others.map(({ review }) => ({ ...review, userId, productId, userProduct }));
      if (!one || !other || !third) throw new Error('There are three.');
      const add = (review: typeof one) => store.unitOfWork.run(({ reviews }) => reviews.add(review));
      const adding = [add(one), add(other)];
      const results = await Promise.allSettled(adding);
      expect(results.map(({ status }) => status)).to.have.members(['fulfilled', 'rejected']);
      await conflictOn('itemId', Promise.all(adding), 'is of a product that this user has reviewed already');
      const [kept] = await store.unitOfWork.read(({ reviews }) =>
        reviews.findBy('userProduct', [userProduct ?? '']),
      );
      await store.unitOfWork.run(async ({ reviews }) => {
        await reviews.remove(kept?.id ?? one.id);
        await reviews.add(third);
      });
      const earlier = [one, other].map((review) => ({ ...review, userProduct: null }));
      await store.unitOfWork.run(({ reviews }) => reviews.addAll(earlier));
      const all = await store.unitOfWork.read(({ reviews }) =>
        reviews.page({ productId, userId }, { limit: 5 }),
      );
      expect(all.rows).to.deep.equal([...earlier, third]);
    });

    it('remove, and do nothing when it is gone already', async () => {
      const product = aProduct();
      await add(product);
      for (const _ of ['once', 'twice']) {
        await store.unitOfWork.run(({ products }) => products.remove(product.id));
        expect(await store.unitOfWork.read(({ products }) => products.find(product.id))).to.equal(undefined);
      }
    });

    it('let what was removed be added again, with the same id and values', async () => {
      const product = aProduct({ sku: 'c-1' });
      await add(product);
      await store.unitOfWork.run(({ products }) => products.remove(product.id));
      await add(aProduct({ sku: 'c-2' }));
      await add(product);
      expect(await store.unitOfWork.read(({ products }) => products.findBy('sku', ['c-1']))).to.deep.equal([
        product,
      ]);
    });

    it('keep an order whole when its product is deleted', async () => {
      const purchase = aPurchase(aProduct({ stock: Quantity.of(3) }));
      await store.unitOfWork.run((repositories) => addPurchase(repositories, purchase));
      await store.unitOfWork.run(({ products }) => products.remove(purchase.product.id));
      const [item, review] = await store.unitOfWork.read(({ orderItems, reviews }) =>
        Promise.all([orderItems.find(purchase.item.id), reviews.find(purchase.review.id)]),
      );
      expect(item).to.deep.equal(purchase.item);
      expect(review).to.deep.equal(purchase.review);
    });

    it('keep a change of every kind of resource', async () => {
      const user = aUser();
      const changed = User.change(
        user,
        { name: 'Grace', role: 'admin', email: 'grace@example.com' },
        later(1),
      );
      await store.unitOfWork.run(async ({ users }) => {
        await users.add(user);
        await users.save(changed);
      });
      expect(await store.unitOfWork.read(({ users }) => users.find(user.id))).to.deep.equal(changed);
    });
  });
