import type { PoolClient } from 'pg';
import { noDeadline } from '../retry.ts';
import type { Value } from '../schema/entities/table.ts';
import type { SqlSession } from '../sql/session.ts';
import type { Statement } from '../sql/sql-table.ts';
import type { ConnectionPool } from './connection/pool.ts';
import type { StatementResult } from './pipeline/pipeline.ts';

/**
 * Creates a session.
 * @param deadline the deadline of each statement, by `performance.now()`
 * @param client a connection of the pool; without it, each statement acquires one
 */
export const postgresSession = (
  connections: ConnectionPool,
  deadline = noDeadline,
  client?: PoolClient,
): SqlSession => {
  const send = async (
    statement: Statement,
    values: readonly Value[],
  ): Promise<StatementResult | undefined> => {
    const bound = { statement, values };
    return client === undefined
      ? connections.query(bound, deadline)
      : (await connections.exchange(client, [bound], deadline, false))[0];
  };

  return {
    query: async <Row>(statement: Statement, values: readonly Value[]) =>
      ((await send(statement, values))?.rows ?? []) as readonly unknown[] as readonly Row[],
    execute: async (statement, values) => affectedRows(await send(statement, values)),
  };
};

/** How many rows a statement has changed: the last word of its command tag. */
export const affectedRows = (result: StatementResult | undefined): number =>
  Number(result?.tag.split(' ').at(-1)) || 0;
