import type { Database, Statement as Prepared } from 'better-sqlite3';
import type { Session, Statement } from '../session.ts';
import { explain } from './errors.ts';

/** The driver answers at once, so what is a promise here has been kept when it is made. */
export const sqliteSession = (database: Database): Session => {
  const known = new Map<Statement, Prepared>();

  const prepared = (statement: Statement): Prepared => {
    const before = known.get(statement);
    if (before !== undefined) return before;
    const now = database.prepare(statement.text.replaceAll(/\$\d+/g, '?'));
    known.set(statement, now);
    return now;
  };

  return {
    async query<Row>(statement: Statement, values: readonly unknown[]) {
      try {
        return prepared(statement).all(values) as Row[];
      } catch (error) {
        throw explain(error);
      }
    },

    async execute(statement, values) {
      try {
        return prepared(statement).run(values).changes;
      } catch (error) {
        throw explain(error);
      }
    },
  };
};
