import type { Value } from '../../schema/entities/table.ts';
import type { Statement } from '../../sql/session.ts';

/**
 * Asks outside of units of work.
 * @param until when no answer is waited for any more, by `performance.now()`
 */
export type Ask = <Row>(
  statement: Statement,
  values: readonly Value[],
  until: number,
) => Promise<readonly Row[]>;
