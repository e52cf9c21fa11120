import BetterSqlite3 from 'better-sqlite3';
import { expect } from 'chai';
import { openMariaDb } from '#adapters/persistence/mariadb/open.ts';
import { closeOrm, mariadbOrm } from '#adapters/persistence/mariadb/orm.ts';
import { openPostgres } from '#adapters/persistence/postgres/open.ts';
import { postgresOrm } from '#adapters/persistence/postgres/orm.ts';
import { type Migrations, migrate } from '#adapters/persistence/schema/migrate.ts';
import { mariadbMigrations } from '#adapters/persistence/schema/migrations/mariadb/all.ts';
import { postgresMigrations } from '#adapters/persistence/schema/migrations/postgres/all.ts';
import { sqliteMigrations } from '#adapters/persistence/schema/migrations/sqlite/all.ts';
import { sqliteOrm } from '#adapters/persistence/sqlite/connect.ts';
import { openSqlite } from '#adapters/persistence/sqlite/open.ts';
import type { Store } from '#adapters/persistence/store.ts';
import { describeMariaDb, freshMariaDb } from '../../support/mariadb.ts';
import { freshDatabase } from '../../support/postgres.ts';
import { temporaryDatabases } from '../../support/temporary.ts';

const id = (digit: string): string => `01900000-0000-7000-8000-${digit.repeat(12)}`;
const [ada, bob, tea, mate, order] = [...'12345'].map(id);
const at = '2026-03-01 12:00:00.123';

/** The item and the user of each review, by the digit of its id. The columns are those of the first schema. */
const reviews = [
  { digit: '6', user: ada, product: tea },
  { digit: '7', user: ada, product: mate },
  { digit: '8', user: ada, product: tea },
  { digit: '9', user: bob, product: tea },
  { digit: 'a', user: ada, product: tea },
];

const statements = [
  `insert into users (id, version, created_at, updated_at, email, name, role)
    values ('${ada}', 1, '${at}', '${at}', 'ada@example.com', 'Ada', 'customer')`,
  `insert into orders
    (id, version, created_at, updated_at, user_id, number, status, total_amount, total_currency, item_count, paying)
    values ('${order}', 3, '${at}', '${at}', '${ada}', 'O-1', 'paid', 450, 'EUR', 1, '0')`,
  ...reviews.map(
    ({ digit, product }) => `insert into order_items
      (id, version, created_at, updated_at, order_id, product_id, product_name, unit_price_amount, total_amount, currency,
        quantity_thousandths, counted)
      values ('${id(digit)}', 1, '${at}', '${at}', '${order}', '${product}', 'Tea', 450, 450, 'EUR', 1000, '0')`,
  ),
  // The oldest is not the first that was inserted.
  ...reviews.toReversed().map(
    ({ digit, user, product }) => `insert into reviews
      (id, version, created_at, updated_at, item_id, product_id, user_id, rating)
      values ('${id(digit)}', 1, '${at}', '${at}', '${id(digit)}', '${product}', '${user}', 5)`,
  ),
];

/** The migrations before the one that is tested. */
const earlierOf = (steps: Migrations): Migrations =>
  steps.slice(
    0,
    steps.findIndex(({ name }) => name.endsWith('one-review-of-a-product')),
  );

/** @param open brings a database up to date that has those rows, and opens it */
const itKeepsOneOfEach = (open: () => Promise<Store>) =>
  it('keep all, and the oldest of each product by each user alone bars another', async () => {
    const store = await open();
    const { rows } = await store.unitOfWork.read(({ reviews: all }) => all.page({}, { limit: 9 }));
    await store.close();
    expect(rows.map(({ id: of, userProduct }) => [of, userProduct])).to.deep.equal([
      [id('6'), `${ada}:${tea}`],
      [id('7'), `${ada}:${mate}`],
      [id('8'), null],
      [id('9'), `${bob}:${tea}`],
      [id('a'), null],
    ]);
  });

describe('The reviews of an earlier release in SQLite', () => {
  const inFolder = temporaryDatabases();
  itKeepsOneOfEach(async () => {
    const file = inFolder('portico.db');
    const orm = sqliteOrm(file, 1000);
    await migrate(orm, earlierOf(sqliteMigrations));
    await orm.close();
    const database = new BetterSqlite3(file);
    for (const statement of statements) database.exec(statement);
    database.close();
    return openSqlite({ file });
  });
});

describe('The reviews of an earlier release in PostgreSQL', () => {
  itKeepsOneOfEach(async () => {
    const { url, query } = await freshDatabase();
    const orm = postgresOrm(url, 1);
    await migrate(orm, earlierOf(postgresMigrations));
    await orm.close();
    for (const statement of statements) await query(statement);
    return openPostgres({ url });
  });
});

describeMariaDb('The reviews of an earlier release in MariaDB', () => {
  itKeepsOneOfEach(async () => {
    const { url, query } = await freshMariaDb();
    const orm = mariadbOrm({ url, poolSize: 1, timeout: 0 });
    const pool = await orm.em.getConnection().getNativeClient();
    await migrate(orm, earlierOf(mariadbMigrations));
    await closeOrm(orm, pool);
    for (const statement of statements) await query(statement);
    return openMariaDb({ url });
  });
});
