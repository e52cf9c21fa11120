import { expect } from 'chai';
import { earlierSteps } from '#adapters/persistence/schema/history.ts';
import { inspectStore } from '#bootstrap/composition/ports/open-store.ts';
import { readConfig } from '#bootstrap/config/config.ts';
import { addPurchase } from '../../contracts/every-collection.ts';
import { rejectionOf } from '../../contracts/harness.ts';
import { aFullPurchase, aPurchase } from '../../contracts/samples.ts';
import { createDatabase, type ObservedDatabase, testedKinds } from '../../lab/databases.ts';
import { dumpRows } from '../../lab/dump.ts';
import { inStoreAt, storeAt } from '../../support/store-at.ts';
import { asEarlier, listRecords } from './earlier-builds.ts';

const fill = (url: string): Promise<void> =>
  inStoreAt(url, async ({ unitOfWork }) => {
    for (const purchase of [aPurchase(), aFullPurchase()])
      await unitOfWork.run((repositories) => addPurchase(repositories, purchase));
  });

/** All rows but the records of migrations, and SQLite's count of them. */
const rowsOf = async (database: ObservedDatabase): Promise<readonly string[]> => {
  const rows: string[] = [];
  for await (const { table, text } of dumpRows(database))
    if (!['mikro_orm_migrations', 'sqlite_sequence'].includes(table)) rows.push(`${table} ${text}`);
  return rows.sort();
};

const recordsOf = async ({ query }: ObservedDatabase): Promise<readonly unknown[]> =>
  (await query(listRecords)).map(({ name }) => name);

for (const kind of testedKinds)
  describe(`A database of an earlier build on ${kind}`, () => {
    let database: ObservedDatabase;
    beforeEach(async () => {
      database = await createDatabase(kind);
    });
    afterEach(() => database.remove());

    it('gets the record of the baseline, and every row stays as it is', async () => {
      await asEarlier(kind, database, { fill });
      const before = await rowsOf(database);
      expect(before).to.have.length.above(30);
      for (const _ of ['once', 'and no other time']) {
        await inStoreAt(database.url, async ({ isNew, schema }) => {
          expect(isNew).to.equal(false);
          expect(await schema?.()).to.deep.include({ pending: [], unknown: [] });
        });
        // The earlier records stay: a process of such a build may still run, and read them.
        expect(await recordsOf(database)).to.deep.equal([...earlierSteps[kind], '0001-baseline']);
      }
      expect(await rowsOf(database)).to.deep.equal(before);
    });

    it('is told which build goes on where the migrations have stopped in the middle', async () => {
      const names = earlierSteps[kind].slice(0, -2);
      await asEarlier(kind, database, { names, fill });
      const before = await rowsOf(database);
      expect(await rejectionOf(storeAt(database.url))).to.have.property(
        'message',
        'The database was left by an early build of Portico before its migration 2026-11-30-sales-of-disputes. ' +
          'Start the build of commit eb897491 on it once, which applies the rest. Then start this one.',
      );
      expect(await recordsOf(database)).to.deep.equal(names);
      expect(await rowsOf(database)).to.deep.equal(before);
    });

    it('is that of another program where it records a migration that no build has', async () => {
      await asEarlier(kind, database, { names: [...earlierSteps[kind], 'Migration20250101'] });
      expect(await rejectionOf(storeAt(database.url)))
        .to.have.property('message')
        .that.matches(/^The database records a migration of another program, Migration20250101\. /);
      expect(await recordsOf(database)).to.include('Migration20250101');
      const inspection = await inspectStore(readConfig({ DATABASE_URL: database.url }).database);
      expect(inspection?.problem).to.equal('records a migration of another program, Migration20250101');
      expect(inspection?.remedy).to.equal('Set DATABASE_URL to a database for Portico alone.');
    });
  });

for (const kind of testedKinds)
  describe(`A database of another program on ${kind} that migrates it with MikroORM, too`, () => {
    it('is left as it is', async () => {
      const database = await createDatabase(kind);
      await database.execute(
        'create table mikro_orm_migrations (id int primary key, name varchar(255), executed_at varchar(30))',
      );
      await database.execute("insert into mikro_orm_migrations values (1, 'Migration20250101', '')");
      expect(await rejectionOf(storeAt(database.url))).to.have.property('name', 'HistoryError');
      const rows: string[] = [];
      for await (const { table } of dumpRows(database)) rows.push(table);
      expect(rows).to.deep.equal(['mikro_orm_migrations']);
      const { pending } = (await inspectStore(readConfig({ DATABASE_URL: database.url }).database)) ?? {};
      expect(pending).to.deep.equal(['0001-baseline']);
      await database.remove();
    });
  });
