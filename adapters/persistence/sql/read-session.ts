import { forEver } from '../deadline.ts';
import { untilWon } from '../retry.ts';
import type { Session, Statement } from './session.ts';

/** A session for reads outside units of work. Each read stands alone, so each is repeated alone. */
export const readingSession = (session: Session, until = forEver): Session => ({
  query: (statement, values) => untilWon(() => session.query(statement, values), until),
  execute: () => Promise.reject(new TypeError('A reading changes nothing.')),
});

/**
 * The time that the database tells, in milliseconds since 1970.
 * @param clock gives it as `now`
 */
export const timeOf = async (session: Session, clock: Statement): Promise<number> => {
  const [row] = await session.query<{ readonly now: number }>(clock, []);
  if (row === undefined) throw new TypeError('The database does not tell the time.');
  return row.now;
};
