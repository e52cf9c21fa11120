import { retryAfterConflict } from '../retry.ts';
import type { Value } from '../schema/entities/table.ts';
import type { SqlSession, Statement } from '../sql/session.ts';
import type { Connection } from './connection.ts';

/** The driver answers at once, so what is a promise here has been kept when it is made. */
export const sqliteSession = (connection: Connection): SqlSession => ({
  query: async (statement, values) => connection.ask(statement, values),
  execute: async (statement, values) => connection.change(statement, values),
});

/** As `readingSession`, with as little as can be between whoever asks and the driver. */
export const sqliteReadingSession = (connection: Connection): SqlSession => ({
  query<Row>(statement: Statement, values: readonly Value[]) {
    try {
      return Promise.resolve(connection.ask<Row>(statement, values));
    } catch (error) {
      return retryAfterConflict(async () => connection.ask<Row>(statement, values), error);
    }
  },
  execute: () => Promise.reject(new TypeError('A reading changes nothing.')),
});
