import type { Statement } from '../session.ts';
import type { Value } from '../tables/table.ts';

/**
 * Asks outside of units of work.
 * @param until when no answer is waited for any more, by `performance.now()`
 */
export type Ask = <Row>(
  statement: Statement,
  values: readonly Value[],
  until: number,
) => Promise<readonly Row[]>;
