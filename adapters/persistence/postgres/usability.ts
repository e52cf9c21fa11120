import { DatabaseError } from 'pg';
import { noDeadline } from '../retry.ts';
import { unavailable } from '../sql/constraint-errors.ts';
import type { Problem } from '../store.ts';
import type { ConnectionPool } from './connection/pool.ts';

/** Of each statement, in milliseconds. A pooler may have no limit of its own. */
const timeoutMs = 5_000;

interface Facts {
  readonly encoding: string;
  /** Null when `search_path` names no schema that exists. */
  readonly schema: string | null;
  readonly began: string;
}

/*
 * The statements here are written by hand: they ask the server for its settings, before any table is there.
 */

const facts = `select current_setting('server_encoding') as encoding, current_schema() as schema,
  transaction_timestamp()::text as began`;

/**
 * Tries what each change relies on: a database that has every character, and a transaction of several statements.
 * @returns what is wrong; undefined when it can be used
 * @throws ApplicationError 'unavailable', or the error of the driver
 */
export const findProblem = async (connections: ConnectionPool): Promise<Problem | undefined> => {
  const client = await connections.acquire(noDeadline);
  try {
    const query = async (text: string): Promise<Facts | undefined> => {
      const statement = { text, query_timeout: timeoutMs };
      const { rows } = await client.query<Facts>(statement);
      return rows[0];
    };
    await query('begin');
    const first = await query(facts);
    const second = await query(facts);
    await query('rollback');
    client.release();
    if (first?.began !== second?.began) return noTransactions;
    if (first?.encoding !== 'UTF8') return wrongEncoding(first?.encoding);
    return first.schema === null ? noSchema : undefined;
  } catch (error) {
    client.release(true);
    if (isRejectedTransaction(error)) return noTransactions;
    throw error;
  }
};

/** @throws ApplicationError 'unavailable' with the reason, for a database that responds but cannot be used */
export const requireUsable = async (connections: ConnectionPool): Promise<void> => {
  const found = await findProblem(connections);
  if (found !== undefined) throw unavailable(new Error(`It ${found.problem}. ${found.remedy}`));
};

const noTransactions: Problem = {
  problem: 'is behind a pooler that allows no transactions, as PgBouncer in statement mode',
  remedy: 'Set pool_mode = transaction, or session.',
};

const noSchema: Problem = {
  problem: 'has no schema for the tables: search_path names none that exists and that this user may use',
  remedy:
    'Create it with create schema, and grant this user USAGE and CREATE on it, or correct search_path in DATABASE_URL.',
};

/** The error of PgBouncer: a protocol violation, with which it closes the connection. */
const isRejectedTransaction = (error: unknown): boolean =>
  error instanceof DatabaseError &&
  error.code === '08P01' &&
  /transactions? .*not allowed/i.test(error.message);

const wrongEncoding = (encoding = 'an unknown encoding'): Problem => ({
  problem: `stores texts in ${encoding}, not in UTF8, so it cannot keep every character`,
  remedy:
    'Create a database with createdb --template=template0 --encoding=UTF8 --locale=C.UTF-8, restore a dump of this one there, and set DATABASE_URL to it.',
});
