import { sql } from 'kysely';
import { endOfTurn } from '#adapters/support/time.ts';
import { idempotencyKeys } from '../schema/entities/idempotency-key.ts';
import { type Builder, compile, parameter } from '../sql/builder.ts';
import type { Dialect, PurgeIdempotencyKeys } from '../sql/dialect.ts';
import { onConflictDialect, onConflictQuotas } from '../sql/on-conflict.ts';
import type { QuotaDialect } from '../sql/quotas.ts';
import { intersectUpToBound } from '../sql/search/intersect-postings.ts';
import { sqliteEvents } from './events.ts';

const { name } = idempotencyKeys;

/** Bounds how long one purge blocks other writers, in rows. */
const purgeBatchSize = 100;

/** Deletes the oldest keys in batches. One machine makes too few keys to need the partitions of PostgreSQL. */
const compilePurge = (builder: Builder): PurgeIdempotencyKeys => {
  const oldest = builder
    .selectFrom(name)
    .select(['user_id', 'key'])
    .where('created_at', '<=', parameter('created_before'))
    .where('lease_until', 'is', null)
    .orderBy('created_at')
    .limit(sql.lit(purgeBatchSize));
  const purge = compile(
    `${name}_purge`,
    builder
      .deleteFrom(name)
      .where(({ eb, refTuple }) => eb(refTuple('user_id', 'key'), 'in', oldest.$asTuple('user_id', 'key'))),
  );
  return async (session, createdBefore) => (await session.execute(purge, [createdBefore])) === purgeBatchSize;
};

export const sqliteDialect: Dialect = {
  ...onConflictDialect,
  // One transaction writes at a time, so the one that writes locks everything.
  forUpdate: (select) => select,
  rowsFromJson: (_, columns, json) => {
    const values = columns.map((column) => sql`value ->> ${sql.lit(column)} as ${sql.ref(column)}`);
    return sql`(select ${sql.join(values)} from json_each(${json}))`;
  },
  isAmong: (column, list) => sql`${sql.ref(column)} in (select value from json_each(${list}))`,
  isAmongRows: (column, rows) => sql`${sql.ref(column)} in (${rows})`,
  // The driver returns how many rows a statement has changed.
  requireRows: (_, update) => update,
  search: {
    intersect: intersectUpToBound(
      (ids, order) => sql`(${sql.join(ids, sql` intersect `)} order by product_id ${order})`,
    ),
    joinEach: (table, alias, id) => sql`cross join ${table} as ${alias} on ${alias}.id = ${id}`,
  },
  events: sqliteEvents,
  endOfTurn,
  // The sum hides the bound value from the planner, which would plan the statement again at every execution.
  limit: (rows) => sql`${rows} + 0`,
  purgeIdempotencyKeys: compilePurge,
};

export const sqliteQuotaDialect: QuotaDialect = {
  ...onConflictQuotas,
  // The clock of the machine that holds the file.
  now: "cast(round(unixepoch('subsec') * 1000) as integer)",
  rowsFromJson:
    "(select value ->> 'key' as key, value ->> 'count' as count, value ->> 'ends_at' as ends_at, value ->> 'quota_limit' as quota_limit from json_each($1)) as given",
  skipLocked: '',
};
