import { expect } from 'chai';
import type { Collections, Reader } from '#application/ports/repositories.ts';
import type { User } from '#domain/user.ts';
import { mocha, type Suite, storeFor } from './harness.ts';
import { addPurchase, aProduct, aPurchase, type Purchase } from './samples.ts';

/** Which fields the collections promise to be filtered by. */
export const describeFilters: Suite = (adapter, open, runner = mocha()) =>
  runner.describe(`${adapter}: the collections are filtered by each of their fields`, () => {
    const { it, before } = runner;
    const store = storeFor(open, runner);
    const purchases: Purchase[] = [];
    before(async () => {
      const details = [
        { status: 'active', sku: 'tea' },
        { status: 'active', sku: 'mate' },
        { status: 'archived', sku: 'rooibos' },
        { status: 'draft', sku: null },
      ] as const;
      for (const each of details) purchases.push(aPurchase(aProduct(each)));
      await store.unitOfWork.run(async (repositories) => {
        for (const purchase of purchases) await addPurchase(repositories, purchase);
      });
    });

    /** Every value that occurs finds those that have it, and no other. */
    const finds = <C extends keyof Collections>(
      collection: C,
      field: keyof Collections[C]['filter'] & keyof Collections[C]['resource'] & string,
      resource: (of: Purchase) => Collections[C]['resource'],
    ) =>
      it(`${collection} by ${field}`, async () => {
        const all = purchases.map(resource);
        for (const { [field]: value } of all) {
          if (value === null) continue;
          const filter = { [field]: value } as Collections[C]['filter'];
          const { rows } = await store.unitOfWork.read((repositories) => {
            const reader: Reader<Collections[C]['resource'], Collections[C]['filter']> =
              repositories[collection];
            return reader.page(filter, { limit: 100 });
          });
          expect(rows).to.deep.equal(all.filter((each) => each[field] === value));
        }
      });

    finds('products', 'status', ({ product }) => product);
    finds('products', 'sku', ({ product }) => product);
    finds('users', 'email', ({ user }) => user);
    finds('orders', 'userId', ({ order }) => order);
    finds('orders', 'status', ({ order }) => order);
    finds('orderItems', 'orderId', ({ item }) => item);
    finds('reviews', 'itemId', ({ review }) => review);
    finds('reviews', 'productId', ({ review }) => review);
    finds('reviews', 'userId', ({ review }) => review);
    finds('payments', 'orderId', ({ payment }) => payment);
    finds('payments', 'userId', ({ payment }) => payment);
    finds('refunds', 'paymentId', ({ refund }) => refund);
    finds('refunds', 'userId', ({ refund }) => refund);
    finds('apiKeys', 'userId', ({ apiKey }) => apiKey);

    it('and by all of them at once, where a field that is undefined asks for nothing', async () => {
      const [mine, theirs] = purchases;
      const find = (userId: User['id'] | undefined, status: 'paid' | 'canceled') =>
        store.unitOfWork.read(({ orders }) =>
          orders.page(userId === undefined ? { status } : { userId, status }, { limit: 100 }),
        );
      expect((await find(mine?.user.id, 'paid')).rows).to.deep.equal([mine?.order]);
      expect((await find(theirs?.user.id, 'canceled')).rows).to.deep.equal([]);
      expect((await find(undefined, 'paid')).rows).to.have.lengthOf(purchases.length);
    });
  });
