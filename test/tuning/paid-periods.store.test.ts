import BetterSqlite3, { type Database } from 'better-sqlite3';
import { expect } from 'chai';
import { postgresDialect } from '#adapters/persistence/postgres/dialect.ts';
import { postgresOrm } from '#adapters/persistence/postgres/orm.ts';
import { orders } from '#adapters/persistence/schema/entities/order.ts';
import { builderOf } from '#adapters/persistence/sql/builder.ts';
import type { PageQuery } from '#adapters/persistence/sql/sql-table.ts';
import { compileTable } from '#adapters/persistence/sql/statements.ts';
import { sqliteOrm } from '#adapters/persistence/sqlite/connect.ts';
import { sqliteDialect } from '#adapters/persistence/sqlite/dialect.ts';
import { openSqlite } from '#adapters/persistence/sqlite/open.ts';
import type { CreationPeriod, PaidPeriod } from '#application/ports/repositories.ts';
import { temporaryFolder } from '#test/support/temporary.ts';
import { filledPostgres, insertUser } from './filled-postgres.ts';
import { ada, orderCount, pagesOfPeriods, readParts, start } from './order-periods.ts';

/** The pages of periods of creation, as periods of payment. All orders are Ada's. */
const pagesOfPayment: Readonly<Record<string, readonly (PageQuery & PaidPeriod)[]>> = Object.fromEntries(
  Object.entries(pagesOfPeriods)
    .filter(([name]) => !name.includes(' of a user'))
    .map(([name, pages]) => [
      name,
      pages.map(({ createdFrom, createdBefore, filter, ...page }: PageQuery & CreationPeriod) => ({
        ...{ ...page, paidFrom: createdFrom, paidBefore: createdBefore },
        filter: name.includes(' with a status,') ? { status: 'fulfilled' } : filter,
      })),
    ]),
);

/** Nine of ten orders are paid, ten minutes after their creation, and one of a hundred a day after it. */
const manyOrders = `
  insert into orders
    (id, version, created_at, updated_at, user_id, number, status, total_amount, total_currency, item_count, paying, paid_at)
  select (lpad(to_hex(ms - 1000), 12, '0') || '70008000' || lpad(to_hex(n), 12, '0'))::uuid, 1,
    to_timestamp(ms / 1000), to_timestamp(ms / 1000), '${ada}', md5(n::text),
    case when n % 10 = 0 then 'pending' else 'fulfilled' end, 1, 'EUR', 1, false,
    case when n % 10 <> 0 then to_timestamp(ms / 1000) + case when n % 100 = 1 then interval '1 day' else interval '10 minutes' end end
  from generate_series(0, ${orderCount - 1}) as n, lateral (select ${start} + n * 60000::bigint as ms)
`;

/** More than the pages of the index of the time of payment, which a period can be all of, and far less than all orders. */
const maxBuffers = 1_200;

describe('Pages of what was paid', () => {
  describe('on SQLite', () => {
    const folder = temporaryFolder();
    let database: Database;
    before(async () => {
      const file = folder('shop.db');
      await (await openSqlite({ file })).close();
      database = new BetterSqlite3(file);
    });
    after(() => database.close());

    const { page } = compileTable(builderOf(sqliteOrm(':memory:', 0)), orders, sqliteDialect);

    for (const [name, pages] of Object.entries(pagesOfPayment))
      it(`sort no period, and read no order beside it, for ${name}`, async () => {
        for (const query of pages)
          await readParts(query, (part) => {
            const { statement, values } = page(part);
            const steps = database.prepare<unknown[], { detail: string }>(
              `explain query plan ${statement.text}`,
            );
            const plan = steps.all(...values).map(({ detail }) => detail);
            const index = part.part?.isAround
              ? /^SEARCH orders USING INDEX (sqlite_autoindex_orders_1|orders_status_id_index) /
              : /^SEARCH orders USING COVERING INDEX orders_paid_at_id_index /;
            expect(
              plan.some((step) => index.test(step)),
              plan.join('\n'),
            ).to.equal(true);
            return 0;
          });
      });
  });

  describe('on PostgreSQL', () => {
    const postgres = filledPostgres([insertUser(ada), manyOrders, 'vacuum analyze orders']);
    const { page } = compileTable(
      builderOf(postgresOrm('postgres://127.0.0.1/none', 1)),
      orders,
      postgresDialect,
    );

    for (const mode of ['force_generic_plan', 'force_custom_plan'] as const)
      for (const [name, pages] of Object.entries(pagesOfPayment))
        it(`read no more than a part of an index (${name}, ${mode})`, async () => {
          for (const query of pages) {
            let buffers = 0;
            const plans: string[] = [];
            await readParts(query, async (part) => {
              const options = '(analyze, buffers, timing off, format json)';
              const [[{ Plan: plan }]] = await postgres.explain(page(part), { mode, options });
              buffers += plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
              plans.push(JSON.stringify(plan, null, 1));
              return plan['Actual Rows'];
            });
            expect(buffers, plans.join('\n')).to.be.below(maxBuffers);
          }
        });
  });
});
