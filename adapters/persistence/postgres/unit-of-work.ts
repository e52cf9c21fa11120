import type { RequestContext, StoreUnitOfWork, StoreWork } from '#application/ports/unit-of-work.ts';
import { deadlineOf, retryOnConflict, throwIfExpired } from '../retry.ts';
import type { OpenRepositories } from '../sql/repositories.ts';
import type { ConnectionPool } from './connection/pool.ts';
import type { CommitTogether } from './group-commit.ts';
import { coalescedReads } from './read-coalescing/coalesced-reads.ts';
import type { ReadYourWrites } from './replicas/read-your-writes.ts';
import type { Replicas } from './replicas/replicas.ts';
import { postgresSession } from './session.ts';
import { Transaction } from './transaction.ts';
import { UnitSession } from './unit-session.ts';

interface Dependencies {
  readonly connections: ConnectionPool;
  readonly openRepositories: OpenRepositories;
  readonly readYourWrites: ReadYourWrites;
  /** They serve reads with a context; without them the primary serves all. */
  readonly replicas?: Replicas | undefined;
  /** Commits units of work that may share a commit; without it each commits alone. */
  readonly commitTogether?: CommitTogether | undefined;
}

/** A result, and whether its user's LSN is recorded for the replicas. */
interface Done<T> {
  readonly result: T;
  readonly isRecorded: boolean;
}

/**
 * A unit of work is one transaction on one connection. Read committed with row locks lets a unit go on that has waited for a
 * lock, where a stricter isolation level would make it fail. Reads outside of units of work share statements.
 *
 * An order is three round trips, the second of them two exchanges side by side:
 *
 *   the request calls                       PostgreSQL gets
 * 1 idempotencyKeys.find                    select … from idempotency_keys         no transaction, shared with other requests
 * 2 products.find, users.find, together     select … from products, from users     no transaction, shared
 * 3 orders.add, orderItems.add,             begin
 *   idempotencyKeys.add: all three wait     insert into orders, order_items
 *   in the write set until the work ends    insert into idempotency_keys           ZP003 when the key exists by now
 *                                           select portico_require(…)              ZP002 when it is too late
 *                                           commit                                 shared: other units add rows before it
 *
 * One of a counted product locks it in a round trip of its own, and commits alone. docs/decisions/0018-the-engine-is-a-unit-of-work.md
 * draws both, and the course of a payment.
 */
export const postgresUnitOfWork = ({
  connections,
  openRepositories,
  readYourWrites,
  replicas,
  commitTogether,
}: Dependencies): StoreUnitOfWork => {
  const readsUntil = coalescedReads((deadline) => postgresSession(connections, deadline));

  /** Runs the work once. Then it commits what the session has kept: together with others if it may, otherwise alone. */
  const attempt = async <T>(
    work: StoreWork<T>,
    deadline: number,
    context: RequestContext | undefined,
  ): Promise<Done<T>> => {
    const transaction = new Transaction(connections, deadline);
    const session = new UnitSession(transaction, readsUntil(deadline));
    try {
      const result = await work(openRepositories(session));
      const statements = await session.end();
      if (!session.hasChanged) {
        void transaction.rollback();
        // What it has read behind a lock, such as a stored response, may be of this user and not be recorded yet.
        return { result, isRecorded: !transaction.hasBegun };
      }
      const user = context?.actor;
      if (commitTogether !== undefined && session.canShareCommit) {
        const { commitBy } = transaction;
        const outcome = await commitTogether({ statements, user, deadline, commitBy });
        if (outcome !== 'alone') return { result, ...outcome };
      }
      throwIfExpired(transaction.commitBy);
      const client = await transaction.commit(statements);
      const users = user === undefined ? [] : [user];
      return { result, isRecorded: await readYourWrites.recordAndRelease(client, users) };
    } catch (error) {
      // No statement may be under way when the transaction ends.
      await session.end().catch(() => undefined);
      await transaction.rollback(error);
      throw error;
    }
  };

  return {
    run: async (work, context) => {
      const deadline = deadlineOf(context);
      const { result, isRecorded } = await retryOnConflict(() => attempt(work, deadline, context), deadline);
      if (!isRecorded && context !== undefined) await readYourWrites.record(context.actor);
      return result;
    },

    read: async (reading, context) => {
      const deadline = deadlineOf(context);
      throwIfExpired(deadline);
      const primary = readsUntil(deadline);
      const mayLag = context !== undefined && context.readsLatest !== true;
      const reads = mayLag ? replicas?.readsFor(context, primary) : undefined;
      const result = await reading(openRepositories(reads ?? primary));
      if (context?.pinsReads) await readYourWrites.record(context.actor);
      return result;
    },
  };
};
