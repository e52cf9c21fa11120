import { expect } from 'chai';
import type { Store } from '#adapters/persistence/store.ts';
import { ApplicationError } from '#application/errors.ts';
import type { Repositories } from '#application/ports/repositories.ts';
import { DomainError } from '#domain/errors.ts';
import { refusalOf, storeFor } from '../../contracts/harness.ts';
import { aProduct, aPurchase } from '../../contracts/samples.ts';

export const unavailable = (refusal: unknown): void => {
  expect(refusal).to.be.instanceOf(ApplicationError).with.property('kind', 'unavailable');
};

/** What a store in a database does beyond what every store promises. */
export const describeTransactions = (name: string, open: () => Promise<Store>) =>
  describe(`its transactions in ${name}`, () => {
    const store = storeFor(open);
    const find = (id: ReturnType<typeof aProduct>['id']) =>
      store.unitOfWork.read(({ products }) => products.find(id));

    it('keep no reader waiting', async () => {
      const product = aProduct();
      await store.unitOfWork.run(async ({ products }) => {
        await products.add(product);
        expect(await find(product.id)).to.equal(undefined);
      });
      expect(await find(product.id)).to.deep.equal(product);
    });

    it('are undone when something was refused, though the work took no notice', async () => {
      const first = aProduct({ sku: 'same' });
      await store.unitOfWork.run(({ products }) => products.add(first));
      const [before, behind] = [aProduct(), aProduct()];
      const refusal = await refusalOf(
        store.unitOfWork.run(async ({ products }) => {
          await products.add(before);
          await products.add(aProduct({ sku: 'same' })).catch(() => undefined);
          await products.add(behind).catch(() => undefined);
        }),
      );
      expect(refusal).to.be.instanceOf(DomainError).with.property('kind', 'conflict');
      expect(await find(before.id)).to.equal(undefined);
      expect(await find(behind.id)).to.equal(undefined);
    });

    it('take nothing from work that has ended', async () => {
      let kept: Repositories | undefined;
      await store.unitOfWork.run(async (repositories) => {
        kept = repositories;
      });
      const late = aProduct();
      expect(await refusalOf(Promise.resolve(kept?.products.add(late)))).to.have.property(
        'message',
        'The unit of work has ended.',
      );
      expect(await find(late.id)).to.equal(undefined);
    });

    it('take nothing that refers to what is not there', async () => {
      const { order } = aPurchase();
      unavailable(await refusalOf(store.unitOfWork.run(({ orders }) => orders.add(order))));
      expect(await store.unitOfWork.read(({ orders }) => orders.find(order.id))).to.equal(undefined);
    });

    it('refuse a second resource with the same id as the defect that it is', async () => {
      const product = aProduct();
      await store.unitOfWork.run(({ products }) => products.add(product));
      const refusal = await refusalOf(store.unitOfWork.run(({ products }) => products.add(product)));
      expect(refusal).to.be.instanceOf(Error).and.not.instanceOf(DomainError);
      expect(refusal).to.not.be.instanceOf(ApplicationError);
    });

    it('never hold two payments of one order of which neither has failed', async () => {
      const { user, order, payment } = aPurchase();
      const second = { ...payment, id: aPurchase().payment.id };
      const add = (what: (to: Repositories) => Promise<void>) => store.unitOfWork.run(what);
      await add(async ({ users, orders, payments }) => {
        await users.add(user);
        await orders.add(order);
        await payments.add(payment);
      });
      unavailable(await refusalOf(add(({ payments }) => payments.add(second))));
      await add(({ payments }) => payments.add({ ...second, status: 'failed' }));
      const { rows } = await store.unitOfWork.read(({ payments }) =>
        payments.page({ orderId: order.id }, { limit: 5 }),
      );
      expect(rows.map(({ status }) => status)).to.have.members(['succeeded', 'failed']);
    });
  });

/** That it is closed is all that can be said of it. */
export const describeClosing = (open: () => Promise<Store>) =>
  it('is unavailable when it has been closed', async () => {
    const { unitOfWork, sandboxLedger, now, close } = await open();
    await now();
    await close();
    unavailable(await refusalOf(now()));
    unavailable(await refusalOf(unitOfWork.read(({ products }) => products.page({}, { limit: 1 }))));
    unavailable(await refusalOf(unitOfWork.run(({ products }) => products.add(aProduct()))));
    unavailable(await refusalOf(sandboxLedger.find('charge')));
    unavailable(await refusalOf(sandboxLedger.keep('charge', 'done')));
  });
