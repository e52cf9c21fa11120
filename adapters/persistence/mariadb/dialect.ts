import { type RawBuilder, sql } from 'kysely';
import { latestPlausibleExpiry } from '#application/ports/system.ts';
import { instantColumns, tables } from '../schema/entities/all.ts';
import { events } from '../schema/entities/event.ts';
import { idempotencyKeys } from '../schema/entities/idempotency-key.ts';
import { LeaseEntity } from '../schema/entities/infrastructure.ts';
import { type Builder, compile, parameter } from '../sql/builder.ts';
import type { AcquireLease, Dialect, PurgeIdempotencyKeys } from '../sql/dialect.ts';
import type { EventsDialect } from '../sql/events/dialect.ts';
import { appendToQueue } from '../sql/events/queue.ts';
import type { QuotaDialect } from '../sql/quotas.ts';
import { intersectUpToBound } from '../sql/search/intersect-postings.ts';
import { joinWholeWords } from '../sql/search/single-round-trip.ts';

const { name: keys } = idempotencyKeys;
const { tableName: leases } = LeaseEntity;

/** Bounds how long one purge blocks other writers, in rows. */
const purgeBatchSize = 100;

/** Columns that are compared with given rows. They are short, so that the rows stay in memory and an index can be used. */
const compared: ReadonlySet<string> = new Set([
  'id',
  ...Object.values(tables).flatMap(({ filters }) => Object.values<string>(filters)),
]);

const text = (type: string) => sql.raw(`${type} character set utf8mb4 collate utf8mb4_nopad_bin`);

/** A column of `json_table`. Every value is read as a text, and converted where it is stored. */
const jsonColumn = (column: string) =>
  sql`${sql.ref(column)} ${text(compared.has(column) ? 'varchar(320)' : 'longtext')} path ${sql.lit(`$.${column}`)}`;

/** A column of the given rows. Instants lose the `Z`, which MariaDB rejects. */
const givenColumn = (column: string): RawBuilder<unknown> =>
  instantColumns.has(column)
    ? sql`cast(trim(trailing 'Z' from ${sql.ref(column)}) as datetime(3)) as ${sql.ref(column)}`
    : sql.ref(column);

const compilePurge = (builder: Builder): PurgeIdempotencyKeys => {
  const purge = compile(
    `${keys}_purge`,
    builder
      .deleteFrom(keys)
      .where('created_at', '<=', parameter('created_before'))
      .where('lease_until', 'is', null)
      .orderBy('created_at')
      .limit(sql.lit(purgeBatchSize)),
  );
  return async (session, createdBefore) => (await session.execute(purge, [createdBefore])) === purgeBatchSize;
};

/** An upsert here has no condition, so a free lease is updated, and one that does not exist is inserted. */
const compileAcquireLease = (builder: Builder): AcquireLease => {
  const update = compile(
    `${leases}_renew`,
    builder
      .updateTable(leases)
      .set({ holder: parameter('holder'), until: parameter('until') })
      .where('name', '=', parameter('name'))
      .where((is) =>
        is.or([
          is('until', '<=', parameter('now')),
          is('until', '>', parameter('latest_plausible')),
          is('holder', '=', parameter('holder')),
        ]),
      ),
  );
  const insert = compile(
    `${leases}_insert`,
    builder
      .insertInto(leases)
      .ignore()
      .values({ name: parameter('name'), holder: parameter('holder'), until: parameter('until') }),
  );
  return async (session, { name, holder, expiresAt }, now) => {
    const latest = latestPlausibleExpiry(expiresAt);
    const renew = () => session.execute(update, [holder, expiresAt, name, now, latest, holder]);
    // The insert waits for another one that has not committed, and then there is a row, perhaps of the same holder.
    for (const attempt of [renew, () => session.execute(insert, [name, holder, expiresAt]), renew])
      if ((await attempt()) > 0) return true;
    return false;
  };
};

const mariadbEvents: EventsDialect = {
  // For a type that it estimates as common, the optimizer would walk the whole feed.
  fromIndex: (column, value, and = sql<boolean>`true`) =>
    sql`from ${sql.table(events.name)} force index (${sql.ref(`events_${column}_sequence_index`)}) where ${sql.ref(column)} = ${value} and sequence > ${parameter('after')} and ${and} order by sequence`,
  indexOrder: () => sql`sequence`,
  lastSequence: sql<number>`last_sequence`,
  append: appendToQueue,
};

export const mariadbDialect: Dialect = {
  forUpdate: (select) => select.forUpdate(),
  rowsFromJson: (_, columns, json) =>
    sql`(select ${sql.join(columns.map(givenColumn))} from json_table(${json}, '$[*]' columns (${sql.join(columns.map(jsonColumn))})) as json)`,
  isAmong: (column, list) =>
    sql`${sql.ref(column)} in (select value from json_table(${list}, '$[*]' columns (value ${text('varchar(320)')} path '$')) as list)`,
  isAmongRows: (column, rows) => sql`${sql.ref(column)} in (${rows})`,
  updateFromRows: ({ builder, table, rows, columns }) =>
    columns
      .reduce(
        (update, column) => update.set(sql.ref(`${table}.${column}`), sql.ref(`given.${column}`)),
        builder.updateTable([table, rows.as('given')]),
      )
      .whereRef(`${table}.id`, '=', 'given.id')
      .where(`${table}.version`, '=', sql<number>`${sql.ref('given.version')} - 1`),
  // The driver returns how many rows a statement has found.
  requireRows: (_, update) => update,
  search: {
    // Each product of the first term is looked up among those of the others, by the index. An intersection would be a table on its own.
    intersect: intersectUpToBound(([first = sql``, ...others]) => {
      const joins = others.map((ids, index) => {
        const other = sql.ref(`postings_${index + 1}`);
        return sql`straight_join (${ids}) as ${other} on ${other}.product_id = postings_0.product_id`;
      });
      return sql`(select postings_0.product_id from (${first}) as postings_0 ${sql.join(joins, sql` `)})`;
    }),
    singleRoundTrip: joinWholeWords,
    indexOfProducts: sql`force index (product_words_product_id_word_index)`,
    joinEach: (table, alias, id) => sql`straight_join ${table} as ${alias} on ${alias}.id = ${id}`,
  },
  insertUnlessExists: (insert) => insert.ignore(),
  acquireLease: compileAcquireLease,
  events: mariadbEvents,
  limit: (rows) => rows,
  purgeIdempotencyKeys: compilePurge,
};

export const mariadbQuotaDialect: QuotaDialect = {
  // The clock that the processes read too. `now()` is the start of the statement.
  now: 'cast(unix_timestamp(sysdate(3)) * 1000 as signed)',
  rowsFromJson:
    "json_table(?, '$[*]' columns (`key` char(36) character set utf8mb4 collate utf8mb4_nopad_bin path '$.key', " +
    "count int path '$.count', ends_at bigint path '$.ends_at', quota_limit int path '$.quota_limit')) as given",
  key: '`key`',
  excluded: (column) => `values(${column})`,
  upsert: (assignments, where) => {
    const assigned = (column: string, value: string) =>
      where === undefined ? value : `case when ${where} then ${value} else ${column} end`;
    const set = assignments.map(([column, value]) => `${column} = ${assigned(column, value)}`);
    return `on duplicate key update ${set.join(', ')}`;
  },
  returnsUnchanged: true,
  deleteEnded: (table, where) => `delete from ${table} where ${where} order by ends_at limit ?`,
  skipLocked: '',
};
