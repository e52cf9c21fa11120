import { sql } from 'kysely';
import { events } from '#adapters/persistence/schema/entities/event.ts';
import { parameter } from '#adapters/persistence/sql/builder.ts';
import type { EventsDialect } from '#adapters/persistence/sql/events/dialect.ts';
import { appendToQueue } from '#adapters/persistence/sql/events/queue.ts';

const greatest = sql.lit('9223372036854775807');

export const postgresEvents: EventsDialect = {
  // Compared as rows, in the order of the index. For a type that it estimates as common, the planner would walk the whole feed instead.
  fromIndex: (column, value, and = sql<boolean>`true`) => {
    const place = sql`(${sql.ref(column)}, sequence)`;
    return sql`from ${sql.table(events.name)} where ${sql.ref(column)} is not null and ${place} > (${value}, ${parameter('after')}) and ${place} <= (${value}, ${greatest}::bigint) and ${and} order by ${sql.ref(column)}, sequence`;
  },
  indexOrder: (column) => sql`${sql.ref(column)}, sequence`,
  lastSequence: sql<number>`last_sequence`,
  append: appendToQueue,
};
