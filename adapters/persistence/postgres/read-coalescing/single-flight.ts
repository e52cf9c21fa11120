import type { Value } from '../../schema/entities/table.ts';
import type { SqlSession, Statement } from '../../sql/session.ts';
import type { Row } from '../pipeline/row-decoder.ts';
import { createBatcher } from './batcher.ts';

/**
 * Runs a read outside of units of work.
 * @param until the deadline, by `performance.now()`
 */
export type Query = <Row>(
  statement: Statement,
  values: readonly Value[],
  until: number,
) => Promise<readonly Row[]>;

/**
 * Sends equal reads of one turn of the event loop once (single flight): most clients of a shop want its first page. The
 * latest deadline among them holds.
 */
export const createSingleFlight = (sessionUntil: (until: number) => SqlSession): Query => {
  const inFlight = new Map<string, (until: number) => Promise<readonly Row[]>>();

  return async <R>(...[statement, values, until]: Parameters<Query>) => {
    const key = JSON.stringify([statement.name, ...values]);
    const known = inFlight.get(key);
    const load =
      known ??
      createBatcher((deadlines: readonly number[]) => {
        inFlight.delete(key);
        return sessionUntil(Math.max(...deadlines)).query<Row>(statement, values);
      });
    if (known === undefined) inFlight.set(key, load);
    // The caller knows the rows of its own statement.
    return (await load(until)) as readonly unknown[] as readonly R[];
  };
};
