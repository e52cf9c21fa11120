import { expect } from 'chai';
import { sleep } from '#adapters/support/time.ts';
import type { Repositories } from '#application/ports/repositories.ts';
import { Product, type ProductId } from '#domain/product.ts';
import { Quantity } from '#domain/quantity.ts';
import { newId } from '../support/machine.ts';
import { atOnce, existing, mocha, rejectionOf, type Suite, storeFor } from './harness.ts';
import { aProduct, aPurchase, aRecord, aUser, later } from './samples.ts';

/** What `Repository.lock` guarantees: what a unit of work reads behind a lock, and that no other one changes it. */
export const describeLocks: Suite = (adapter, open, runner = mocha()) =>
  runner.describe(`${adapter}: locks`, () => {
    const { it } = runner;
    const store = storeFor(open, runner);

    const added = async (product = aProduct()): Promise<Product> => {
      await store.unitOfWork.run(({ products }) => products.add(product));
      return product;
    };
    const noUser = aUser().id;
    const find = (id: ProductId) => store.unitOfWork.read(({ products }) => products.find(id));

    const addOne = async ({ products }: Repositories, id: ProductId): Promise<void> => {
      const held = existing(await products.lock(id));
      await products.save(Product.release(held, Quantity.of(1), later(1)));
    };

    /** How long the holder of a lock waits for another to begin; 0 once they have executed one after the other. */
    let waitMs = 300;

    /**
     * Runs two units of work: the first holds a lock while the second begins. Where they execute one after the other, the
     * second begins after the first.
     */
    const oneBehindAnother = async <T>(
      lock: (repositories: Repositories) => Promise<unknown>,
      first: (repositories: Repositories) => Promise<unknown>,
      second: (repositories: Repositories) => Promise<T>,
    ): Promise<T> => {
      // Opens connections first, so that the second begins at once.
      await Promise.all(atOnce(3, () => store.unitOfWork.run(({ users }) => users.lock(noUser))));
      const holds = Promise.withResolvers<void>();
      let hasBegun = false;
      const before = store.unitOfWork.run(async (repositories) => {
        await lock(repositories);
        holds.resolve();
        // Reads, instead of a pause: a store may let others go first while a unit of work waits for something else.
        const limit = performance.now() + waitMs;
        while (!hasBegun && performance.now() < limit) await repositories.users.find(noUser);
        // Meanwhile the second comes to wait for the lock.
        if (hasBegun) await sleep(30);
        else waitMs = 0;
        await first(repositories);
      });
      await holds.promise;
      const behind = store.unitOfWork.run(async (repositories) => {
        // A stale snapshot would be taken by this read, before the lock is granted.
        await repositories.users.find(noUser);
        hasBegun = true;
        return second(repositories);
      });
      const [, result] = await Promise.all([before, behind]);
      return result;
    };

    it('let those behind them read the latest commit: the locked resource, others, and lists', async () => {
      const { user, product, order, item } = aPurchase();
      await store.unitOfWork.run(async ({ users, products, orders }) => {
        await users.add(user);
        await products.add(product);
        await orders.add(order);
      });
      const counted = { ...order, itemCount: 7, version: order.version + 1 };
      const renamed = Product.change(product, { name: 'Mate' }, later(1));
      const seen = await oneBehindAnother(
        ({ orders }) => orders.lock(order.id),
        async ({ orders, orderItems, products }) => {
          await orderItems.add(item);
          await products.save(renamed);
          await orders.save(counted);
        },
        async ({ orders, orderItems, products }) => ({
          order: await orders.lock(order.id),
          again: await orders.find(order.id),
          product: await products.find(product.id),
          item: await orderItems.find(item.id),
          listed: (await orderItems.page({ orderId: order.id }, { limit: 5 })).rows,
          among: await orderItems.findBy('orderId', [order.id]),
        }),
      );
      const expected = { order: counted, again: counted, product: renamed, item };
      expect(seen).to.deep.equal({ ...expected, listed: [item], among: [item] });
    });

    it('let those behind them read the latest commit in a read that is issued together with the lock', async () => {
      const { id } = await added();
      const other = await added();
      const renamed = Product.change(other, { name: 'Mate' }, later(1));
      const seen = await oneBehindAnother(
        ({ products }) => products.lock(id),
        ({ products }) => products.save(renamed),
        ({ products }) => Promise.all([products.lock(id), products.find(other.id)]),
      );
      expect(seen[1]).to.deep.equal(renamed);
    });

    it('let those behind them find nothing when the holder has removed the resource', async () => {
      const { id } = await added();
      const seen = await oneBehindAnother(
        ({ products }) => products.lock(id),
        ({ products }) => products.remove(id),
        async ({ products }) => [await products.lock(id), await products.find(id)],
      );
      expect(seen).to.deep.equal([undefined, undefined]);
    });

    it('on several resources let those behind them get each as it was left, and none that no longer matches', async () => {
      const [stays, leaves] = [
        await added(aProduct({ sku: newId() })),
        await added(aProduct({ sku: newId() })),
      ];
      const own = [stays, leaves].map(({ sku }) => sku ?? '');
      const renamed = Product.change(stays, { name: 'Mate' }, later(1));
      const seen = await oneBehindAnother(
        ({ products }) => products.lockBy('sku', own),
        async ({ products }) => {
          await products.save(renamed);
          await products.save(Product.change(leaves, { sku: null }, later(1)));
        },
        ({ products }) => products.lockBy('sku', own),
      );
      expect(seen).to.deep.equal([renamed]);
    });

    it('of idempotency keys let those behind them read the latest commit', async () => {
      const record = aRecord();
      const answered = { ...record, response: 'done' };
      await store.unitOfWork.run(({ idempotencyKeys }) => idempotencyKeys.add(record));
      const product = aProduct();
      const seen = await oneBehindAnother(
        ({ idempotencyKeys }) => idempotencyKeys.lock(record.userId, record.key),
        async ({ idempotencyKeys, products }) => {
          await products.add(product);
          await idempotencyKeys.save(answered);
        },
        async ({ idempotencyKeys, products }) => [
          await idempotencyKeys.lock(record.userId, record.key),
          await products.find(product.id),
        ],
      );
      expect(seen).to.deep.equal([answered, product]);
    });

    it('keep others from changing or removing the resource', async () => {
      const { id } = await added(aProduct({ stock: Quantity.zero }));
      const holds = Promise.withResolvers<void>();
      let runs = 0;
      const holding = store.unitOfWork.run(async ({ products }) => {
        runs += 1;
        const held = existing(await products.lock(id));
        holds.resolve();
        for (let count = 0; count < 20; count += 1) await products.find(id);
        await products.save(Product.release(held, Quantity.of(5), later(1)));
      });
      await holds.promise;
      await Promise.all([holding, store.unitOfWork.run(({ products }) => products.remove(id))]);
      expect(await find(id)).to.equal(undefined);
      expect(runs).to.equal(1);
    });

    it('pass the resource on unchanged when their holder fails', async () => {
      const { id } = await added(aProduct({ stock: Quantity.zero }));
      const failing = atOnce(3, () =>
        rejectionOf(
          store.unitOfWork.run(async (repositories) => {
            await addOne(repositories, id);
            throw new RangeError('changed my mind');
          }),
        ),
      );
      const counting = atOnce(5, () => store.unitOfWork.run((repositories) => addOne(repositories, id)));
      await Promise.all([...failing, ...counting]);
      expect(await find(id)).to.include({ stock: Quantity.of(5), version: 6 });
    });
  });
