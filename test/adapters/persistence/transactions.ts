import { expect } from 'chai';
import type { Store } from '#adapters/persistence/store.ts';
import { ApplicationError } from '#application/errors.ts';
import type { Repositories } from '#application/ports/repositories.ts';
import { atOnce, rejectionOf, storeFor } from '../../contracts/harness.ts';
import { aProduct, aUser } from '../../contracts/samples.ts';
import { SimulatedTime } from '../../support/simulated-time.ts';

export const unavailable = (error: unknown): void => {
  expect(error).to.be.instanceOf(ApplicationError).with.property('kind', 'unavailable');
};

/** Guarantees of the stores in a database, beyond the contract of every store. */
export const describeTransactions = (name: string, open: () => Promise<Store>) =>
  describe(`its transactions in ${name}`, () => {
    const store = storeFor(open);
    const find = (id: ReturnType<typeof aProduct>['id']) =>
      store.unitOfWork.read(({ products }) => products.find(id));

    it('do not block readers', async () => {
      const product = aProduct();
      await store.unitOfWork.run(async ({ products }) => {
        await products.add(product);
        expect(await find(product.id)).to.equal(undefined);
      });
      expect(await find(product.id)).to.deep.equal(product);
    });

    it('reject statements of work that has ended', async () => {
      let retained: Repositories | undefined;
      await store.unitOfWork.run(async (repositories) => {
        retained = repositories;
      });
      const late = aProduct();
      expect(await rejectionOf(Promise.resolve(retained?.products.add(late)))).to.have.property(
        'message',
        'The unit of work has ended.',
      );
      expect(await find(late.id)).to.equal(undefined);
    });
  });

/** A closed store is unavailable to every call. */
export const describeClosing = (open: () => Promise<Store>) =>
  it('is unavailable once it is closed', async () => {
    const { unitOfWork, sandboxLedger, now, close } = await open();
    await now();
    await close();
    unavailable(await rejectionOf(now()));
    unavailable(await rejectionOf(unitOfWork.read(({ products }) => products.page({}, { limit: 1 }))));
    unavailable(await rejectionOf(unitOfWork.run(({ products }) => products.add(aProduct()))));
    unavailable(await rejectionOf(sandboxLedger.find('charge')));
    unavailable(await rejectionOf(sandboxLedger.keep('charge', 'done')));
  });

/** @param open opens a store of the same database with one connection for transactions, and a timeout of 1,000 ms */
export const describeLockTimeout = (store: () => Store, open: () => Promise<Store>) =>
  it('is unavailable when a lock is not free in time, also to a unit of work that waits behind another', async () => {
    const hasty = await open();
    const product = aProduct();
    await store().unitOfWork.run(({ products }) => products.add(product));
    const hold = (of: Store) => of.unitOfWork.run(({ products }) => products.lock(product.id));
    await store().unitOfWork.run(async ({ products }) => {
      await products.lock(product.id);
      for (const rejection of await Promise.all([rejectionOf(hold(hasty)), rejectionOf(hold(hasty))]))
        unavailable(rejection);
    });
    expect(await hold(hasty)).to.deep.equal(product);
    await hasty.close();
  });

/** @param open opens a store with one connection for transactions, and a timeout of 1,000 ms */
export const describeTurns = (open: () => Promise<Store>) =>
  it('lets each transaction have its turn, although those before it take longer than the timeout together', async () => {
    const { unitOfWork, close } = await open();
    const time = new SimulatedTime();
    try {
      const context = { actor: aUser().id, deadline: performance.now() + 15_000 };
      const hold = (index: number) =>
        unitOfWork.run(
          async ({ products }) => {
            await products.lock(aProduct().id);
            await time.pass(400);
          },
          index % 2 === 0 ? context : undefined,
        );
      await Promise.all(atOnce(5, hold));
    } finally {
      time.end();
    }
    await close();
  });
