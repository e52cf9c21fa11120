import { expect } from 'chai';
import { postgresDialect } from '#adapters/persistence/postgres/dialect.ts';
import { postgresOrm } from '#adapters/persistence/postgres/orm.ts';
import { orders } from '#adapters/persistence/schema/entities/order.ts';
import { builderOf } from '#adapters/persistence/sql/builder.ts';
import type { PageQuery } from '#adapters/persistence/sql/sql-table.ts';
import { compileTable } from '#adapters/persistence/sql/statements.ts';
import { filledPostgres, insertUser } from './filled-postgres.ts';

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
  const postgres = filledPostgres([insertUser(ada), manyOrders, 'vacuum analyze orders']);

  const { page } = compileTable(
    builderOf(postgresOrm('postgres://127.0.0.1/none', 1)),
    orders,
    postgresDialect,
  );
  const first = '00000000-0000-0000-0000-000000000000';

  const planOf = async (wanted: Omit<PageQuery, 'limit'>): Promise<string> =>
    (await postgres.explain(page({ ...wanted, limit: 21 }))).join('\n');

  for (const [field, value] of [
    ['externalId', '300'],
    ['number', 'a number'],
  ] as const)
    it(`use an index of their filter, also with a plan for any value (${field})`, async () => {
      for (const wanted of [{}, { after: first }]) {
        const plan = await planOf({ filter: { [field]: value }, ...wanted });
        expect(plan).to.match(new RegExp(`Scan using orders_${orders.filters[field]}_`));
      }
    });

  it('have no entry in the index of external ids for an order without one', async () => {
    const [{ entries } = {}] = await postgres.database.query(
      "select reltuples::int as entries from pg_class where relname = 'orders_external_id_unique'",
    );
    expect(entries).to.equal(200);
  });
});
