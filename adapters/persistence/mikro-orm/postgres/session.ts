import type { Pool, PoolClient, QueryResult } from 'pg';
import type { Session, Statement } from '../session.ts';
import type { Value } from '../tables/table.ts';
import { explain } from './errors.ts';
import { types } from './types.ts';

/** @param connection a client, or a pool of which each statement takes any */
export const postgresSession = (connection: Pool | PoolClient): Session => {
  const send = async ({ name, text }: Statement, values: readonly Value[]): Promise<QueryResult> => {
    try {
      return await connection.query({ name, text, values: [...values], types });
    } catch (error) {
      throw explain(error);
    }
  };

  return {
    query: async (statement, values) => (await send(statement, values)).rows,
    execute: async (statement, values) => (await send(statement, values)).rowCount ?? 0,
  };
};
