import { type RawBuilder, sql } from 'kysely';
import { events } from '../schema/entities/event.ts';
import { type Builder, parameter } from '../sql/builder.ts';
import type { Dialect, Insert, Update } from '../sql/dialect.ts';
import type { EventsDialect } from '../sql/events/dialect.ts';
import { appendToQueue } from '../sql/events/queue.ts';
import { onConflictDialect, onConflictQuotas } from '../sql/on-conflict.ts';
import type { QuotaDialect } from '../sql/quotas.ts';
import { intersectByLimit } from '../sql/search/intersect-postings.ts';
import { countThenRead } from '../sql/search/single-round-trip.ts';
import { conflictCodes } from './errors.ts';
import { insertUnlessExists, rotatePartitions } from './idempotency-partitions.ts';

/** Before and behind the id of every product. */
const [leastId, greatestId] = [
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
];

const rowsOfRange = (low: RawBuilder<unknown>, high: RawBuilder<unknown>) =>
  sql`(word, product_id) >= (${low}, ${sql.lit(leastId)}::uuid) and (word, product_id) <= (${high}, ${sql.lit(greatestId)}::uuid)`;

const greatest = sql.lit('9223372036854775807');

const postgresEvents: EventsDialect = {
  // Compared as rows, in the order of the index. For a type that it estimates as common, the planner would walk the whole feed instead.
  fromIndex: (column, value, and = sql<boolean>`true`) => {
    const place = sql`(${sql.ref(column)}, sequence)`;
    return sql`from ${sql.table(events.name)} where ${sql.ref(column)} is not null and ${place} > (${value}, ${parameter('after')}) and ${place} <= (${value}, ${greatest}::bigint) and ${and} order by ${sql.ref(column)}, sequence`;
  },
  indexOrder: (column) => sql`${sql.ref(column)}, sequence`,
  lastSequence: sql<number>`last_sequence`,
  append: appendToQueue,
};

export const postgresDialect: Dialect = {
  ...onConflictDialect,
  // Not `for update`, for which an order would wait while a transaction changes its user: its foreign key locks that row too.
  forUpdate: (select) => select.forNoKeyUpdate(),
  rowsFromJson: (table, _, json) => sql`json_populate_recordset(null::${sql.table(table)}, ${json})`,
  // An array literal. A join with rows of JSON would be planned without the index of a key that has two columns.
  isAmong: (column, list) => sql`${sql.ref(column)} = any(${list})`,
  // An array too: a join with rows of JSON is planned for a hundred of them, and reads a table of some thousand rows as a whole.
  isAmongRows: (column, rows) => sql`${sql.ref(column)} = any(array(${rows}))`,
  requireRows: (builder, update, rows) => requireRows(builder, update, rows, conflictCodes.changedRow),
  search: {
    intersect: intersectByLimit,
    // Fetched row by row. A join would be planned for the rows that the planner expects, and read the whole table for many.
    joinEach: (table, alias, id) =>
      sql`cross join lateral (select * from ${table} as each_row where each_row.id = ${id} limit 1) as ${alias}`,
    rowsOfRange,
    singleRoundTrip: countThenRead({ rowsOfRange }),
  },
  events: postgresEvents,
  limit: (rows) => rows,
  // A page of the API has up to 100 rows, and one more row shows whether another page follows.
  maxGenericPlanRows: 128,
  purgeIdempotencyKeys: rotatePartitions,
  insertIdempotencyKey: (builder, table) =>
    requireRows(builder, insertUnlessExists(builder, table), sql.lit(1), conflictCodes.duplicateKey),
};

/**
 * Raises an error unless a statement changes so many rows. So the commit behind it in the same exchange fails too.
 * @param code the SQLSTATE
 */
const requireRows = (builder: Builder, change: Update | Insert, rows: RawBuilder<number>, code: string) =>
  builder
    // Both kinds of statement return rows alike.
    .with('changed', () => (change as Update).returning(sql<number>`1`.as('one')))
    .selectFrom('changed')
    .select(sql`portico_require(count(*) = ${rows}::int, ${sql.lit(code)})`.as('is_met'));

export const postgresQuotaDialect: QuotaDialect = {
  ...onConflictQuotas,
  // The clock that the processes read too. `now()` is the start of the transaction.
  now: '(extract(epoch from clock_timestamp()) * 1000)::bigint',
  rowsFromJson:
    'json_to_recordset($1) as given(key uuid, count integer, ends_at bigint, quota_limit integer)',
  skipLocked: ' for update skip locked',
};
