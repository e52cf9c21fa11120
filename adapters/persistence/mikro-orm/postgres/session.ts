import type { Pool, PoolClient, QueryConfig, QueryResult } from 'pg';
import { forEver } from '../../time.ts';
import type { Session, Statement } from '../session.ts';
import type { Value } from '../tables/table.ts';
import type { Connections } from './connections.ts';
import { types } from './types.ts';

/**
 * @param over one of the connections, or their pool of which each statement takes any
 * @param until when no answer is waited for any more, by `performance.now()`
 */
export const postgresSession = (
  connections: Connections,
  over: Pool | PoolClient,
  until = forEver,
): Session => {
  const send = ({ name, text }: Statement, values: readonly Value[]): Promise<QueryResult> => {
    const statement: QueryConfig = { text, values: [...values], types };
    if (connections.canPrepare) statement.name = name;
    return connections.send(over, statement, until);
  };

  return {
    query: async (statement, values) => (await send(statement, values)).rows,
    execute: async (statement, values) => (await send(statement, values)).rowCount ?? 0,
  };
};
