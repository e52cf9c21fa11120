import type { Mandate, Reading, UnitOfWork, Work } from '#application/ports/unit-of-work.ts';
import type { UserId } from '#domain/user.ts';
import { deadlineOf, latestCommitStart, throwIfExpired } from '../deadline.ts';
import { retryOnConflict } from '../retry.ts';
import { readSession } from '../sql/read-session.ts';
import { compileRepositories } from '../sql/repositories.ts';
import type { Connections } from './connection/pool.ts';
import { Groups } from './group-commit/groups.ts';
import type { Done } from './group-commit/member.ts';
import { forgettingByParts } from './idempotency-partitions.ts';
import { ofPages } from './of-pages.ts';
import type { Ask } from './read-coalescing/ask.ts';
import { finding } from './read-coalescing/data-loader.ts';
import { Notes } from './replicas/lsn-notes.ts';
import type { Replicas } from './replicas/replicas.ts';
import { conduct } from './run-in-transaction.ts';
import { postgresSession } from './session.ts';

/** How often somebody joins a group before they go alone. */
const groupTries = 3;

/** Read committed, with a lock on whatever is held: nothing fails that a lock would have let through. */
export class PostgresUnitOfWork implements UnitOfWork {
  readonly #connections: Connections;
  readonly #repositoriesOver = compileRepositories({
    forUpdate: ' for update',
    rowsFromJson: (table) => `json_populate_recordset(null::${table}, $1)`,
    ...ofPages,
    purgeIdempotencyKeys: forgettingByParts(),
  });
  readonly #ask: Ask;
  readonly #replicas: Replicas | undefined;
  readonly #notes: Notes;
  readonly #groups: Groups;

  /** @param replicas that may answer readings under a mandate */
  constructor(connections: Connections, replicas?: Replicas) {
    this.#connections = connections;
    this.#replicas = replicas;
    this.#notes = new Notes(connections, replicas);
    this.#groups = new Groups({
      connections,
      repositoriesOver: this.#repositoriesOver,
      notes: this.#notes,
    });
    this.#ask = finding((until) => postgresSession(connections, until));
  }

  async run<T>(work: Work<T>, mandate?: Mandate): Promise<T> {
    if (mandate === undefined) return (await this.#runAlone(work)).result;
    const { result, isNoted } =
      (await this.#runTogether(work, mandate)) ?? (await this.#runAlone(work, mandate));
    if (!isNoted) await this.#notes.again(mandate.user);
    return result;
  }

  /** @returns undefined when it cannot be done with others */
  async #runTogether<T>(work: Work<T>, mandate: Mandate): Promise<Done<T> | undefined> {
    throwIfExpired(mandate.until);
    const commitBy = latestCommitStart(mandate.until);
    for (let attempt = 1; attempt <= groupTries; attempt += 1) {
      const outcome = await this.#groups.join(work, mandate, commitBy);
      if (typeof outcome === 'object') return outcome as Done<T>;
      if (outcome === 'singly') break;
    }
    return undefined;
  }

  async #runAlone<T>(work: Work<T>, mandate?: Mandate): Promise<Done<T>> {
    const until = deadlineOf(mandate);
    const commitBy = latestCommitStart(until);
    const users = mandate === undefined ? [] : [mandate.user];
    return retryOnConflict(() => this.#attempt(work, until, commitBy, users), until);
  }

  async read<T>(reading: Reading<T>, mandate?: Mandate): Promise<T> {
    const until = deadlineOf(mandate);
    throwIfExpired(until);
    const primary = readSession(
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
    users: readonly UserId[],
  ): Promise<Done<T>> {
    const connections = this.#connections;
    const client = await connections.take(until);
    let result: T;
    try {
      await connections.send(client, connections.begin, until);
      result = await conduct(postgresSession(connections, until, client), this.#repositoriesOver, work);
      throwIfExpired(commitBy);
      await connections.commit(client, until);
    } catch (error) {
      await connections.undo(client, error, until);
      throw error;
    }
    return { result, isNoted: await this.#notes.take(client, users) };
  }
}
