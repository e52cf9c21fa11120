import { expect } from 'chai';
import { Client } from 'pg';
import { postgresDialect } from '#adapters/persistence/postgres/dialect.ts';
import { openPostgres } from '#adapters/persistence/postgres/open.ts';
import { postgresOrm } from '#adapters/persistence/postgres/orm.ts';
import { products } from '#adapters/persistence/schema/entities/product.ts';
import { builderOf } from '#adapters/persistence/sql/builder.ts';
import type { PageQuery } from '#adapters/persistence/sql/sql-table.ts';
import { compileTable } from '#adapters/persistence/sql/statements.ts';
import { type Database, migratedDatabase } from '#test/support/postgres.ts';

/** One product in some thousands is not active. */
const manyProducts = `
  insert into products (id, version, created_at, updated_at, name, price_amount, price_currency, status, sku)
  select gen_random_uuid(), 1, now(), now(), 'Tea', 100, 'EUR', case when n % 5000 = 0 then 'archived' else 'active' end, n
  from generate_series(1, 20000) as n
`;

describe('Pages on PostgreSQL', () => {
  let database: Database;
  before(async () => {
    database = await migratedDatabase();
    await (await openPostgres({ url: database.url })).close();
    await database.query(manyProducts);
    await database.query('analyze products');
  });
  after(() => database.drop());

  const orm = postgresOrm('postgres://127.0.0.1/none', 1);
  const { page } = compileTable(builderOf(orm), products, postgresDialect);
  let client: Client;
  beforeEach(async () => {
    client = new Client({ connectionString: database.url });
    await client.connect();
  });
  afterEach(() => client.end());

  const ask = async (wanted: PageQuery): Promise<readonly { readonly id: string }[]> => {
    const { statement, values } = page(wanted);
    const { name, text } = statement;
    return (await client.query({ name, text, values: [...values] })).rows;
  };

  it('bind every value of a request, and splice none into the text', () => {
    for (const filter of [{ sku: 'tea' }, { status: "active' or true" }]) {
      const { statement, values } = page({ filter, limit: 21 });
      expect(values).to.deep.equal([...Object.values(filter), 21]);
      expect(statement.text).to.not.include(values[0]);
    }
  });

  it('have as many rows as requested, however many that is', async () => {
    const all = (await client.query('select id from products order by id')).rows.map(({ id }) => id);
    for (const count of [1, 128, 129, 1000]) {
      const from = all[count];
      const ids = async (wanted: PageQuery) => (await ask(wanted)).map(({ id }) => id);
      expect(await ids({ filter: {}, limit: count })).to.deep.equal(all.slice(0, count));
      expect(await ids({ filter: {}, after: from, limit: count })).to.deep.equal(
        all.slice(count + 1, 2 * count + 1),
      );
    }
  });
});
