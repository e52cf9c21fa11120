import type { ClientBase } from 'pg';
import type { BoundStatement } from '../../sql/sql-table.ts';
import { checkInternals, internalsOf } from './driver-internals.ts';

/*
 * The statements here are written by hand: the builder has none that begin a transaction or change settings.
 */

/** The settings that limit time. A lock times out before its statement does, so that the error names the lock. */
const timeoutSettings = (timeout: number): readonly (readonly [string, number])[] => [
  ['lock_timeout', Math.ceil(timeout * 0.8)],
  ['statement_timeout', timeout],
  ['idle_in_transaction_session_timeout', timeout],
];

export const begin: BoundStatement = {
  statement: { name: 'begin', text: 'begin isolation level read committed' },
  values: [],
};

export const rollback: BoundStatement = { statement: { name: 'rollback', text: 'rollback' }, values: [] };

/**
 * Sets a transaction up behind a pooler, where other clients use the server's connection in between.
 * @param timeout of locks, statements and idle transactions, in milliseconds; 0 is no limit
 */
export const transactionSettings = (timeout: number): BoundStatement => {
  const settings = [['TimeZone', 'UTC'], ['DateStyle', 'ISO'], ...timeoutSettings(timeout)];
  const calls = settings.map(([name, value]) => `set_config('${name}', '${value}', true)`);
  return { statement: { name: 'transaction_settings', text: `select ${calls.join(', ')}` }, values: [] };
};

/**
 * Sets a new connection up, whatever the server's defaults are, and finds out whether a pooler stands in between. A pooler
 * such as PgBouncer makes up a process id. In its transaction mode other clients share the session, so no limit is set.
 * @param timeout of locks, statements and idle transactions, in milliseconds; 0 is no limit
 * @param responseTimeout of the set-up itself, in milliseconds; 0 is no limit
 * @returns whether the connection leads to the server itself
 */
export const setUpSession = async (
  client: ClientBase,
  timeout: number,
  responseTimeout: number,
): Promise<boolean> => {
  const { processID } = internalsOf(client);
  const isBehindPooler = 'pg_backend_pid() is distinct from $1::integer';
  const settings = timeoutSettings(timeout).map(
    ([name, limit]) => `set_config('${name}', '${limit}', ${isBehindPooler})`,
  );
  // A plan that was prepared while a table was small would go on reading the whole table after it has grown. And a bitmap of
  // rows has no order: all rows of a page would be sorted, however many there are.
  for (const scan of ['enable_seqscan', 'enable_bitmapscan'])
    settings.push(`set_config('${scan}', 'off', ${isBehindPooler})`);
  // PgBouncer restores these two for each client.
  const restoredByPooler = [`set_config('TimeZone', 'UTC', false)`, `set_config('DateStyle', 'ISO', false)`];
  const text = `select ${isBehindPooler} as behind_pooler, ${[...restoredByPooler, ...settings].join(', ')}`;
  const query = { text, values: [processID], query_timeout: responseTimeout };
  const { rows } = await client.query<{ behind_pooler: boolean }>(query);
  checkInternals(client);
  return rows[0]?.behind_pooler === false;
};
