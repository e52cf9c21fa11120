import BetterSqlite3 from 'better-sqlite3';
import { expect } from 'chai';
import { Client, type Connection, Pool } from 'pg';
import { migratePostgres } from '#adapters/persistence/postgres/migrate.ts';
import { postgresOrm } from '#adapters/persistence/postgres/orm.ts';
import { type Migrations, migrate } from '#adapters/persistence/schema/migrate.ts';
import { postgresMigrations } from '#adapters/persistence/schema/migrations/postgres/all.ts';
import { sqliteMigrations } from '#adapters/persistence/schema/migrations/sqlite/all.ts';
import { sqliteOrm } from '#adapters/persistence/sqlite/connect.ts';
import { rejectionOf } from '../../contracts/harness.ts';
import { type Database, freshDatabase } from '../../support/postgres.ts';
import { temporaryDatabases } from '../../support/temporary.ts';
import { until } from '../../support/until.ts';
import { type OlderDatabase, olderDatabase, olderFile, refundsOfThese } from './older-databases.ts';

const describeMigrations = (name: string, make: () => Promise<OlderDatabase>) =>
  describe(`An older ${name}`, () => {
    it('is brought up to date, and its refunds know their payment’s provider', async () => {
      const { open, steps, applied } = await make();
      const store = await open();
      const { rows } = await store.unitOfWork.read(({ refunds }) => refunds.page({}, { limit: 5 }));
      expect(store.isNew).to.equal(false);
      await store.close();
      expect(rows).to.deep.equal(refundsOfThese);
      expect(await applied()).to.deep.equal(steps.map(({ name }) => ({ name })));
    });
  });

const migrations = 'select name from mikro_orm_migrations';

/** The number of migrations before the one with this name. */
const stepBefore = (steps: Migrations, ending: string): number =>
  steps.findIndex(({ name }) => name.endsWith(ending));

const partial = /^create unique index .* where \(?external_id is not null\)?$/i;

describe('SQLite', () => {
  const inFolder = temporaryDatabases();
  describeMigrations('file', () => olderFile(inFolder('portico.db')));

  it('leaves rows without an external id out of the indexes that an earlier build has made of all rows', async () => {
    const file = inFolder('earlier.db');
    const orm = sqliteOrm(file, 1000);
    await migrate(orm, sqliteMigrations.slice(0, stepBefore(sqliteMigrations, 'partial-external-ids')));
    const database = new BetterSqlite3(file);
    for (const table of ['users', 'orders']) {
      database.exec(`drop index ${table}_external_id_unique`);
      database.exec(`create unique index ${table}_external_id_unique on ${table} (external_id)`);
    }
    await migrate(orm, sqliteMigrations);
    await orm.close();
    const indexes = database
      .prepare("select sql as definition from sqlite_schema where name like '%_external_id_unique'")
      .all();
    database.close();
    expect(indexes).to.have.lengthOf(2);
    for (const index of indexes) expect(index).to.have.property('definition').that.matches(partial);
  });
});

describe('PostgreSQL', () => {
  const databases: Database[] = [];
  after(async () => {
    for (const { drop } of databases) await drop();
  });

  describeMigrations('database', async () => {
    const database = await freshDatabase();
    databases.push(database);
    return olderDatabase(database);
  });

  it('leaves rows without an external id out of the indexes that an earlier build has made of all rows', async () => {
    const database = await freshDatabase();
    databases.push(database);
    const orm = postgresOrm(database.url, 1);
    await migrate(orm, postgresMigrations.slice(0, stepBefore(postgresMigrations, 'partial-external-ids')));
    for (const table of ['users', 'orders']) {
      const name = `${table}_external_id_unique`;
      await database.query(`drop index ${name}`);
      await database.query(`alter table ${table} add constraint ${name} unique (external_id)`);
    }
    await migrate(orm, postgresMigrations);
    await orm.close();
    const indexes = await database.query(
      "select indexdef as definition from pg_indexes where indexname like '%_external_id_unique'",
    );
    expect(indexes).to.have.lengthOf(2);
    for (const index of indexes) expect(index).to.have.property('definition').that.matches(partial);
  });

  it('is not migrated while a backup reads it, serves other reads meanwhile, and is migrated afterwards', async () => {
    const database = await freshDatabase();
    databases.push(database);
    const { url } = database;
    const orm = postgresOrm(url, 1);
    await migrate(orm, postgresMigrations.slice(0, 5));
    await orm.close();
    const dump = new Client({ connectionString: url });
    await dump.connect();
    await dump.query('begin; lock table idempotency_keys in access share mode');
    const pool = new Pool({ connectionString: url });
    const opening = rejectionOf(migratePostgres(url, pool, 500));
    const isWaiting = async () =>
      database.query(
        'select from pg_locks join pg_database on pg_database.oid = database where datname = current_database() ' +
          "and mode = 'AccessExclusiveLock' and not granted",
      );
    await until(isWaiting, ({ length }) => length > 0);
    await database.query('select from idempotency_keys');
    expect(await opening)
      .to.include({ kind: 'unavailable' })
      .with.property('message')
      .that.matches(/^its tables cannot be brought up to date while/);
    const again = migratePostgres(url, pool);
    await until(isWaiting, ({ length }) => length > 0);
    await dump.end();
    expect(await again).to.equal(false);
    await pool.end();
    expect(await database.query(migrations)).to.deep.equal(postgresMigrations.map(({ name }) => ({ name })));
  });

  it('is left as it was when the connection breaks between two statements, and migrated afterwards', async () => {
    const database = await freshDatabase();
    databases.push(database);
    const { prototype } = Client;
    const { query } = prototype;
    prototype.query = breakingAfter('create table quotas', query);
    const pool = new Pool({ connectionString: database.url });
    try {
      const error = await rejectionOf(migratePostgres(database.url, pool));
      expect(error)
        .to.have.property('message')
        .that.matches(/Connection terminated/);
    } finally {
      prototype.query = query;
    }
    expect(await database.query("select from pg_tables where schemaname = 'public'")).to.deep.equal([]);
    expect(await migratePostgres(database.url, pool)).to.equal(true);
    await pool.end();
  });
});

/** Breaks the connection once it has carried out a statement with this text. */
const breakingAfter = (text: string, query: Client['query']): Client['query'] =>
  function (this: Client, ...given: unknown[]) {
    const result: unknown = Reflect.apply(query, this, given);
    if (!JSON.stringify(given[0]).includes(text)) return result;
    return Promise.resolve(result).then(async (rows) => {
      const ended = new Promise((resolve) => this.once('end', resolve));
      (this as unknown as { readonly connection: Connection }).connection.stream.destroy();
      await ended;
      return rows;
    });
  } as Client['query'];
