import type { PoolClient } from 'pg';
import type { Mandate, Reading, UnitOfWork, Work } from '#application/ports/unit-of-work.ts';
import type { UserId } from '#domain/user.ts';
import { untilWon } from '../../race-lost.ts';
import { endOf, lastCommit, requireTime } from '../../time.ts';
import { conduct } from '../conduct.ts';
import { readingSession } from '../reading.ts';
import { repositoriesIn } from '../repositories.ts';
import type { Ask } from './ask.ts';
import type { Connections } from './connections.ts';
import { finding } from './finding.ts';
import { Groups } from './group/groups.ts';
import { forgettingByParts } from './key-parts.ts';
import type { Replicas } from './replicas/replicas.ts';
import { postgresSession } from './session.ts';

/** How often somebody joins a group before they go alone. */
const groupTries = 3;

/** How long the note of what was committed may take, in milliseconds. */
const noteTime = 2_000;

/** Read committed, with a lock on whatever is held: nothing fails that a lock would have let through. */
export class PostgresUnitOfWork implements UnitOfWork {
  readonly #connections: Connections;
  readonly #repositoriesOver = repositoriesIn({
    hold: ' for update',
    given: (table) => `json_populate_recordset(null::${table}, $1)`,
    most: (place) => place,
    forgetKeys: forgettingByParts(),
  });
  readonly #ask: Ask;
  readonly #replicas: Replicas | undefined;
  readonly #groups: Groups;

  /** @param replicas that may answer readings under a mandate */
  constructor(connections: Connections, replicas?: Replicas) {
    this.#connections = connections;
    this.#replicas = replicas;
    this.#groups = new Groups({ connections, repositoriesOver: this.#repositoriesOver });
    this.#ask = finding((until) => postgresSession(connections, connections.pool, until));
  }

  async run<T>(work: Work<T>, mandate?: Mandate): Promise<T> {
    // Where there are replicas, it is noted for each user how far one must be to show what they have changed.
    if (mandate === undefined || this.#replicas !== undefined) return this.#runAlone(work, mandate);
    const { until } = mandate;
    requireTime(until);
    const commitBy = lastCommit(until);
    for (let attempt = 1; attempt <= groupTries; attempt += 1) {
      const outcome = await this.#groups.join(work, until, commitBy);
      if (typeof outcome === 'object') return outcome.result as T;
      if (outcome === 'singly') break;
    }
    return this.#runAlone(work, mandate);
  }

  async #runAlone<T>(work: Work<T>, mandate?: Mandate): Promise<T> {
    const until = endOf(mandate);
    const commitBy = lastCommit(until);
    const { result, isNoted } = await untilWon(
      () => this.#attempt(work, until, commitBy, mandate?.user),
      until,
    );
    if (!isNoted && mandate !== undefined) await this.#noteAgain(mandate.user);
    return result;
  }

  async read<T>(reading: Reading<T>, mandate?: Mandate): Promise<T> {
    const until = endOf(mandate);
    requireTime(until);
    const primary = readingSession(
      {
        query: (statement, values) => this.#ask(statement, values, until),
        execute: () => Promise.reject(new TypeError('A reading changes nothing.')),
      },
      until,
    );
    const session = mandate === undefined ? primary : this.#replicas?.sessionFor(mandate, primary);
    return reading(this.#repositoriesOver(session ?? primary));
  }

  /** Who waits for a group, and who has come into one. */
  get turns(): Groups['turns'] {
    return this.#groups.turns;
  }

  async #attempt<T>(
    work: Work<T>,
    until: number,
    commitBy: number,
    user: UserId | undefined,
  ): Promise<{ readonly result: T; readonly isNoted: boolean }> {
    const connections = this.#connections;
    const client = await connections.take(until);
    let result: T;
    try {
      await connections.send(client, { text: connections.begin }, until);
      result = await conduct(postgresSession(connections, client, until), this.#repositoriesOver, work);
      requireTime(commitBy);
      await connections.commit(client, until);
    } catch (error) {
      await connections.undo(client, error, until);
      throw error;
    }
    return { result, isNoted: await this.#note(client, user) };
  }

  /** Over the connection that has just committed, for the others may all be busy, and gives it back. */
  async #note(client: PoolClient, user: UserId | undefined): Promise<boolean> {
    const connections = this.#connections;
    const until = performance.now() + noteTime;
    try {
      if (user !== undefined) await this.#replicas?.note(user, postgresSession(connections, client, until));
    } catch (error) {
      await connections.undo(client, error, until);
      return false;
    }
    client.release();
    return true;
  }

  /**
   * Acknowledged is only what the user is sure to find. When that cannot be seen to, they hear the same as when the primary
   * went away during the commit: an idempotency key tells at the next try.
   */
  async #noteAgain(user: UserId): Promise<void> {
    await untilWon(async () => this.#replicas?.note(user));
  }
}
