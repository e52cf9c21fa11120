import BetterSqlite3 from 'better-sqlite3';
import { expect } from 'chai';
import { openPostgres } from '#adapters/persistence/postgres/open.ts';
import type { Migrations } from '#adapters/persistence/schema/migrate.ts';
import { migrationsOf } from '#adapters/persistence/schema/migrations/all.ts';
import { openSqlite } from '#adapters/persistence/sqlite/open.ts';
import type { Store } from '#adapters/persistence/store.ts';
import { Quantity } from '#domain/quantity.ts';
import { aProduct } from '../../contracts/samples.ts';
import { type Database, freshDatabase } from '../../support/postgres.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { inProcesses } from './in-processes.ts';

const processes = 4;

const migrations = 'select name from mikro_orm_migrations';

const describeProcesses = (
  name: string,
  place: () => string,
  open: () => Promise<Store>,
  steps: Migrations,
  applied: () => Promise<unknown>,
) =>
  describe(`Several processes that share one ${name}`, () => {
    it('open a new one concurrently, and one of them migrates it', async () => {
      const outputs = await inProcesses(processes, place());
      expect(outputs.toSorted()).to.deep.equal(['new', 'old', 'old', 'old']);
      expect(await applied()).to.deep.equal(steps.map(({ name }) => ({ name })));
    });

    it('create exactly one operator', async () => {
      const store = await open();
      const filter = { email: 'operator@localhost' };
      const { rows } = await store.unitOfWork.read(({ users }) => users.page(filter, { limit: 5 }));
      await store.close();
      expect(rows).to.have.lengthOf(1);
    });

    it('lose no update', async () => {
      const store = await open();
      const product = aProduct({ stock: Quantity.zero });
      await store.unitOfWork.run(({ products }) => products.add(product));
      await inProcesses(3, place(), product.id);
      const counted = await store.unitOfWork.read(({ products }) => products.find(product.id));
      await store.close();
      expect(counted).to.include({ stock: Quantity.of(60), version: 61 });
    });
  });

describe('SQLite', () => {
  const inFolder = temporaryFolder();
  const file = () => inFolder('not', 'there', 'yet', 'portico.db');
  describeProcesses(
    'file',
    file,
    () => openSqlite({ file: file() }),
    migrationsOf('sqlite'),
    async () => {
      const reader = new BetterSqlite3(file(), { readonly: true });
      const rows = reader.prepare(migrations).all();
      reader.close();
      return rows;
    },
  );
});

describe('PostgreSQL', () => {
  let database: Database;
  before(async () => {
    database = await freshDatabase();
  });
  after(() => database.drop());
  describeProcesses(
    'database',
    () => database.url,
    () => openPostgres({ url: database.url }),
    migrationsOf('postgres'),
    () => database.query(migrations),
  );
});
