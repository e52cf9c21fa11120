import type { Database, Statement as Prepared } from 'better-sqlite3';
import { runAgain } from '../../race-lost.ts';
import type { Session, Statement } from '../session.ts';
import type { Value } from '../tables/table.ts';
import { explain } from './errors.ts';

/** A connection as the driver has it: whatever is asked has been answered when the call returns. */
interface Connection {
  /** @throws as a session's methods do, and so does `change` */
  ask<Row>(statement: Statement, values: readonly Value[]): readonly Row[];
  /** @returns how many rows it changed */
  change(statement: Statement, values: readonly Value[]): number;
}

const connectionOver = (database: Database): Connection => {
  const known = new Map<Statement, Prepared>();

  const prepared = (statement: Statement): Prepared => {
    const before = known.get(statement);
    if (before !== undefined) return before;
    const now = database.prepare(statement.text.replaceAll(/\$\d+/g, '?'));
    known.set(statement, now);
    return now;
  };

  return {
    ask<Row>(statement: Statement, values: readonly Value[]) {
      try {
        return prepared(statement).all(values) as Row[];
      } catch (error) {
        throw explain(error);
      }
    },

    change(statement, values) {
      try {
        return prepared(statement).run(values).changes;
      } catch (error) {
        throw explain(error);
      }
    },
  };
};

export const sqliteSession = (database: Database): Session => {
  const connection = connectionOver(database);
  return {
    query: async (statement, values) => connection.ask(statement, values),
    execute: async (statement, values) => connection.change(statement, values),
  };
};

/** As `readingSession`, with as little as can be between whoever asks and the driver. */
export const sqliteReadingSession = (database: Database): Session => {
  const connection = connectionOver(database);
  return {
    query<Row>(statement: Statement, values: readonly Value[]) {
      try {
        return Promise.resolve(connection.ask<Row>(statement, values));
      } catch (error) {
        return runAgain(async () => connection.ask<Row>(statement, values), error);
      }
    },
    execute: () => Promise.reject(new TypeError('A reading changes nothing.')),
  };
};
