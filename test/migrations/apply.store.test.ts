import { p } from '@mikro-orm/core';
import { expect } from 'chai';
import { instant } from '#adapters/persistence/schema/entities/columns.ts';
import { migrationsOf } from '#adapters/persistence/schema/migrations/all.ts';
import { catalogOf } from '../adapters/persistence/catalogs/all.ts';
import { addPurchase } from '../contracts/every-collection.ts';
import { aFullPurchase, aPurchase } from '../contracts/samples.ts';
import { createDatabase, type ObservedDatabase, type Row, testedKinds } from '../lab/databases.ts';
import { inStoreAt } from '../support/store-at.ts';
import { applyTo } from './apply.ts';
import { entitiesWith, giftCards, ofStockChanges, stockChangesWith } from './changed-entities.ts';
import { generate } from './generate.ts';

const changed = stockChangesWith({
  ...ofStockChanges(),
  counted_at: instant().strictNullable(),
  origin: p.text().length(32).default('shop'),
});

/** Every table with its rows, by name. */
const rowsOf = async ({ query }: ObservedDatabase, tables: readonly string[]) => {
  const rows: Record<string, readonly Row[]> = {};
  for (const table of tables) rows[table] = await query(`select * from ${table} order by 1`);
  return rows;
};

const filled = [
  ...['products', 'users', 'orders', 'order_items', 'reviews', 'payments', 'refunds', 'captures', 'disputes'],
  ...['api_keys', 'identities', 'erasures', 'stock_changes', 'webhook_endpoints', 'webhook_deliveries'],
];

for (const kind of testedKinds)
  describe(`A migration that was generated, on ${kind}`, () => {
    it('leaves all rows of a filled database as they were, and its catalog is that of a new one', async () => {
      const statements = await generate(entitiesWith(changed, giftCards));
      const step = { name: '9999-gift-cards', load: async () => statements[kind] };
      const [old, fresh] = [await createDatabase(kind), await createDatabase(kind)];
      await inStoreAt(old.url, async ({ unitOfWork }) => {
        for (const purchase of [aPurchase(), aFullPurchase()])
          await unitOfWork.run((repositories) => addPurchase(repositories, purchase));
      });
      const before = await rowsOf(old, filled);
      await applyTo(kind, old.url, [...migrationsOf(kind), step]);
      const { stock_changes: stockChanges = [], ...after } = await rowsOf(old, filled);
      const { stock_changes: earlier = [], ...others } = before;
      expect(after).to.deep.equal(others);
      expect(earlier).to.have.length(2);
      expect(stockChanges).to.deep.equal(
        earlier.map((row) => ({ ...row, counted_at: null, origin: 'shop' })),
      );
      await inStoreAt(fresh.url, async () => {});
      await applyTo(kind, fresh.url, [...migrationsOf(kind), step]);
      const catalog = await catalogOf(kind, old);
      expect(catalog).to.deep.equal(await catalogOf(kind, fresh));
      expect(catalog.join('\n')).to.match(/^gift_cards index gift_cards_code_unique /m);
      // On MariaDB a process that died may have applied a part.
      if (kind === 'mariadb') {
        await applyTo(kind, fresh.url, [...migrationsOf(kind), step, { ...step, name: '9999-once-more' }]);
        expect(await catalogOf(kind, fresh)).to.deep.equal(catalog);
      }
      await old.remove();
      await fresh.remove();
    });

    it('is all that the entities differ by from the tables', async () => {
      const statements = await generate(entitiesWith(changed, giftCards));
      const database = await createDatabase(kind);
      await inStoreAt(database.url, async () => {});
      const before = await catalogOf(kind, database);
      const step = { name: '9999-gift-cards', load: async () => statements[kind] };
      await applyTo(kind, database.url, [...migrationsOf(kind), step]);
      const added = (await catalogOf(kind, database)).filter((line) => !before.includes(line));
      expect(
        added.filter((line) => !/^(gift_cards|stock_changes column (counted_at|origin)) /.test(line)),
      ).to.deep.equal([]);
      await database.remove();
    });
  });
