import { expect } from 'chai';
import { sleep } from '#adapters/support/time.ts';
import type { RequestContext } from '#application/ports/unit-of-work.ts';
import { Product, type ProductId } from '#domain/product.ts';
import { Quantity } from '#domain/quantity.ts';
import { briefly, existing, mocha, rejectionOf, type Suite, storeFor } from './harness.ts';
import { aProduct, aUser, later } from './samples.ts';

/** What `UnitOfWork` guarantees about deadlines: nothing is committed after one, and others do not suffer from it. */
export const describeDeadlines: Suite = (adapter, open, runner = mocha()) =>
  runner.describe(`${adapter}: a unit of work with a deadline`, () => {
    const { it } = runner;
    const store = storeFor(open, runner);

    const within = (milliseconds: number) => ({
      actor: aUser().id,
      deadline: performance.now() + milliseconds,
    });

    const added = async (product = aProduct()): Promise<Product> => {
      await store.unitOfWork.run(({ products }) => products.add(product));
      return product;
    };
    const find = (id: ProductId) => store.unitOfWork.read(({ products }) => products.find(id));

    const expectUnavailable = async (rejected: Promise<unknown>): Promise<void> => {
      expect(await rejectionOf(rejected)).to.include({ kind: 'unavailable' });
    };

    it('does the same as without, while there is time, and with a context that has none', async () => {
      for (const context of [within(60_000), { actor: aUser().id }]) {
        const product = aProduct();
        await store.unitOfWork.run(({ products }) => products.add(product), context);
        const found = store.unitOfWork.read(({ products }) => products.find(product.id), context);
        expect(await found).to.deep.equal(product);
      }
    });

    it('does not start after it, nor does a read', async () => {
      let begun = 0;
      const count = async () => {
        begun += 1;
      };
      await expectUnavailable(store.unitOfWork.run(count, within(0)));
      await expectUnavailable(store.unitOfWork.read(count, within(0)));
      expect(begun).to.equal(0);
    });

    it('commits nothing after it, and does not affect others', async () => {
      const [late, next] = [aProduct(), aProduct()];
      const context = within(100);
      const running = store.unitOfWork.run(async ({ products }) => {
        await products.add(late);
        while (performance.now() < context.deadline) await sleep(10);
      }, context);
      const rejected = expectUnavailable(running);
      const following = added(next);
      await rejected;
      await following;
      expect(await find(late.id)).to.equal(undefined);
      expect(await find(next.id)).to.deep.equal(next);
    });

    it('commits nothing after it when the event loop was blocked meanwhile', async () => {
      const [late, others] = [aProduct(), Array.from({ length: 3 }, () => aProduct())];
      const context = within(60);
      const tooLate = expectUnavailable(
        store.unitOfWork.run(async ({ products }) => {
          await products.add(late);
          await products.find(late.id);
          while (performance.now() < context.deadline);
        }, context),
      );
      await Promise.all([tooLate, ...others.map(added)]);
      expect(await find(late.id)).to.equal(undefined);
      for (const product of others) expect(await find(product.id)).to.deep.equal(product);
    });

    it('commits nothing when it passes during the wait for a lock, and the lock is free again', async () => {
      const { id } = await added(aProduct({ stock: Quantity.zero }));
      const addOne = (context?: RequestContext, wait = async () => {}) =>
        store.unitOfWork.run(async ({ products }) => {
          const held = existing(await products.lock(id));
          await products.save(Product.release(held, Quantity.of(1), later(1)));
          await wait();
        }, context);
      const holds = Promise.withResolvers<void>();
      const context = within(150);
      const holding = addOne(undefined, async () => {
        holds.resolve();
        while (performance.now() < context.deadline) await sleep(10);
      });
      await briefly(holds.promise);
      const hurried = addOne(context).then(
        () => performance.now(),
        (error: unknown) => error,
      );
      await holding;
      const outcome = await hurried;
      // A store may let another go first while the holder waits for something else. It committed in time then.
      const isCommitted = typeof outcome === 'number';
      if (isCommitted) expect(outcome).to.be.below(context.deadline);
      else expect(outcome).to.include({ kind: 'unavailable' });
      await addOne(within(60_000));
      expect(await find(id)).to.include({ stock: Quantity.of(isCommitted ? 3 : 2) });
    });

    it('commits nothing when it passes while its changes wait for a lock', async () => {
      const product = await added();
      const holds = Promise.withResolvers<void>();
      const context = within(150);
      const holding = store.unitOfWork.run(async ({ products }) => {
        await products.lock(product.id);
        holds.resolve();
        while (performance.now() < context.deadline + 30) await sleep(10);
      });
      await briefly(holds.promise);
      const hurried = store.unitOfWork
        .run(({ products }) => products.save(Product.change(product, { name: 'Late' }, later(1))), context)
        .then(
          () => performance.now(),
          (error: unknown) => error,
        );
      await holding;
      const outcome = await hurried;
      // Where the holder did not keep it waiting, it has committed in time.
      const isCommitted = typeof outcome === 'number';
      if (isCommitted) expect(outcome).to.be.below(context.deadline);
      else expect(outcome).to.include({ kind: 'unavailable' });
      await store.unitOfWork.run(({ products }) => products.lock(product.id));
      expect(await find(product.id)).to.include({ name: isCommitted ? 'Late' : 'Tea' });
    });

    it('leaves nothing to those behind its lock when it passes, and they commit', async () => {
      const { id } = await added(aProduct({ stock: Quantity.zero }));
      const context = within(60);
      const addOne = (own: RequestContext | undefined, lasts: () => boolean) =>
        store.unitOfWork.run(async ({ products }) => {
          const held = existing(await products.lock(id));
          await products.save(Product.release(held, Quantity.of(1), later(1)));
          while (lasts()) await sleep(5);
        }, own);
      const hurried = expectUnavailable(addOne(context, () => performance.now() < context.deadline));
      const behind = [undefined, within(60_000)].map((own) => addOne(own, () => false));
      await Promise.all([hurried, ...behind]);
      expect(await find(id)).to.include({ stock: Quantity.of(2), version: 3 });
    });

    it('is not run again after it, whatever the conflict', async () => {
      const [product, other] = [await added(), aProduct()];
      const context = within(100);
      let runs = 0;
      await expectUnavailable(
        store.unitOfWork.run(async ({ products }) => {
          runs += 1;
          await products.add(other);
          if (runs > 1) while (performance.now() < context.deadline) await sleep(10);
          await products.save(Product.change({ ...product, version: 7 }, { name: 'Mate' }, later(1)));
        }, context),
      );
      expect(runs).to.be.within(1, 2);
      expect(await find(other.id)).to.equal(undefined);
    });

    it('throws its own error when that came first, although it has passed since', async () => {
      const context = within(50);
      const cause = new RangeError('changed my mind');
      const failing = store.unitOfWork.run(async ({ products }) => {
        await products.add(aProduct());
        throw cause;
      }, context);
      expect(await rejectionOf(failing)).to.equal(cause);
    });
  });
