import type { Work } from '#application/ports/unit-of-work.ts';
import { ConcurrencyConflict } from '../retry.ts';
import type { OpenRepositories } from '../sql/repositories.ts';
import type { SqlSession, Statement } from '../sql/session.ts';

/**
 * Runs work inside a transaction that the caller begins and ends.
 *
 * Statements run one at a time, in the order of the calls. After an error no further statement is sent, and the work fails
 * even if it catches the error. Once the promise settles no statement is under way, and a late call sends nothing.
 * @param mayRunTogether which statements may run side by side if they follow each other; none over a single connection
 * @returns what the work returns
 * @throws ConcurrencyConflict when a statement changes fewer rows than it expects; whatever the work or a statement throws
 */
export const runInTransaction = async <T>(
  session: SqlSession,
  openRepositories: OpenRepositories,
  work: Work<T>,
  mayRunTogether: (statement: Statement) => boolean = never,
): Promise<T> => {
  const sequence = createSequencer();
  let failure: { readonly error: unknown } | undefined;

  const send = <R>(statement: () => Promise<R>, mayShare = false): Promise<R> =>
    sequence(async () => {
      if (failure !== undefined) throw failure.error;
      try {
        return await statement();
      } catch (error) {
        failure ??= { error };
        throw error;
      }
    }, mayShare);

  const guardedSession: SqlSession = {
    query: (statement, values) => send(() => session.query(statement, values), mayRunTogether(statement)),
    execute: (statement, values, expectedRows = 0) =>
      send(async () => {
        const changed = await session.execute(statement, values);
        if (changed < expectedRows)
          throw new ConcurrencyConflict(`${statement.name} changed ${changed} rows, not ${expectedRows}.`);
        return changed;
      }),
  };

  const end = (): Promise<void> =>
    sequence(async () => {
      const failed = failure;
      failure ??= { error: new Error('The unit of work has ended.') };
      if (failed !== undefined) throw failed.error;
    });

  try {
    const result = await work(openRepositories(guardedSession));
    await end();
    return result;
  } catch (error) {
    await end().catch(() => undefined);
    throw error;
  }
};

const never = (): boolean => false;

/** Runs tasks one after the other. Neighbours that may share a turn run side by side. */
type Sequencer = <T>(task: () => Promise<T>, mayShare?: boolean) => Promise<T>;

export const createSequencer = (): Sequencer => {
  let last: Promise<unknown> = Promise.resolve();
  let beforeShared: Promise<unknown> | undefined;
  return (task, mayShare = false) => {
    const before = (mayShare ? beforeShared : undefined) ?? last;
    const isShared = before !== last;
    const turn = before.then(task);
    const ended = turn.catch(() => undefined);
    last = isShared ? Promise.all([last, ended]) : ended;
    beforeShared = mayShare ? before : undefined;
    return turn;
  };
};
