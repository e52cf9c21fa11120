import BetterSqlite3 from 'better-sqlite3';
import type { Traffic } from './traffic.ts';

type Statement = BetterSqlite3.Statement<unknown[]>;

/** Counts the statements that this process runs with the driver. @returns the function that stops it */
export const countSqlite = (traffic: Traffic): (() => void) => {
  const database = new BetterSqlite3(':memory:');
  const prototype = Object.getPrototypeOf(database.prepare('select 1')) as Statement;
  database.close();
  const { all, get, run } = prototype;
  const count = ({ source, readonly: isRead, database: { inTransaction } }: Statement): void => {
    const text = source.trim().toLowerCase();
    traffic.statements += 1;
    // What is written outside of a transaction is committed by itself.
    if (text === 'commit' || (!isRead && !inTransaction && !text.startsWith('begin'))) traffic.commits += 1;
  };
  const counted = <F extends (...given: unknown[]) => unknown>(method: F): F =>
    function (this: Statement, ...given: unknown[]) {
      count(this);
      return Reflect.apply(method, this, given);
    } as unknown as F;
  Object.assign(prototype, {
    all: counted(all as never),
    get: counted(get as never),
    run: counted(run as never),
  });
  return () => void Object.assign(prototype, { all, get, run });
};
