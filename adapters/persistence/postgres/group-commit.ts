import type { UserId } from '#domain/user.ts';
import { throwIfExpired } from '../retry.ts';
import type { BoundStatement } from '../sql/sql-table.ts';
import type { ConnectionPool } from './connection/pool.ts';
import { isLockTimeout, isOutcomeKnown } from './errors.ts';
import type { ReadYourWrites } from './replicas/read-your-writes.ts';
import { Transaction } from './transaction.ts';

/** The statements of one unit of work, which has only added rows and holds no lock. */
export interface Additions {
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
 */
export class GroupCommit {
  readonly #connections: ConnectionPool;
  readonly #readYourWrites: ReadYourWrites;
  #waiting: Member[] = [];
  #inFlight = 0;
  #isScheduled = false;

  constructor(connections: ConnectionPool, readYourWrites: ReadYourWrites) {
    this.#connections = connections;
    this.#readYourWrites = readYourWrites;
  }

  /** Rejects as a session does when the outcome is unknown, or the deadline has passed. */
  commit(additions: Additions): Promise<Outcome> {
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
    this.#waiting.push({ ...additions, resolve, reject });
    this.#schedule();
    return promise;
  }

  #schedule(): void {
    if (this.#isScheduled || this.#waiting.length === 0 || this.#inFlight >= maxGroupsInFlight) return;
    this.#isScheduled = true;
    // The members of this turn of the event loop join it.
    setImmediate(() => {
      this.#isScheduled = false;
      void this.#commitNext();
    });
  }

  async #commitNext(): Promise<void> {
    const members = this.#waiting.splice(0, maxGroupSize).filter(isInTime);
    this.#inFlight += 1;
    this.#schedule();
    if (members.length > 0) await this.#commitTogether(members);
    this.#inFlight -= 1;
    this.#schedule();
  }

  async #commitTogether(members: readonly Member[]): Promise<void> {
    const deadline = Math.max(...members.map((member) => member.deadline));
    const commitBy = Math.min(...members.map((member) => member.commitBy));
    const transaction = new Transaction(this.#connections, deadline, commitBy);
    const statements = members.flatMap((member) => member.statements);
    try {
      const client = await transaction.commit([limitLockWait, ...statements]);
      const users = members.flatMap(({ user }) => (user === undefined ? [] : [user]));
      const isRecorded = await this.#readYourWrites.recordAndRelease(client, users);
      for (const { resolve } of members) resolve({ isRecorded });
    } catch (error) {
      await transaction.rollback(error);
      const canRetryAlone = members.length > 1 ? isOutcomeKnown(error) : isLockTimeout(error);
      for (const { resolve, reject } of members) {
        if (canRetryAlone) resolve('alone');
        else reject(error);
      }
    }
  }
}

const isInTime = ({ commitBy, reject }: Member): boolean => {
  try {
    throwIfExpired(commitBy);
    return true;
  } catch (error) {
    reject(error);
    return false;
  }
};
