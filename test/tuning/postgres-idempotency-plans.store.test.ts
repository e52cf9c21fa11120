import { expect } from 'chai';
import { postgresOrm } from '#adapters/persistence/postgres/orm.ts';
import { builderOf } from '#adapters/persistence/sql/builder.ts';
import { compileIdempotencyPages } from '#adapters/persistence/sql/idempotency-pages.ts';
import type { BoundStatement } from '#adapters/persistence/sql/sql-table.ts';
import { leastIdAt } from '#application/idempotency/key-resource.ts';
import type { IdempotencyFilter } from '#application/ports/idempotency.ts';
import { Instant } from '#domain/instant.ts';
import type { UserId } from '#domain/user.ts';
import { filledPostgres } from './filled-postgres.ts';

const keyCount = 20_000;
const ada = '019ca945-0a00-7000-8000-000000000001' as UserId;
const rare = '019ca945-0a00-7000-8000-000000000002' as UserId;
const start = Date.UTC(2026, 2, 1);

/** A key each second, all but a hundredth of them Ada's, and each thousandth unsettled. */
const manyKeys = `
  insert into idempotency_keys
    (user_id, key, role, fingerprint, created_at, answer, process, subject, lease_until, fence, id, method, path)
  select case when n % 100 = 0 then '${rare}' else '${ada}' end::uuid, 'k-' || n, 'customer', md5(n::text),
    to_timestamp(ms / 1000), '{}', 'payment', '${ada}', case when n % 1000 < 2 then to_timestamp(ms / 1000) end, 1,
    (lpad(to_hex(ms), 12, '0') || '70008000' || lpad(to_hex(n), 12, '0'))::uuid, 'POST', '/v1/orders'
  from generate_series(0, ${keyCount - 1}) as n, lateral (select ${start} + n * 1000::bigint as ms)
`;

/** A page of 20 reads its rows and the unsettled of all, some of them twice, and not all of a user. */
const maxBuffers = 200;

describe('Pages of idempotency keys on PostgreSQL', () => {
  const postgres = filledPostgres([manyKeys]);

  const pages = compileIdempotencyPages(builderOf(postgresOrm('postgres://127.0.0.1/none', 1)));
  const at = (second: number): Instant => Instant.at(start + second * 1000);

  /** The rows of a statement, and the pages of memory that its generic plan reads. */
  const read = async (statement: BoundStatement) => {
    const [[{ Plan: plan }]] = await postgres.explain(statement, {
      options: '(analyze, buffers, format json)',
    });
    return {
      count: plan['Actual Rows'],
      buffers: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
    };
  };

  for (const isAnalyzed of [false, true]) {
    describe(isAnalyzed ? 'with statistics' : 'in a new partition, without statistics', () => {
      before(async () => {
        if (isAnalyzed) await postgres.database.query('vacuum analyze idempotency_keys');
      });

      for (const userId of [ada, rare]) {
        for (const status of [undefined, 'in_progress', 'open', 'completed'] as const) {
          for (const order of ['ascending', 'descending'] as const) {
            it(`read no more than they show (${userId === ada ? 'many' : 'few'} keys, ${status}, ${order})`, async () => {
              const now = at(keyCount / 2);
              const filter: IdempotencyFilter = {
                ...{ userId, status, now, latestExpiry: at(2 * keyCount), expiredBefore: at(-1) },
              };
              for (const after of [undefined, leastIdAt(now)]) {
                const { count, buffers } = await read(pages.page(filter, { limit: 20, order, after }));
                expect(count).to.be.within(status === undefined || status === 'completed' ? 20 : 0, 21);
                expect(buffers).to.be.lessThan(maxBuffers);
              }
            });
          }
        }
      }

      it('find one by its id among all', async () => {
        for (const second of [1, 1_000]) {
          const id = leastIdAt(at(second)).replace('-0000-0000-000000000000', '-7000-8000-');
          const whole = `${id}${second.toString(16).padStart(12, '0')}`;
          const { count, buffers } = await read(pages.findById(whole as never));
          expect(count).to.equal(1);
          expect(buffers).to.be.lessThan(maxBuffers);
        }
      });
    });
  }
});
