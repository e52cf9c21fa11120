import { eventQueue } from '#adapters/persistence/schema/entities/event.ts';
import type { EventsDialect } from './dialect.ts';

/** Appends without sequences, which the sequencer gives. Only rows are added, so units of work can go on to share a commit. */
export const appendToQueue: EventsDialect['append'] = (_, compileTable) => {
  const table = compileTable(eventQueue);
  return async (session, rows) => {
    const [row, ...others] = rows;
    if (row === undefined) return;
    await (others.length === 0 ? session.insert(table, row) : session.insertAll(table, rows));
  };
};
