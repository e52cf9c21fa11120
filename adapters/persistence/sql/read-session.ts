import { noDeadline } from '../deadline.ts';
import { retryOnConflict } from '../retry.ts';
import type { SqlSession, Statement } from './session.ts';

/** A session for reads outside units of work. Each read stands alone, so each is repeated alone. */
export const readSession = (session: SqlSession, until = noDeadline): SqlSession => ({
  query: (statement, values) => retryOnConflict(() => session.query(statement, values), until),
  execute: () => Promise.reject(new TypeError('A reading changes nothing.')),
});

/**
 * The time that the database tells, in milliseconds since 1970.
 * @param clock gives it as `now`
 */
export const databaseTime = async (session: SqlSession, clock: Statement): Promise<number> => {
  const [row] = await session.query<{ readonly now: number }>(clock, []);
  if (row === undefined) throw new TypeError('The database does not tell the time.');
  return row.now;
};
