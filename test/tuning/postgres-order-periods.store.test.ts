import { expect } from 'chai';
import { postgresDialect } from '#adapters/persistence/postgres/dialect.ts';
import { postgresOrm } from '#adapters/persistence/postgres/orm.ts';
import { orders } from '#adapters/persistence/schema/entities/order.ts';
import { builderOf } from '#adapters/persistence/sql/builder.ts';
import { compileTable } from '#adapters/persistence/sql/statements.ts';
import { filledPostgres } from './filled-postgres.ts';
import {
  ada,
  idOf,
  orderCount,
  pagesOfPeriods,
  readParts,
  start,
  userCount,
  userOf,
} from './order-periods.ts';

const manyUsers = `
  insert into users (id, version, created_at, updated_at, email, name, role)
  select (left('${ada}', 24) || lpad(to_hex(n), 12, '0'))::uuid, 1, now(), now(), n || '@example.com', 'Ada', 'customer'
  from generate_series(0, ${userCount - 1}) as n
`;

const manyOrders = `
  insert into orders
    (id, version, created_at, updated_at, user_id, number, status, total_amount, total_currency, item_count, paying)
  select (lpad(to_hex(ms - 1000), 12, '0') || '70008000' || lpad(to_hex(n), 12, '0'))::uuid, 1,
    to_timestamp(ms / 1000), to_timestamp(ms / 1000), (left('${ada}', 24) || lpad(to_hex(${userOf}), 12, '0'))::uuid, md5(n::text), 'pending', 1, 'EUR', 1, false
  from generate_series(0, ${orderCount - 1}) as n, lateral (select ${start} + n * 60000::bigint as ms)
`;

/** More than the pages of the index of the time of creation, and than the orders of Ada. A period can be all of either. */
const maxBuffers = 1_100;

describe('Pages of periods of orders on PostgreSQL', () => {
  const postgres = filledPostgres([manyUsers, manyOrders, 'vacuum analyze orders']);

  const { page } = compileTable(
    builderOf(postgresOrm('postgres://127.0.0.1/none', 1)),
    orders,
    postgresDialect,
  );

  it('have the orders whose ids the tests compute', async () => {
    const [{ id } = {}] = await postgres.database.query('select max(id::text) as id from orders');
    expect(id).to.equal(idOf(orderCount - 1));
  });

  for (const mode of ['force_generic_plan', 'force_custom_plan'] as const)
    for (const [name, pages] of Object.entries(pagesOfPeriods))
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
          expect(buffers, plans.join('\n')).to.be.at.most(maxBuffers);
        }
      });
});
