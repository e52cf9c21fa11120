import { expect } from 'chai';
import type { Caller } from '#application/preconditions.ts';
import { Role } from '#domain/access.ts';
import { Quantity } from '#domain/quantity.ts';
import { aProduct, aUser } from '#test/contracts/samples.ts';
import { Program } from '#test/lab/program.ts';
import { newId } from '#test/support/machine.ts';
import { repetition, testSeed } from '#test/support/seed.ts';
import { storeAt } from '#test/support/store-at.ts';
import { allKinds, createMigrated, isKept, productOf } from '#test/support/test-databases.ts';
import type { Start } from './another-process.ts';
import type { Shopping } from './shopping.ts';

const script = 'test/adapters/persistence/crossing-orders/another-process.ts';
const buyers = 100;
const processes = 2;
const stocked = Quantity.of(60);
const everything = { limit: 100_000 };

const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0);

/** Starts the processes, and lets them shop at once. */
const shopIn = async (url: string, start: Omit<Start, 'buyers' | 'seed'>): Promise<readonly Shopping[]> => {
  const programs = Array.from(
    { length: processes },
    () => new Program(script, { hasChannel: true, words: [url] }),
  );
  await Promise.all(programs.map((program) => program.exchange()));
  return Promise.all(
    programs.map(async (program, index) => {
      const ours: Start = { ...start, buyers: buyers / processes, seed: testSeed() + index };
      const shopping = (await program.exchange(ours)) as Shopping;
      await program.succeeded();
      return shopping;
    }),
  );
};

for (const kind of allKinds.filter(isKept)) {
  describe(`A hundred buyers on ${productOf(kind)}, in two processes, of up to twenty items crosswise`, () => {
    afterEach(function () {
      if (this.currentTest?.isFailed()) console.log(repetition());
    });

    it('never deadlock, beside changes of items and stock, cancels and imports, and the stock is exact', async () => {
      const database = await createMigrated(kind);
      const store = await storeAt(database.url);
      const user = aUser({ role: 'admin' });
      const scopes = Role.scopes('admin');
      const caller: Caller = { userId: user.id, role: 'admin', scopes, keyId: newId() };
      const products = Array.from({ length: 10 }, () => aProduct({ stock: stocked, sku: newId() }));
      await store.unitOfWork.run(async (to) => {
        await to.users.add(user);
        // Many others, so that a database reads these by an index.
        await to.products.addAll([...Array.from({ length: 500 }, () => aProduct()), ...products]);
      });

      const all = await shopIn(database.url, { caller, products });
      for (const { errors, placed, outOfStock, runs, units } of all) {
        expect(errors).to.deep.equal([]);
        // The process that is ahead gets most of the stock.
        expect(placed).to.be.at.least(1);
        expect(outOfStock).to.be.at.least(1);
        expect(runs - units, 'work that was run again').to.equal(0);
      }
      expect(sumOf(all.map(({ placed }) => placed))).to.be.at.least(10);

      const now = await store.unitOfWork.read(async (from) => ({
        orders: (await from.orders.page({}, everything)).rows,
        items: (await from.orderItems.page({}, everything)).rows,
        changes: (await from.stockChanges.page({}, everything)).rows,
        products: await from.products.findBy(
          'id',
          products.map(({ id }) => id),
        ),
      }));
      const itemsOf = Map.groupBy(now.items, ({ orderId }) => orderId);
      for (const { id, total, itemCount } of now.orders) {
        const items = itemsOf.get(id) ?? [];
        expect(itemCount).to.equal(items.length);
        expect(total.amount).to.equal(sumOf(items.map((item) => item.total.amount)));
      }
      expect(now.orders).to.have.lengthOf(sumOf(all.map(({ placed }) => placed)));
      const open = now.orders.filter(({ status }) => status === 'pending');
      const sold = open.flatMap(({ id }) => itemsOf.get(id) ?? []);
      for (const { id, stock } of now.products) {
        const gone = sumOf(sold.filter(({ productId }) => productId === id).map(({ quantity }) => quantity));
        const added = sumOf(
          now.changes.filter(({ productId }) => productId === id).map(({ change }) => change),
        );
        expect(stock).to.be.at.least(0);
        expect((stock ?? 0) + gone).to.equal(stocked + added);
      }
      await store.close();
      await database.remove();
    });
  });
}
