import type { UserId } from '#domain/user.ts';
import { deadlineExceeded } from '../retry.ts';
import type { BoundStatement } from '../sql/sql-table.ts';
import type { ConnectionPool } from './connection/pool.ts';
import { isLockTimeout, isOutcomeKnown } from './errors.ts';
import type { ReadYourWrites } from './replicas/read-your-writes.ts';
import { Transaction } from './transaction.ts';

/** The statements of one unit of work, which has only added rows and holds no lock. */
interface Additions {
  readonly statements: readonly BoundStatement[];
  readonly user: UserId | undefined;
  /** When its client stops waiting, and when its commit may be requested at the latest, both by `performance.now()`. */
  readonly deadline: number;
  readonly commitBy: number;
}

/** Whether the LSN of the unit's user is recorded; `alone` when it is not committed, and must be in a transaction of its own. */
type Outcome = { readonly isRecorded: boolean } | 'alone';

interface Member extends Additions {
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

/** Bounds how much work is repeated when one member fails. */
const maxGroupSize = 64;

/** While a group waits for the disk, the next one is on its way. */
const maxGroupsInFlight = 2;

/**
 * How long a group waits for the lock of another transaction, in milliseconds. Then its members wait alone, even an only one,
 * because the groups behind it wait too. Written by hand: the builder has no settings.
 */
const limitLockWait: BoundStatement = {
  statement: { name: 'limit_lock_wait', text: "select set_config('lock_timeout', '50', true)" },
  values: [],
};

/**
 * Group commit: units of work that have only added rows and hold no lock share one transaction, because the commit is what
 * costs. They cannot see each other's rows, and only a constraint can set one against another.
 *
 * When any statement fails, nothing is committed and each member commits alone, where its error is its own.
 * @returns commits a unit. It rejects as a session does when the outcome is unknown, or the deadline has passed.
 */
export const groupCommit = (
  connections: ConnectionPool,
  readYourWrites: ReadYourWrites,
): ((additions: Additions) => Promise<Outcome>) => {
  const waiting: Member[] = [];
  let inFlight = 0;
  let isScheduled = false;

  const schedule = (): void => {
    if (isScheduled || waiting.length === 0 || inFlight >= maxGroupsInFlight) return;
    isScheduled = true;
    // The members of this turn of the event loop join it.
    setImmediate(() => {
      isScheduled = false;
      void commitNext();
    });
  };

  const commitNext = async (): Promise<void> => {
    const members = waiting.splice(0, maxGroupSize).filter(isInTime);
    inFlight += 1;
    schedule();
    if (members.length > 0) await commitMembers(members);
    inFlight -= 1;
    schedule();
  };

  const commitMembers = async (members: readonly Member[]): Promise<void> => {
    const deadline = Math.max(...members.map((member) => member.deadline));
    const commitBy = Math.min(...members.map((member) => member.commitBy));
    const transaction = new Transaction(connections, deadline, commitBy);
    const statements = members.flatMap((member) => member.statements);
    try {
      const client = await transaction.commit([limitLockWait, ...statements]);
      const users = members.flatMap(({ user }) => (user === undefined ? [] : [user]));
      const isRecorded = await readYourWrites.recordAndRelease(client, users);
      for (const { resolve } of members) resolve({ isRecorded });
    } catch (error) {
      await transaction.rollback(error);
      const canRetryAlone = members.length > 1 ? isOutcomeKnown(error) : isLockTimeout(error);
      for (const { resolve, reject } of members) {
        if (canRetryAlone) resolve('alone');
        else reject(error);
      }
    }
  };

  return (additions) => {
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
    waiting.push({ ...additions, resolve, reject });
    schedule();
    return promise;
  };
};

export type CommitTogether = ReturnType<typeof groupCommit>;

const isInTime = ({ commitBy, reject }: Member): boolean => {
  if (performance.now() < commitBy) return true;
  reject(deadlineExceeded());
  return false;
};
