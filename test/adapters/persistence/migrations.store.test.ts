import { expect } from 'chai';
import { Client, type Connection, Pool } from 'pg';
import { migratePostgres } from '#adapters/persistence/postgres/migrate.ts';
import { migrationsOf } from '#adapters/persistence/schema/migrations/all.ts';
import { rejectionOf } from '../../contracts/harness.ts';
import { type Database, freshDatabase } from '../../support/postgres.ts';
import { until } from '../../support/until.ts';

const migrations = 'select name from mikro_orm_migrations';

describe('PostgreSQL', () => {
  const databases: Database[] = [];
  after(async () => {
    for (const { drop } of databases) await drop();
  });

  it('is not migrated while a backup reads it, serves other reads meanwhile, and is migrated afterwards', async () => {
    const database = await freshDatabase();
    databases.push(database);
    const { url } = database;
    await database.query(
      'create table mikro_orm_migrations (id serial primary key, name varchar(255), executed_at timestamptz default now())',
    );
    const dump = new Client({ connectionString: url });
    await dump.connect();
    await dump.query('begin; lock table mikro_orm_migrations in share mode');
    const pool = new Pool({ connectionString: url });
    const opening = rejectionOf(migratePostgres(url, pool, 500));
    const isWaiting = async () =>
      database.query(
        'select from pg_locks join pg_database on pg_database.oid = database where datname = current_database() ' +
          "and mode = 'RowExclusiveLock' and not granted",
      );
    await until(isWaiting, ({ length }) => length > 0);
    await database.query(migrations);
    expect(await opening)
      .to.include({ kind: 'unavailable' })
      .with.property('message')
      .that.matches(/^its tables cannot be brought up to date while/);
    const again = migratePostgres(url, pool);
    await until(isWaiting, ({ length }) => length > 0);
    await dump.end();
    expect(await again).to.equal(true);
    await pool.end();
    expect(await database.query(migrations)).to.deep.equal(
      migrationsOf('postgres').map(({ name }) => ({ name })),
    );
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
