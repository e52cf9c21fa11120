import { sql } from 'kysely';
import { EventFeedEntity, events, feedName } from '#adapters/persistence/schema/entities/event.ts';
import { EventId } from '#domain/event-id.ts';
import { compile, parameter } from '../sql/builder.ts';
import type { EventsDialect } from '../sql/events/dialect.ts';

/** What `autoincrement` remembers, even when the rows are gone: https://www.sqlite.org/autoinc.html */
const lastSequence = sql<number>`coalesce((select seq from sqlite_sequence where name = ${sql.lit(events.name)}), 0)`;

/** The clock of the machine that holds the file, in milliseconds since 1970. */
const now = sql<number>`cast(unixepoch('subsec') * 1000 as integer)`;

interface FeedEnd {
  readonly id: string;
  readonly last_sequence: number;
  readonly last_time: number;
  readonly last_id: EventId | null;
  readonly now: number;
}

/** One transaction writes at a time, so it gives the sequences and ids itself. */
const append: EventsDialect['append'] = (builder, compileTable) => {
  const { tableName: feed } = EventFeedEntity;
  const { name, columns } = events;
  const table = compileTable({ name, columns, key: ['sequence'], isVersioned: false });
  const findEnd = compile(
    `${feed}_end`,
    builder
      .selectFrom(feed)
      .select((is) => [
        'id',
        'last_time',
        lastSequence.as('last_sequence'),
        is.selectFrom(name).select('id').orderBy('sequence', 'desc').limit(sql.lit(1)).as('last_id'),
        now.as('now'),
      ])
      .where('name', '=', sql.lit(feedName)),
  );
  return async (session, rows) => {
    const [end] = await session.query<FeedEnd>(findEnd, []);
    if (end === undefined) throw new TypeError('The store has no feed.');
    const earliest = end.last_id === null ? 0 : EventId.milliseconds(end.last_id);
    const prefix = EventId.prefix(Math.max(end.now, end.last_time, earliest), end.id);
    const [row, ...others] = rows.map((row, index) => {
      const sequence = end.last_sequence + 1 + index;
      return { ...row, sequence, id: EventId.of(prefix, sequence) };
    });
    if (row === undefined) return;
    await (others.length === 0 ? session.insert(table, row) : session.insertAll(table, [row, ...others]));
  };
};

const after = parameter('after');

export const sqliteEvents: EventsDialect = {
  fromIndex: (column, value, and = sql<boolean>`true`) =>
    sql`from ${sql.table(events.name)} where ${sql.ref(column)} = ${value} and sequence > ${after} and ${and} order by sequence`,
  indexOrder: () => sql`sequence`,
  lastSequence,
  append,
};
