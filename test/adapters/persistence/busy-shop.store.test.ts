import { expect } from 'chai';
import { openPostgres } from '#adapters/persistence/postgres/open.ts';
import { openSqlite } from '#adapters/persistence/sqlite/open.ts';
import type { Store } from '#adapters/persistence/store.ts';
import type { OrderItem } from '#domain/order.ts';
import { migratedDatabase } from '../../support/postgres.ts';
import { Random } from '../../support/random.ts';
import { repetition, testSeed } from '../../support/seed.ts';
import { migratedFile } from '../../support/sqlite.ts';
import { temporaryDatabases } from '../../support/temporary.ts';
import { openBusyShop, stocked } from './busy-shop.ts';

const actors = 16;
const acts = 16;
const everything = { limit: 10_000 };

interface Place {
  readonly open: () => Promise<Store>;
  readonly remove: () => Promise<void>;
}

const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0);

const describeBusyShop = (name: string, aPlace: () => Promise<Place>) =>
  describe(`A busy shop on ${name}`, () => {
    let stores: Store[];
    let place: Place;
    before(async () => {
      place = await aPlace();
      stores = [await place.open(), await place.open()];
    });
    after(async () => {
      for (const store of stores) await store.close();
      await place.remove();
    });
    afterEach(function () {
      if (this.currentTest?.isFailed()) console.log(repetition());
    });

    it('oversells nothing, loses no update and takes each payment once under concurrent requests', async () => {
      const random = new Random(testSeed());
      const shop = await openBusyShop(
        stores.map(({ unitOfWork }) => unitOfWork),
        random,
      );
      await Promise.all(
        Array.from({ length: actors }, async () => {
          for (let count = 0; count < acts; count += 1) await shop.act();
        }),
      );
      expect(shop.contradictions).to.deep.equal([]);
      const now = await stores[0]?.unitOfWork.read(async (all) => ({
        orders: (await all.orders.page({}, everything)).rows,
        items: (await all.orderItems.page({}, everything)).rows,
        payments: (await all.payments.page({}, everything)).rows,
        refunds: (await all.refunds.page({}, everything)).rows,
        products: (await all.products.page({}, everything)).rows,
      }));
      if (now === undefined) throw new Error('The store is open.');

      expect(now.orders.map(({ id }) => id)).to.have.members(shop.placed.map(({ id }) => id));
      const itemsOf = Map.groupBy(now.items, ({ orderId }) => orderId);
      const sold: OrderItem[] = [];
      for (const order of now.orders) {
        const items = itemsOf.get(order.id) ?? [];
        if (order.status !== 'canceled' && order.status !== 'refunded') sold.push(...items);
        expect(order.total.amount).to.equal(sumOf(items.map(({ total }) => total.amount)));
        expect(order.itemCount).to.equal(items.length);
        expect(order.paying).to.equal(false);
        const paid = now.payments.filter(
          ({ orderId, status }) => orderId === order.id && status !== 'failed',
        );
        expect(paid.map(({ amount }) => amount)).to.deep.equal(
          order.status === 'paid' || order.status === 'refunded' ? [order.total] : [],
        );
      }
      for (const product of now.products) {
        const gone = sold.filter(({ productId }) => productId === product.id).map(({ quantity }) => quantity);
        expect(product.stock).to.be.at.least(0);
        expect((product.stock ?? 0) + sumOf(gone)).to.equal(stocked);
      }
      for (const payment of now.payments) {
        const refunds = now.refunds.filter(({ paymentId }) => paymentId === payment.id);
        const given = refunds.filter(({ status }) => status === 'succeeded');
        expect(payment.refunded.amount).to.equal(sumOf(given.map(({ amount }) => amount.amount)));
        expect(payment.refunded.amount).to.be.at.most(payment.amount.amount);
        expect(payment.refunding.amount).to.equal(0);
        // A payment and each refund change the version twice, so a lost update would show.
        expect(payment.version).to.equal(2 + 2 * refunds.length);
      }
    });
  });

describeBusyShop('PostgreSQL', async () => {
  const database = await migratedDatabase();
  return { open: () => openPostgres({ url: database.url }), remove: () => database.drop() };
});

describe('A file', () => {
  const inFolder = temporaryDatabases();
  describeBusyShop('SQLite', async () => {
    const file = await migratedFile(inFolder('busy.db'));
    return { open: () => openSqlite({ file }), remove: async () => undefined };
  });
});
