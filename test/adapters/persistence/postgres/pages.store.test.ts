import { expect } from 'chai';
import { Client } from 'pg';
import { postgresDialect } from '#adapters/persistence/postgres/dialect.ts';
import { postgresOrm } from '#adapters/persistence/postgres/orm.ts';
import { products } from '#adapters/persistence/schema/entities/product.ts';
import { builderOf } from '#adapters/persistence/sql/builder.ts';
import type { PageQuery } from '#adapters/persistence/sql/sql-table.ts';
import { compileTable } from '#adapters/persistence/sql/statements.ts';
import { filledPostgres } from '#test/tuning/filled-postgres.ts';

/** One product in five thousand is archived. */
const manyProducts = `
  insert into products (id, version, created_at, updated_at, name, price_amount, price_currency, status, sku)
  select gen_random_uuid(), 1, now(), now(), 'Tea', 100, 'EUR', case when n % 5000 = 0 then 'archived' else 'active' end, n
  from generate_series(1, 20000) as n
`;

describe('Pages on PostgreSQL', () => {
  const postgres = filledPostgres([manyProducts, 'analyze products'], '');

  const orm = postgresOrm('postgres://127.0.0.1/none', 1);
  const { page } = compileTable(builderOf(orm), products, postgresDialect);
  let client: Client;
  beforeEach(async () => {
    client = new Client({ connectionString: postgres.database.url });
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

  /** Fetches pages one after the other. @returns how many executions used a custom and how many a generic plan */
  const plansOf = async (
    wanted: PageQuery,
    pages = 12,
    start = '00000000-0000-0000-0000-000000000000',
  ): Promise<{ custom: number; generic: number }> => {
    let after = start;
    for (let count = 0; count < pages; count += 1) {
      after = (await ask({ ...wanted, after })).at(-1)?.id ?? after;
    }
    const { rows } = await client.query(
      'select custom_plans::int as custom, generic_plans::int as generic from pg_prepared_statements',
    );
    return rows[0];
  };

  const planOf = async (wanted: PageQuery): Promise<string> => {
    const { statement, values } = page(wanted);
    await client.query({ name: statement.name, text: statement.text, values: [...values] });
    await client.query('set plan_cache_mode = force_generic_plan');
    const given = values.map((value) => `'${value}'`).join(', ');
    const { rows } = await client.query(`explain execute "${statement.name}" (${given})`);
    await client.query('reset plan_cache_mode');
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  };

  for (const count of [2, 21, 101]) {
    it(`use a generic plan after five executions (${count} rows)`, async () => {
      expect(await plansOf({ filter: {}, limit: count })).to.deep.equal({ custom: 5, generic: 7 });
    });

    it(`use a generic plan after five executions filtered by status (${count} rows)`, async () => {
      expect(await plansOf({ filter: { status: 'active' }, limit: count })).to.deep.equal({
        custom: 5,
        generic: 7,
      });
    });

    it(`use a generic plan after five executions in descending order (${count} rows)`, async () => {
      const after = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
      const descending = { filter: {}, order: 'descending', limit: count } as const;
      expect(await plansOf(descending, 12, after)).to.deep.equal({ custom: 5, generic: 7 });
    });
  }

  it('walk an index backwards for a page in descending order', async () => {
    const descending = { limit: 21, order: 'descending' } as const;
    expect(await planOf({ ...descending, filter: {} })).to.include('Index Scan Backward');
    expect(await planOf({ ...descending, filter: { status: 'archived' } })).to.include(
      'Scan Backward using products_status_id_index',
    );
  });

  it('stay custom for long pages', async () => {
    expect(await plansOf({ filter: {}, limit: 1000 })).to.deep.equal({ custom: 12, generic: 0 });
  });

  it('use the index for a rare status', async () => {
    const after = '00000000-0000-0000-0000-000000000000';
    for (const wanted of [{}, { after }]) {
      const plan = await planOf({ filter: { status: 'archived' }, limit: 21, ...wanted });
      expect(plan).to.include('products_status_id_index');
    }
  });
});
