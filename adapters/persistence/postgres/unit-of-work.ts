import type { Reading, RequestContext, UnitOfWork, Work } from '#application/ports/unit-of-work.ts';
import type { UserId } from '#domain/user.ts';
import { deadlineOf, latestCommitStart, throwIfExpired } from '../deadline.ts';
import { retryOnConflict } from '../retry.ts';
import type { Dialect } from '../sql/dialect.ts';
import { compileRepositories } from '../sql/repositories.ts';
import { readSession } from '../sql/session.ts';
import type { ConnectionPool } from './connection/pool.ts';
import { Groups } from './group-commit/groups.ts';
import type { Done } from './group-commit/member.ts';
import { rotatePartitions } from './idempotency-partitions.ts';
import { createDataLoader } from './read-coalescing/data-loader.ts';
import type { Query } from './read-coalescing/single-flight.ts';
import { ReadYourWritesTracker } from './replicas/read-your-writes-tracker.ts';
import type { Replicas } from './replicas/replicas.ts';
import { runInTransaction } from './run-in-transaction.ts';
import { postgresSession } from './session.ts';

/** A unit of work that had to leave so many groups runs in a transaction of its own. */
const maxGroupAttempts = 3;

/** A page of the API has up to 100 rows, and one more row shows whether another page follows. */
export const pagingDialect: Pick<Dialect, 'limit' | 'maxGenericPlanRows'> = {
  limit: (placeholder) => placeholder,
  maxGenericPlanRows: 128,
};

/** Transactions are read committed with row locks, so no unit of work fails that a lock would have let through. */
export class PostgresUnitOfWork implements UnitOfWork {
  readonly #connections: ConnectionPool;
  readonly #openRepositories = compileRepositories({
    forUpdate: ' for no key update',
    rowsFromJson: (table) => `json_populate_recordset(null::${table}, $1)`,
    ...pagingDialect,
    purgeIdempotencyKeys: rotatePartitions(),
  });
  readonly #query: Query;
  readonly #replicas: Replicas | undefined;
  readonly #readYourWrites: ReadYourWritesTracker;
  readonly #groups: Groups;

  /** @param replicas that serve reads with a context; without them the primary serves all */
  constructor(connections: ConnectionPool, replicas?: Replicas) {
    this.#connections = connections;
    this.#replicas = replicas;
    this.#readYourWrites = new ReadYourWritesTracker(connections, replicas);
    this.#groups = new Groups({
      connections,
      openRepositories: this.#openRepositories,
      readYourWrites: this.#readYourWrites,
    });
    this.#query = createDataLoader((until) => postgresSession(connections, until));
  }

  async run<T>(work: Work<T>, context?: RequestContext): Promise<T> {
    if (context === undefined) return (await this.#runAlone(work)).result;
    const { result, isRecorded } =
      (await this.#runInGroup(work, context)) ?? (await this.#runAlone(work, context));
    if (!isRecorded) await this.#readYourWrites.retry(context.actor);
    return result;
  }

  async read<T>(reading: Reading<T>, context?: RequestContext): Promise<T> {
    const until = deadlineOf(context);
    throwIfExpired(until);
    const primary = readSession(
      {
        query: (statement, values) => this.#query(statement, values, until),
        execute: () => Promise.reject(new TypeError('A read changes nothing.')),
      },
      until,
    );
    const session = context === undefined ? primary : this.#replicas?.sessionFor(context, primary);
    return reading(this.#openRepositories(session ?? primary));
  }

  /** How many units of work wait for a group, and how many have joined one so far. */
  get groupQueue(): Groups['queue'] {
    return this.#groups.queue;
  }

  /** Group commit. @returns undefined when the unit of work needs a transaction of its own */
  async #runInGroup<T>(work: Work<T>, context: RequestContext): Promise<Done<T> | undefined> {
    throwIfExpired(deadlineOf(context));
    const commitBy = latestCommitStart(deadlineOf(context));
    for (let attempt = 1; attempt <= maxGroupAttempts; attempt += 1) {
      const outcome = await this.#groups.join(work, context, commitBy);
      if (typeof outcome === 'object') return outcome as Done<T>;
      if (outcome === 'singly') break;
    }
    return undefined;
  }

  async #runAlone<T>(work: Work<T>, context?: RequestContext): Promise<Done<T>> {
    const until = deadlineOf(context);
    const commitBy = latestCommitStart(until);
    const users = context === undefined ? [] : [context.actor];
    return retryOnConflict(() => this.#attempt(work, until, commitBy, users), until);
  }

  async #attempt<T>(
    work: Work<T>,
    until: number,
    commitBy: number,
    users: readonly UserId[],
  ): Promise<Done<T>> {
    const connections = this.#connections;
    const client = await connections.acquire(until);
    let result: T;
    try {
      await connections.sendCommand(client, connections.begin, until);
      const session = postgresSession(connections, until, client);
      result = await runInTransaction(session, this.#openRepositories, work);
      throwIfExpired(commitBy);
      await connections.commit(client, until);
    } catch (error) {
      await connections.rollbackAndRelease(client, error, until);
      throw error;
    }
    return { result, isRecorded: await this.#readYourWrites.recordAndRelease(client, users) };
  }
}
