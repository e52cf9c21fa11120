import BetterSqlite3 from 'better-sqlite3';
import { expect } from 'chai';
import { lockTable } from '#adapters/persistence/mariadb/migrate.ts';
import { openMariaDb } from '#adapters/persistence/mariadb/open.ts';
import { closeOrm, mariadbOrm } from '#adapters/persistence/mariadb/orm.ts';
import { openPostgres } from '#adapters/persistence/postgres/open.ts';
import { postgresOrm } from '#adapters/persistence/postgres/orm.ts';
import { entities, tables } from '#adapters/persistence/schema/entities/all.ts';
import { describeOnMariaDb } from '#adapters/persistence/schema/entities/mariadb.ts';
import { onePaymentPerOrder } from '#adapters/persistence/schema/entities/payment.ts';
import { builderOf } from '#adapters/persistence/sql/builder.ts';
import { compileTable } from '#adapters/persistence/sql/statements.ts';
import { sqliteOrm } from '#adapters/persistence/sqlite/connect.ts';
import { sqliteDialect } from '#adapters/persistence/sqlite/dialect.ts';
import { openSqlite } from '#adapters/persistence/sqlite/open.ts';
import { type Constraints, collectionNames, constraints } from '#application/ports/repositories.ts';
import { freshMariaDb } from '../../support/mariadb.ts';
import { mariadbIsMissing } from '../../support/mariadb-server.ts';
import { freshDatabase } from '../../support/postgres.ts';
import { temporaryDatabases } from '../../support/temporary.ts';

describe('The migrations', () => {
  const inFolder = temporaryDatabases();

  it('create in a new SQLite file exactly the schema of the entities', async () => {
    await (await openSqlite({ file: inFolder('portico.db') })).close();
    const orm = sqliteOrm(inFolder('portico.db'), 1000);
    orm.discoverEntity(entities.sqlite);
    const difference = await orm.schema.getUpdateSchemaSQL({ wrap: false });
    await orm.close();
    expect(difference).to.equal('');
  });

  it('create in a new PostgreSQL database exactly the schema of the entities', async () => {
    const database = await freshDatabase();
    await (await openPostgres({ url: database.url })).close();
    const orm = postgresOrm(database.url, 1);
    orm.discoverEntity(entities.postgres);
    // Entities cannot describe unlogged tables.
    const skipTables = ['user_positions', 'replica_lineage'];
    // A function belongs to no entity. The list below keeps them.
    const ignoreRoutines = true;
    orm.config.set('schemaGenerator', {
      ...orm.config.get('schemaGenerator'),
      skipTables,
      ignoreRoutines,
    });
    const difference = await orm.schema.getUpdateSchemaSQL({ wrap: false });
    const functions = await database.query(
      "select proname as name from pg_proc where pronamespace = 'public'::regnamespace",
    );
    await orm.close();
    await database.drop();
    expect(difference).to.equal('');
    expect(functions).to.deep.equal([{ name: 'portico_require' }]);
  });

  const onMariaDb = mariadbIsMissing === undefined ? it : it.skip;

  onMariaDb('create in a new MariaDB database exactly the schema of the entities', async () => {
    const database = await freshMariaDb();
    await (await openMariaDb({ url: database.url })).close();
    const orm = mariadbOrm({ url: database.url, poolSize: 1, timeout: 5_000 });
    orm.discoverEntity(entities.mariadb);
    describeOnMariaDb(orm.getMetadata());
    const skipTables = [lockTable];
    orm.config.set('schemaGenerator', { ...orm.config.get('schemaGenerator'), skipTables });
    const difference = await orm.schema.getUpdateSchemaSQL({ wrap: false });
    await closeOrm(orm, await orm.em.getConnection().getNativeClient());
    await database.drop();
    // No entity describes what stands in for a partial index.
    expect(difference.split('\n').filter((line) => line !== '')).to.deep.equal([
      `alter table \`payments\` drop index \`${onePaymentPerOrder}\`;`,
      'alter table `payments` drop column `live_order_id`, drop column `unended_order_id`;',
    ]);
  });

  it('keep exactly the constraints that the port lists', async () => {
    await (await openSqlite({ file: inFolder('portico.db') })).close();
    const database = new BetterSqlite3(inFolder('portico.db'), { readonly: true });
    const read = (text: string, table: string) =>
      database.prepare<[string], Readonly<Record<string, string>>>(text).all(table);
    for (const collection of collectionNames) {
      const { unique = [], reference }: Constraints = constraints[collection];
      const { name, filters }: { name: string; filters: Readonly<Record<string, string>> } =
        tables[collection];
      const keys = read('select "from" as "column", "table" from pragma_foreign_key_list(?)', name);
      expect(keys, name).to.deep.equal(
        reference ? [{ column: filters[reference[0]], table: tables[reference[1]].name }] : [],
      );
      const uniques = read(
        `select info.name as "column" from pragma_index_list(?) as list, pragma_index_info(list.name) as info
          where list."unique" and list.name <> '${onePaymentPerOrder}' and list.origin <> 'pk'`,
        name,
      );
      expect(uniques, name).to.have.deep.members(unique.map((field) => ({ column: filters[field] })));
    }
    database.close();
  });

  it('give every page an index, so that none sorts or scans a table', async () => {
    await (await openSqlite({ file: inFolder('portico.db') })).close();
    const database = new BetterSqlite3(inFolder('portico.db'), { readonly: true });
    const builder = builderOf(sqliteOrm(':memory:', 0));
    for (const table of Object.values(tables)) {
      const { page } = compileTable(builder, table, sqliteDialect);
      const { filters }: { filters: Readonly<Record<string, string>> } = table;
      for (const field of [undefined, ...Object.keys(filters)]) {
        const filter = field === undefined ? {} : { [field]: 'any' };
        for (const after of [undefined, 'any']) {
          const { name, text } = page({ filter, after, limit: 21 }).statement;
          const plan = database.prepare<unknown[], { detail: string }>(
            `explain query plan ${text.replaceAll('?', 'null')}`,
          );
          for (const { detail } of plan.all()) {
            expect(detail, name).to.match(/ USING INDEX /);
            if (field !== undefined) expect(detail, name).to.contain(`(${filters[field]}=?`);
          }
        }
      }
    }
    database.close();
  });

  it('have a flag for each boolean, also in the filter of a page', () => {
    const table = { name: 'order_items', columns: ['id', 'counted'], filters: { counted: 'counted' } };
    const { page } = compileTable(builderOf(sqliteOrm(':memory:', 0)), table, sqliteDialect);
    expect(page({ filter: { counted: true }, limit: 3 }).values).to.deep.equal([1, 3]);
    expect(page({ filter: { counted: false }, limit: 3 }).values).to.deep.equal([0, 3]);
  });
});
