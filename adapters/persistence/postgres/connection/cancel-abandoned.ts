import type { PoolClient } from 'pg';
import { withTimeout } from '#adapters/support/timeout.ts';
import { explain, isSound, makesSuspicious } from '../errors.ts';
import { cancel } from './cancel.ts';

/** How long a server that is there takes at the most to end a statement, in milliseconds. */
const patience = 1_000;

/** What a connection is at, though nobody waits for it any more. */
export interface Late {
  readonly answer: Promise<unknown>;
  /** A commit is left to end by itself: it may have been done, and only wait for a standby. */
  readonly isCommit: boolean;
}

/** `ready` for whoever comes next, `broken`, or `silent`: then the others had better not be trusted either. */
type Outcome = 'ready' | 'broken' | 'silent';

/**
 * Has a connection end what nobody waits for any more. It is kept from others meanwhile, so that the server is at no more
 * than there are connections.
 */
export const recall = async (client: PoolClient, { answer, isCommit }: Late): Promise<Outcome> => {
  const settled = outcomeOf(answer);
  if (isCommit) return settled;
  if (!(await cancel(client))) return 'silent';
  const outcome = await withTimeout<Outcome, Outcome>(patience, settled, 'silent');
  if (outcome !== 'ready') return outcome;
  return withTimeout<Outcome, Outcome>(patience, outcomeOf(client.query('rollback')), 'silent');
};

const outcomeOf = (answer: Promise<unknown>): Promise<Outcome> =>
  answer.then(
    () => 'ready',
    (error: unknown) => {
      if (makesSuspicious(error)) return 'silent';
      return isSound(explain(error)) ? 'ready' : 'broken';
    },
  );
