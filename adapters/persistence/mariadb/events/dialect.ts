import { sql } from 'kysely';
import { events } from '#adapters/persistence/schema/entities/event.ts';
import { parameter } from '#adapters/persistence/sql/builder.ts';
import type { EventsDialect } from '#adapters/persistence/sql/events/dialect.ts';
import { appendToQueue } from '#adapters/persistence/sql/events/queue.ts';

export const mariadbEvents: EventsDialect = {
  // For a type that it estimates as common, the optimizer would walk the whole feed.
  fromIndex: (column, value, and = sql<boolean>`true`) =>
    sql`from ${sql.table(events.name)} force index (${sql.ref(`events_${column}_sequence_index`)}) where ${sql.ref(column)} = ${value} and sequence > ${parameter('after')} and ${and} order by sequence`,
  indexOrder: () => sql`sequence`,
  lastSequence: sql<number>`last_sequence`,
  append: appendToQueue,
};
