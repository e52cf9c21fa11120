import BetterSqlite3, { type Database } from 'better-sqlite3';
import { expect } from 'chai';
import { orders } from '#adapters/persistence/schema/entities/order.ts';
import { builderOf } from '#adapters/persistence/sql/builder.ts';
import { compileTable } from '#adapters/persistence/sql/statements.ts';
import { sqliteOrm } from '#adapters/persistence/sqlite/connect.ts';
import { sqliteDialect } from '#adapters/persistence/sqlite/dialect.ts';
import { openSqlite } from '#adapters/persistence/sqlite/open.ts';
import { temporaryFolder } from '#test/support/temporary.ts';
import { pagesOfPeriods, readParts } from './order-periods.ts';

describe('Pages of periods of orders on SQLite', () => {
  const folder = temporaryFolder();
  let database: Database;
  before(async () => {
    const file = folder('shop.db');
    await (await openSqlite({ file })).close();
    database = new BetterSqlite3(file);
  });
  after(() => database.close());

  const { page } = compileTable(builderOf(sqliteOrm(':memory:', 0)), orders, sqliteDialect);

  for (const [name, pages] of Object.entries(pagesOfPeriods))
    it(`sort no period, and read no order beside it, for ${name}`, async () => {
      for (const query of pages)
        await readParts(query, (part) => {
          const { statement, values } = page(part);
          const steps = database.prepare<unknown[], { detail: string }>(
            `explain query plan ${statement.text}`,
          );
          const plan = steps.all(...values).map(({ detail }) => detail);
          const index = part.part?.isAround
            ? /^SEARCH orders USING INDEX (sqlite_autoindex_orders_1|orders_(user_id|status)_id_index) /
            : /^SEARCH orders USING (COVERING INDEX orders_created_at_id_index|INDEX orders_user_id_id_index) /;
          expect(
            plan.some((step) => index.test(step)),
            plan.join('\n'),
          ).to.equal(true);
          if (part.part?.isAround) expect(plan, plan.join('\n')).to.have.length(1);
          return 0;
        });
    });
});
