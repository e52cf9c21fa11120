import { expect } from 'chai';
import { sleep } from '#adapters/support/time.ts';
import type { Work } from '#application/ports/unit-of-work.ts';
import { Product, type ProductId } from '#domain/product.ts';
import { Quantity } from '#domain/quantity.ts';
import { atOnce, existing, mocha, rejectionOf, type Suite, storeFor } from './harness.ts';
import { aProduct, aPurchase, aUser, later } from './samples.ts';

/** What a store guarantees that executes units of work concurrently: they wait for each other only where they lock the same. */
export const describeRowLocks: Suite = (adapter, open, runner = mocha()) =>
  runner.describe(`${adapter}: concurrent units of work wait only for the locks they need`, () => {
    const { it } = runner;
    const store = storeFor(open, runner);

    const added = async (product = aProduct({ stock: Quantity.zero })): Promise<ProductId> => {
      await store.unitOfWork.run(({ products }) => products.add(product));
      return product.id;
    };
    const find = (id: ProductId) => store.unitOfWork.read(({ products }) => products.find(id));

    const addOne =
      (id: ProductId): Work<void> =>
      async ({ products }) => {
        const held = existing(await products.lock(id));
        await products.save(Product.release(held, Quantity.of(1), later(1)));
      };

    /** Holds the lock of a product until it is released, and then adds one to its stock. */
    const hold = async (id: ProductId) => {
      const [holds, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const ended = store.unitOfWork.run(async (repositories) => {
        await repositories.products.lock(id);
        holds.resolve();
        await gate.promise;
        await addOne(id)(repositories);
      });
      await holds.promise;
      return {
        release: () => {
          gate.resolve();
          return ended;
        },
      };
    };

    it('does not keep those waiting that change something else', async () => {
      const [one, other] = [await added(), await added()];
      const holder = await hold(one);
      await Promise.all(atOnce(10, () => store.unitOfWork.run(addOne(other))));
      expect(await find(other)).to.include({ stock: Quantity.of(10) });
      expect(await find(one)).to.include({ stock: Quantity.zero });
      await holder.release();
      expect(await find(one)).to.include({ stock: Quantity.of(1) });
    });

    it('keeps those waiting that lock the same, and only those', async () => {
      const id = await added();
      const holder = await hold(id);
      let isDone = false;
      const waiting = store.unitOfWork.run(addOne(id)).then(() => {
        isDone = true;
      });
      await Promise.all(atOnce(5, () => added()));
      await sleep(30);
      expect(isDone).to.equal(false);
      await holder.release();
      await waiting;
      expect(await find(id)).to.include({ stock: Quantity.of(2) });
    });

    it('locks several resources in ascending order of id, in whatever order they are given', async () => {
      // Many more, so that a database looks these up by an index.
      await store.unitOfWork.run(({ products }) =>
        products.addAll(Array.from({ length: 500 }, () => aProduct())),
      );
      const [lesser, greater] = [await added(), await added()];
      const holder = await hold(greater);
      const waiting = store.unitOfWork.run(({ products }) => products.lockBy('id', [greater, lesser]));
      // On a slow machine it has not locked the lesser one yet, and others still get it.
      let third: unknown;
      for (let tries = 0; tries < 20 && third === undefined; tries += 1) {
        await sleep(20);
        const deadline = performance.now() + 200;
        const adding = store.unitOfWork.run(addOne(lesser), { actor: aUser().id, deadline });
        third = await adding.catch((error: unknown) => error);
      }
      expect(third).to.include({ kind: 'unavailable' });
      await holder.release();
      expect((await waiting).map(({ id }) => id)).to.deep.equal([lesser, greater]);
    });

    it('does not keep readers waiting, who read the latest commit', async () => {
      const id = await added();
      const holder = await hold(id);
      expect(await find(id)).to.include({ stock: Quantity.zero });
      await holder.release();
      expect(await find(id)).to.include({ stock: Quantity.of(1) });
    });

    it('leaves connections for readers, however many wait for one lock, and all of those commit in the end', async () => {
      const id = await added();
      const holder = await hold(id);
      const waiting = atOnce(40, () => store.unitOfWork.run(addOne(id)));
      await sleep(30);
      // These would wait until the lock is released.
      expect(await Promise.all(atOnce(5, () => find(id)))).to.have.lengthOf(5);
      await holder.release();
      await Promise.all(waiting);
      expect(await find(id)).to.include({ stock: Quantity.of(41) });
    });

    it('is rejected at its deadline while another still holds the lock', async () => {
      const id = await added();
      const holder = await hold(id);
      const runWithin = (milliseconds: number) =>
        store.unitOfWork.run(addOne(id), {
          actor: aUser().id,
          deadline: performance.now() + milliseconds,
        });
      // It begins to wait earlier, and its deadline is later.
      let isLaterOver = false;
      const later = runWithin(60_000).finally(() => {
        isLaterOver = true;
      });
      expect(await rejectionOf(runWithin(150))).to.include({ kind: 'unavailable' });
      expect(isLaterOver).to.equal(false);
      await holder.release();
      await later;
      expect(await find(id)).to.include({ stock: Quantity.of(2) });
    });
  });

/** What a store guarantees whose row locks leave out the keys that references need: PostgreSQL's `for no key update`. */
export const describeReferencedLocks: Suite = (adapter, open, runner = mocha()) =>
  runner.describe(`${adapter}: concurrent units of work wait only for the locks they need`, () => {
    const { it } = runner;
    const store = storeFor(open, runner);

    it('does not keep those waiting that refer to what is locked', async () => {
      const { user, order } = aPurchase();
      await store.unitOfWork.run(({ users }) => users.add(user));
      const [holds, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const holding = store.unitOfWork.run(async ({ users }) => {
        await users.lock(user.id);
        holds.resolve();
        await gate.promise;
      });
      await holds.promise;
      await store.unitOfWork.run(({ orders }) => orders.add(order));
      gate.resolve();
      await holding;
      expect(await store.unitOfWork.read(({ orders }) => orders.find(order.id))).to.deep.equal(order);
    });
  });
