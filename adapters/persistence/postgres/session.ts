import { noDeadline } from '../retry.ts';
import type { SqlSession } from '../sql/session.ts';
import type { ConnectionPool } from './connection/pool.ts';
import type { StatementResult } from './pipeline/pipeline.ts';

/**
 * Creates a session without a transaction: each statement acquires a connection.
 * @param deadline the deadline of each statement, by `performance.now()`
 */
export const postgresSession = (connections: ConnectionPool, deadline = noDeadline): SqlSession => ({
  query: async (statement, values) => rowsOf(await connections.query({ statement, values }, deadline)),
  execute: async (statement, values) =>
    affectedRows(await connections.query({ statement, values }, deadline)),
});

export const rowsOf = <Row>(result: StatementResult | undefined): readonly Row[] =>
  (result?.rows ?? []) as readonly unknown[] as readonly Row[];

/** How many rows a statement has changed: the last word of its command tag. */
export const affectedRows = (result: StatementResult | undefined): number =>
  Number(result?.tag.split(' ').at(-1)) || 0;
