import { expect } from 'chai';
import { Client } from 'pg';
import { postgresDialect } from '#adapters/persistence/postgres/dialect.ts';
import { openPostgres } from '#adapters/persistence/postgres/open.ts';
import { postgresOrm } from '#adapters/persistence/postgres/orm.ts';
import { orders } from '#adapters/persistence/schema/entities/order.ts';
import { builderOf } from '#adapters/persistence/sql/builder.ts';
import type { PageQuery } from '#adapters/persistence/sql/sql-table.ts';
import { compileTable } from '#adapters/persistence/sql/statements.ts';
import { type Database, freshDatabase } from '#test/support/postgres.ts';

const ada = '01900000-0000-7000-8000-000000000001';

/** An order a minute. One in a hundred has an external id. */
const manyOrders = `
  insert into orders
    (id, version, created_at, updated_at, user_id, number, status, total_amount, total_currency, item_count, paying, external_id)
  select lpad(to_hex(n), 32, '0')::uuid, 1, at, at, '${ada}', md5(n::text), 'pending', 1, 'EUR', 1, false,
    case when n % 100 = 0 then n::text end
  from generate_series(1, 20000) as n, lateral (select '2026-01-01Z'::timestamptz + n * interval '1 minute' as at)
`;

describe('Plans of lists of orders on PostgreSQL', () => {
  let database: Database;
  let client: Client;
  before(async () => {
    database = await freshDatabase();
    await (await openPostgres({ url: database.url })).close();
    await database.query(
      `insert into users (id, version, created_at, updated_at, email, name, role)
        values ('${ada}', 1, now(), now(), 'ada@example.com', 'Ada', 'customer')`,
    );
    await database.query(manyOrders);
    await database.query('vacuum analyze orders');
    // As Portico's connections have it.
    client = new Client({ connectionString: database.url, options: '-c enable_seqscan=off' });
    await client.connect();
  });
  after(async () => {
    await client.end();
    await database.drop();
  });

  const { page } = compileTable(
    builderOf(postgresOrm('postgres://127.0.0.1/none', 1)),
    orders,
    postgresDialect,
  );
  const first = '00000000-0000-0000-0000-000000000000';

  const planOf = async (wanted: Omit<PageQuery, 'limit'>, mode = 'force_generic_plan'): Promise<string> => {
    const { statement, values } = page({ ...wanted, limit: 21 });
    await client.query(`set plan_cache_mode = ${mode}`);
    await client.query(`prepare it as ${statement.text}`);
    const given = values.map((value) => `'${value}'`).join(', ');
    const { rows } = await client.query(`explain execute it (${given})`);
    await client.query('deallocate it');
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  };

  for (const [field, value] of [
    ['externalId', '300'],
    ['number', 'a number'],
  ] as const)
    it(`use an index of ${field}, also with a plan for any value`, async () => {
      for (const wanted of [{}, { after: first }]) {
        const plan = await planOf({ filter: { [field]: value }, ...wanted });
        expect(plan).to.match(new RegExp(`Scan using orders_${orders.filters[field]}_`));
      }
    });

  it('have no entry in the index of external ids for an order without one', async () => {
    const [{ entries } = {}] = await database.query(
      "select reltuples::int as entries from pg_class where relname = 'orders_external_id_unique'",
    );
    expect(entries).to.equal(200);
  });
});
