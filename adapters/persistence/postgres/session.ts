import type { PoolClient } from 'pg';
import { noDeadline } from '../deadline.ts';
import type { Value } from '../schema/entities/table.ts';
import type { SqlSession, Statement } from '../sql/session.ts';
import type { Connections } from './connection/pool.ts';
import type { Answered } from './pipeline/pipeline.ts';

/**
 * @param until when no answer is waited for any more, by `performance.now()`
 * @param client one of the connections; without it, each statement takes any
 */
export const postgresSession = (
  connections: Connections,
  until = noDeadline,
  client?: PoolClient,
): SqlSession => {
  const ask = async (statement: Statement, values: readonly Value[]): Promise<Answered | undefined> => {
    const asked = { statement, values };
    return client === undefined
      ? connections.ask(asked, until)
      : (await connections.exchange(client, [asked], until, false))[0];
  };

  return {
    query: async <Row>(statement: Statement, values: readonly Value[]) =>
      ((await ask(statement, values))?.rows ?? []) as readonly unknown[] as readonly Row[],
    execute: async (statement, values) => changedBy(await ask(statement, values)),
  };
};

/** How many rows, which is the last word of what was done. */
const changedBy = (answer: Answered | undefined): number => Number(answer?.tag.split(' ').at(-1)) || 0;
