import type { Work } from '#application/ports/unit-of-work.ts';
import { ConcurrencyConflict } from '../retry.ts';
import type { OpenRepositories } from '../sql/repositories.ts';
import type { SqlSession, Statement } from '../sql/session.ts';
import { turns } from './turns.ts';

/**
 * Runs work over a session inside a transaction, up to where the transaction is to be ended.
 *
 * Statements go one at a time, because a connection takes no more. Once one was refused, none that follows is sent,
 * and the work fails even if it took no notice: what a refusal leaves of a transaction must not be committed. When
 * this has settled no statement is under way, and none comes late, into somebody else's transaction.
 * @param mayShare which questions may be asked side by side, if they follow each other: none over one connection
 */
export const conduct = async <T>(
  session: SqlSession,
  repositoriesOver: OpenRepositories,
  work: Work<T>,
  mayShare: (question: Statement) => boolean = none,
): Promise<T> => {
  const inTurn = turns();
  let refusal: { readonly error: unknown } | undefined;

  const send = <R>(statement: () => Promise<R>, shares = false): Promise<R> =>
    inTurn(async () => {
      if (refusal !== undefined) throw refusal.error;
      try {
        return await statement();
      } catch (error) {
        refusal ??= { error };
        throw error;
      }
    }, shares);

  const guarded: SqlSession = {
    query: (statement, values) => send(() => session.query(statement, values), mayShare(statement)),
    execute: (statement, values, expectedRows = 0) =>
      send(async () => {
        const changed = await session.execute(statement, values);
        if (changed < expectedRows) throw new ConcurrencyConflict(`Too little left for ${statement.name}.`);
        return changed;
      }),
  };

  const end = (): Promise<void> =>
    inTurn(async () => {
      const refused = refusal;
      refusal ??= { error: new Error('The unit of work has ended.') };
      if (refused !== undefined) throw refused.error;
    });

  try {
    const result = await work(repositoriesOver(guarded));
    await end();
    return result;
  } catch (error) {
    await end().catch(() => undefined);
    throw error;
  }
};

const none = (): boolean => false;
