import BetterSqlite3, { type Database as SqliteDatabase } from 'better-sqlite3';
import { expect } from 'chai';
import { postgresOrm } from '#adapters/persistence/postgres/orm.ts';
import { builderOf } from '#adapters/persistence/sql/builder.ts';
import { compileSales } from '#adapters/persistence/sql/sales.ts';
import { sqliteOrm } from '#adapters/persistence/sqlite/connect.ts';
import { openSqlite } from '#adapters/persistence/sqlite/open.ts';
import { temporaryFolder } from '#test/support/temporary.ts';
import { filledPostgres, insertUser } from './filled-postgres.ts';

const [from, until] = ['2026-01-05T00:00:00.000Z', '2026-01-06T00:00:00.000Z'];

const ada = '01900000-0000-7000-8000-000000000001';

/** An order a minute, so that a day is a fourteenth of them. */
const manyOrders = `
  insert into orders
    (id, version, created_at, updated_at, user_id, number, status, total_amount, total_currency, item_count, paying)
  select lpad(to_hex(n), 32, '0')::uuid, 1, at, at, '${ada}', md5(n::text), 'paid', 1, 'EUR', 1, false
  from generate_series(1, 20000) as n, lateral (select '2026-01-01Z'::timestamptz + n * interval '1 minute' as at)
`;

/** Each order has a payment, and each tenth payment a dispute. */
const theirPayments = `
  insert into payments
    (id, version, created_at, updated_at, order_id, user_id, amount, refunded_amount, refunding_amount, currency, status, provider)
  select id, 1, created_at, updated_at, id, user_id, 1, 0, 0, 'EUR', 'succeeded', 'sandbox' from orders
`;
const theirDisputes = `
  insert into disputes
    (id, version, created_at, updated_at, payment_id, order_id, amount, currency, reason, status, provider_reference)
  select id, 1, created_at, updated_at, id, id, 1, 'EUR', 'fraudulent', 'lost', id::text
  from orders where extract(minute from created_at)::int % 10 = 0
`;

describe('Plans of sums of orders and their money', () => {
  describe('on SQLite', () => {
    const folder = temporaryFolder();
    let database: SqliteDatabase;
    before(async () => {
      const file = folder('shop.db');
      await (await openSqlite({ file })).close();
      database = new BetterSqlite3(file);
    });
    after(() => database.close());

    for (const [table, statements] of Object.entries(compileSales(builderOf(sqliteOrm(':memory:', 0)))))
      for (const { name, text } of Object.values(statements))
        it(`read the index of the time of creation (${name})`, () => {
          const steps = database.prepare<unknown[], { detail: string }>(`explain query plan ${text}`);
          const [first] = steps.all(from, until).map(({ detail }) => detail);
          expect(first).to.match(
            new RegExp(
              `^SEARCH ${table} USING (COVERING )?INDEX ${table}_created_at_id_index \\(created_at>\\? AND created_at<\\?\\)$`,
            ),
          );
        });
  });

  describe('on PostgreSQL', () => {
    const postgres = filledPostgres([
      insertUser(ada),
      manyOrders,
      theirPayments,
      theirDisputes,
      'vacuum analyze',
    ]);

    const compiled = compileSales(builderOf(postgresOrm('postgres://127.0.0.1/none', 1)));
    for (const mode of ['force_generic_plan', 'force_custom_plan'] as const)
      for (const [table, { sum }] of Object.entries(compiled))
        it(`read the index of the time of creation (${sum.name}, ${mode})`, async () => {
          const explanation = { mode, options: '(analyze, buffers, timing off)' };
          const lines = await postgres.explain({ statement: sum, values: [from, until] }, explanation);
          const plan = lines.join('\n');
          expect(plan).to.include(`${table}_created_at_id_index`);
          // What was created on a day, and nothing else.
          const [, hits = ''] = /Buffers: shared hit=(\d+)/.exec(plan) ?? [];
          expect(Number(hits), plan).to.be.below(100);
        });
  });
});
