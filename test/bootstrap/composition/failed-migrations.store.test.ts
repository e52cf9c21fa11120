import BetterSqlite3 from 'better-sqlite3';
import { expect } from 'chai';
import { checkDatabase } from '#bootstrap/cli/doctor/database.ts';
import { freshMariaDb } from '../../support/mariadb.ts';
import { mariadbIsMissing } from '../../support/mariadb-server.ts';
import { type Database, freshDatabase } from '../../support/postgres.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { runHere } from '../support/portico.ts';

const role = `limited_${process.pid}`;

/** The URL of the same database for a user who may only connect. */
const asLimited = (url: string): string => {
  const limited = new URL(url);
  limited.username = role;
  limited.password = 'limited';
  return limited.href;
};

describe('A migration that cannot be applied', () => {
  const place = temporaryFolder();
  let database: Database;
  beforeEach(async () => {
    database = await freshDatabase();
    await database.query(`create role ${role} login password 'limited'`);
  });
  afterEach(async () => {
    await database.query(`drop owned by ${role}; drop role ${role}`);
    await database.drop();
  });

  /** The error lines of a start and of a migration. */
  const said = async (url: string): Promise<string[]> => {
    const settings = { DATABASE_URL: url, PORT: '0', OPS_PORT: '0', SEED_DEMO: '0' };
    const lines = [];
    for (const ended of [await runHere(['start'], settings), await runHere(['migrate', 'up'], settings)]) {
      const { code, errors } = ended;
      expect(code).to.equal(1);
      lines.push(errors);
    }
    return lines;
  };

  it('without the right to create tables is reported in one line, and by the doctor beforehand', async () => {
    const url = asLimited(database.url);
    const [, found] = await checkDatabase({ kind: 'postgres', url });
    expect(found).to.include({ check: 'migrations', state: 'fail' });
    expect(found?.message).to.match(/^pending, and the user .* may not create tables: 0001-baseline$/);
    for (const line of await said(url)) {
      expect(line).to.equal(
        `portico: The tables cannot be brought up to date: permission denied for schema public. ${found?.remedy}\n`,
      );
    }
    await database.query(`grant create on schema public to ${role}`);
    expect((await checkDatabase({ kind: 'postgres', url }))[1]).to.include({ state: 'ok' });
  });

  it('because search_path names no schema is reported in one line, until the schema exists', async () => {
    const url = `${database.url}?options=-c%20search_path%3Dshop`;
    const problem = 'has no schema for the tables: search_path names none';
    const [found, ...more] = await checkDatabase({ kind: 'postgres', url });
    expect(found?.message).to.include(problem);
    expect([found?.state, more]).to.deep.equal(['fail', []]);
    for (const line of await said(url)) {
      expect(line).to.match(
        /^portico: DATABASE_URL names a database that cannot be used: It has no schema .* create schema, [^\n]*\.\n$/,
      );
    }
    await database.query('create schema shop');
    expect((await runHere(['migrate', 'up'], { DATABASE_URL: url })).code).to.equal(0);
    const tables =
      "select table_schema as place from information_schema.tables where table_name = 'products'";
    expect(await database.query(tables)).to.deep.equal([{ place: 'shop' }]);
  });

  it('without the right to read the applied migrations is reported in one line', async () => {
    await database.query('create table mikro_orm_migrations (name text)');
    for (const line of await said(asLimited(database.url))) {
      expect(line).to.equal(
        'portico: DATABASE_URL names a database that cannot be used: permission denied for table mikro_orm_migrations\n',
      );
    }
  });

  it('because a table exists already is reported in one line, and is rolled back', async () => {
    await database.query('create table products (id int)');
    const file = place('taken.db');
    const taken = new BetterSqlite3(file);
    taken.exec('create table products (id int)');
    for (const line of [...(await said(database.url)), ...(await said(`sqlite:${file}`))]) {
      expect(line).to.match(
        /^portico: The migration 0001-baseline cannot be applied: (relation "products"|table products) already exists\. The database contains tables of another program. .*\.\n$/,
      );
    }
    const inFile = taken.prepare("select name from sqlite_schema where type = 'table'").all();
    const inDatabase = await database.query(
      "select relname as name from pg_class where relname in ('users', 'products')",
    );
    expect([inFile, inDatabase]).to.deep.equal([[{ name: 'products' }], [{ name: 'products' }]]);
    taken.close();
  });

  const onMariaDb = mariadbIsMissing === undefined ? it : it.skip;

  onMariaDb(
    'because a table of another program is there is reported in one line on MariaDB, and makes none',
    async () => {
      for (const [table, columns] of [
        ['events', 'id int, title text'],
        ['orders', 'id int'],
        ['duties', 'id int'],
      ]) {
        const { url, query } = await freshMariaDb();
        await query(`create table ${table} (${columns})`);
        for (const line of await said(url))
          expect(line).to.equal(
            `portico: The migration 0001-baseline cannot be applied: table ${table} already exists. The database contains tables of another program. Set DATABASE_URL to a database for Portico alone.\n`,
          );
        const [found] = await checkDatabase({ kind: 'mariadb', url });
        expect(found?.message).to.contain(`contains tables of another program, such as ${table}`);
        const left = await query(
          'select table_name as name from information_schema.tables where table_schema = database()',
        );
        expect(left).to.deep.equal([{ name: table }]);
        await query(`drop table ${table}`);
        await query('create table posts (id int)');
        expect((await runHere(['migrate', 'up'], { DATABASE_URL: url })).code).to.equal(0);
      }
    },
  );

  onMariaDb(
    'goes on on MariaDB where another process has died, and says that what was made stays',
    async () => {
      const { url, query } = await freshMariaDb();
      // As a process that died has left it: its lock, its first table, and one that it cannot change.
      await query('create table migration_lock (id int primary key, holder char(36), until datetime(3))');
      await query('create table users (id int)');
      await query('create view orders as select 1 as one');
      for (const line of await said(url))
        expect(line).to.match(
          /^portico: The migration 0001-baseline cannot be applied: .*\. What it has made stays, and it can run again: fix the cause and start again\.\n$/,
        );
    },
  );

  it('for any other reason is reported in one line, with the error of the database', async () => {
    const url = `sqlite:${place('odd.db')}`;
    const odd = new BetterSqlite3(place('odd.db'));
    odd.exec('create view duties as select 1');
    odd.close();
    for (const line of await said(url)) {
      expect(line).to.match(
        /^portico: The migration 0001-baseline cannot be applied: .*\. Nothing was changed. .*\.\n$/,
      );
    }
  });
});
