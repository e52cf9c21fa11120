import { expect } from 'chai';
import { lockTable } from '#adapters/persistence/mariadb/migrate.ts';
import { migrationsTable } from '#adapters/persistence/schema/migrate.ts';
import { migrationsOf } from '#adapters/persistence/schema/migrations/all.ts';
import { createDatabase, testedKinds } from '../../lab/databases.ts';
import { applyTo } from '../../migrations/apply.ts';
import { describeMariaDb } from '../../support/mariadb.ts';
import { inStoreAt } from '../../support/store-at.ts';
import { catalogOf, recordedCatalog } from './catalogs/all.ts';

for (const kind of testedKinds)
  describe(`The baseline on ${kind}`, () => {
    it('makes exactly the catalog that the steps before it have left: settings, conditions, collations, partitions, functions', async () => {
      const database = await createDatabase(kind);
      await applyTo(kind, database.url, migrationsOf(kind).slice(0, 1));
      // The table of the lock is made before any migration.
      const recorded = recordedCatalog(kind).filter((line) => !line.startsWith(`${lockTable} `));
      expect(recorded).to.have.length.above(300);
      expect(await catalogOf(kind, database)).to.deep.equal(recorded);
      await database.remove();
    });
  });

describeMariaDb('The tables of MariaDB', () => {
  it('have one engine, row format and collation, whichever migration has made them', async () => {
    const database = await createDatabase('mariadb');
    await inStoreAt(database.url, async () => {});
    const tables = (await catalogOf('mariadb', database)).filter((line) =>
      line.includes(' type=BASE TABLE '),
    );
    const others = tables.filter(
      (line) => !line.includes(' engine=InnoDB rowFormat=Dynamic collation=utf8mb4_nopad_bin '),
    );
    // The lock is there before any migration, and MikroORM makes the table of the records.
    expect(others.map((line) => line.split(' ', 1).join())).to.deep.equal([lockTable, migrationsTable]);
    await database.remove();
  });
});

describe('A catalog', () => {
  it('shows what a comparison of entities does not see', async () => {
    const hidden = {
      sqlite: [
        'alter table products rename column sku to code; alter table products rename column code to sku; drop table product_words; ' +
          'create table product_words (word text not null, product_id text not null, primary key (word, product_id))',
        'drop index products_sku_unique; create unique index products_sku_unique on products (sku collate nocase)',
      ],
      postgres: [
        'alter table event_feed reset (fillfactor)',
        'alter table user_positions set logged',
        'alter table product_words alter word type text collate "default"',
        'alter table event_queue set (autovacuum_vacuum_threshold = 50, autovacuum_vacuum_scale_factor = 0)',
        'drop function portico_require',
      ],
      mariadb: [
        'alter table stock_changes row_format = compact',
        'alter table products modify sku varchar(320) collate utf8mb4_bin null',
        'alter table quotas engine = Aria',
      ],
    };
    for (const kind of testedKinds) {
      const database = await createDatabase(kind);
      await inStoreAt(database.url, async () => {});
      let before = await catalogOf(kind, database);
      for (const change of hidden[kind]) {
        await database.execute(change);
        const after = await catalogOf(kind, database);
        expect(after, change).to.not.deep.equal(before);
        before = after;
      }
      await database.remove();
    }
  });
});
