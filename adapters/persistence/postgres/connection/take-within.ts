import type { PoolClient } from 'pg';
import { withTimeout } from '#adapters/support/timeout.ts';
import { unavailable } from '../../sql/constraint-errors.ts';

/** A connection, if it comes in time; one that comes later is for whoever comes next. @throws ApplicationError 'unavailable' */
export const takeWithin = async (milliseconds: number, taking: Promise<PoolClient>): Promise<PoolClient> => {
  const client = await withTimeout(milliseconds, taking, undefined);
  if (client !== undefined) return client;
  taking.then(
    (late) => late.release(),
    () => undefined,
  );
  throw unavailable(new Error('No connection was free in time.'));
};
