import { expect } from 'chai';
import type { Store } from '#adapters/persistence/store.ts';
import { ApplicationError } from '#application/errors.ts';
import type { Repositories } from '#application/ports/repositories.ts';
import { DomainError } from '#domain/errors.ts';
import { rejectionOf, storeFor } from '../../contracts/harness.ts';
import { aProduct, aPurchase } from '../../contracts/samples.ts';

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

    it('roll back after a failed statement, even if the work catches its error', async () => {
      const first = aProduct({ sku: 'same' });
      await store.unitOfWork.run(({ products }) => products.add(first));
      const [before, after] = [aProduct(), aProduct()];
      const error = await rejectionOf(
        store.unitOfWork.run(async ({ products }) => {
          await products.add(before);
          await products.add(aProduct({ sku: 'same' })).catch(() => undefined);
          await products.add(after).catch(() => undefined);
        }),
      );
      expect(error).to.be.instanceOf(DomainError).with.property('kind', 'conflict');
      expect(await find(before.id)).to.equal(undefined);
      expect(await find(after.id)).to.equal(undefined);
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

    it('reject a reference to a missing row', async () => {
      const { order } = aPurchase();
      unavailable(await rejectionOf(store.unitOfWork.run(({ orders }) => orders.add(order))));
      expect(await store.unitOfWork.read(({ orders }) => orders.find(order.id))).to.equal(undefined);
    });

    it('throw the error of a duplicate id as it is, because that is a defect', async () => {
      const product = aProduct();
      await store.unitOfWork.run(({ products }) => products.add(product));
      const error = await rejectionOf(store.unitOfWork.run(({ products }) => products.add(product)));
      expect(error).to.be.instanceOf(Error).and.not.instanceOf(DomainError);
      expect(error).to.not.be.instanceOf(ApplicationError);
    });

    it('never contain two payments of one order of which neither has failed', async () => {
      const { user, order, payment } = aPurchase();
      const second = { ...payment, id: aPurchase().payment.id };
      const add = (what: (to: Repositories) => Promise<void>) => store.unitOfWork.run(what);
      await add(async ({ users, orders, payments }) => {
        await users.add(user);
        await orders.add(order);
        await payments.add(payment);
      });
      unavailable(await rejectionOf(add(({ payments }) => payments.add(second))));
      await add(({ payments }) => payments.add({ ...second, status: 'failed' }));
      const { rows } = await store.unitOfWork.read(({ payments }) =>
        payments.page({ orderId: order.id }, { limit: 5 }),
      );
      expect(rows.map(({ status }) => status)).to.have.members(['succeeded', 'failed']);
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
