import BetterSqlite3 from 'better-sqlite3';
import { expect } from 'chai';
import { postgresDialect } from '#adapters/persistence/postgres/dialect.ts';
import { postgresOrm } from '#adapters/persistence/postgres/orm.ts';
import { builderOf } from '#adapters/persistence/sql/builder.ts';
import { compileEventPages } from '#adapters/persistence/sql/events/pages.ts';
import { sqliteOrm } from '#adapters/persistence/sqlite/connect.ts';
import { sqliteDialect } from '#adapters/persistence/sqlite/dialect.ts';
import { openSqlite } from '#adapters/persistence/sqlite/open.ts';
import { temporaryFolder } from '#test/support/temporary.ts';
import { filledPostgres } from './filled-postgres.ts';

const [count, limit] = [20_000, 101];
const anOrder = '01900000-0000-7000-8000-000000000001';

/** An import of products, and then orders: the statistics say that products are common, but behind the import there are none. */
const type = `case when n <= ${count / 2} then 'product.created' when n % 2 = 0 then 'order.paid' else 'order.created' end`;

const shapes: Readonly<Record<string, Parameters<ReturnType<typeof compileEventPages>>[0]>> = {
  everything: {},
  'a common type': { types: ['order.paid'] },
  'a type that comes no more': { types: ['product.created'] },
  'a type that there is not': { types: ['review.deleted'] },
  'several types': { types: ['order.created', 'order.paid', 'product.created', 'review.deleted'] },
  'an order': { of: ['order_id', anOrder] },
  'a user': { of: ['user_id', anOrder] },
};

interface Node {
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Node[];
}

/** The most rows that any step of a plan has touched. */
const mostRows = (node: Node): number =>
  Math.max(
    (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
    ...(node.Plans ?? []).map(mostRows),
  );

describe('Plans of pages of events', () => {
  const place = temporaryFolder();
  const events = `
    insert into events (sequence, id, created_at, type, subject_type, subject_id, subject_version, order_id, changed, cause, data)
    select n, gen_random_uuid(), now(), ${type}, 'order', gen_random_uuid(), 1, gen_random_uuid(), '[]', '{}', repeat('x', 300)
    from generate_series(1, ${count}) as n`;
  const postgres = filledPostgres([events, 'analyze events'], '');

  const ofPostgres = compileEventPages(
    builderOf(postgresOrm('postgres://127.0.0.1/none', 1)),
    postgresDialect,
  );
  for (const mode of ['force_custom_plan', 'force_generic_plan']) {
    for (const [what, shape] of Object.entries(shapes)) {
      it(`touch few rows on PostgreSQL wherever a page begins (${what}, ${mode})`, async () => {
        await postgres.client.query(`set plan_cache_mode = ${mode}`);
        for (const after of [0, count / 2 + 1, count - 5]) {
          const { statement, values } = ofPostgres(shape, after, limit);
          const { rows } = await postgres.client.query({
            text: `explain (analyze, format json) ${statement.text}`,
            values: [...values],
          });
          const [{ Plan: plan }] = rows[0]['QUERY PLAN'];
          expect(mostRows(plan), JSON.stringify(plan)).to.be.at.most(128 * (shape.types?.length ?? 1));
        }
      });
    }
  }

  it('read each an index on SQLite, and sort no rows but those of several types', async () => {
    await (await openSqlite({ file: place('portico.db') })).close();
    const file = new BetterSqlite3(place('portico.db'), { readonly: true });
    const page = compileEventPages(builderOf(sqliteOrm(':memory:', 0)), sqliteDialect);
    for (const [what, shape] of Object.entries(shapes)) {
      const { text } = page(shape, 5, limit).statement;
      const plan = file.prepare<unknown[], { detail: string }>(
        `explain query plan ${text.replaceAll('?', 'null')}`,
      );
      const details = plan.all().map(({ detail }) => detail);
      for (const detail of details) expect(detail, what).to.not.match(/^SCAN events/);
      if ((shape.types?.length ?? 0) < 2)
        expect(details, what).to.deep.equal(details.filter((detail) => /^SEARCH events /.test(detail)));
    }
    file.close();
  });
});
