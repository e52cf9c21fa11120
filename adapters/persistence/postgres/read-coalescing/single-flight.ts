import type { SqlSession } from '../../sql/session.ts';
import type { Row } from '../pipeline/row-decoder.ts';
import type { Ask } from './ask.ts';
import { gather } from './batcher.ts';

/**
 * Asks outside of units of work, once for all who want the same in the same turn of the event loop: of those who come at once
 * to a shop, most want its first page. It is waited for as long as the last of them have time.
 */
export const sharing = (sessionUntil: (until: number) => SqlSession): Ask => {
  const asking = new Map<string, (until: number) => Promise<readonly Row[]>>();

  return async <R>(...[statement, values, until]: Parameters<Ask>) => {
    const question = JSON.stringify([statement.name, ...values]);
    const known = asking.get(question);
    const ask =
      known ??
      gather((untils: readonly number[]) => {
        asking.delete(question);
        return sessionUntil(Math.max(...untils)).query<Row>(statement, values);
      });
    if (known === undefined) asking.set(question, ask);
    // Whoever asks knows what its own statement gives.
    return (await ask(until)) as readonly unknown[] as readonly R[];
  };
};
