import type { RequestContext } from '#application/ports/unit-of-work.ts';
import type { UserId } from '#domain/user.ts';
import { noDeadline } from '../../retry.ts';
import type { ReadSession, SqlSession } from '../../sql/session.ts';
import type { Replica } from './replica.ts';
import type { Lsn, UserLsns } from './user-lsn.ts';

/** By how much a replica may lag behind the primary, in milliseconds. One that lags more serves no reads. */
const defaultMaxLagMs = 5_000;

/** Without a sample of the primary's LSN younger than this, in milliseconds, the lag is unknown and no replica serves reads. */
const maxSampleAgeMs = 30_000;

/** The pauses between polls of the replicas, samples of the primary, and deletions of expired LSNs, in milliseconds. */
const pollIntervalMs = { replica: 100, primary: 1_000, deletion: 10_000 };

/** The primary's LSN at a point in time. */
interface PrimarySample {
  readonly at: number;
  readonly lsn: Lsn;
}

/**
 * Serves reads from replicas with read-your-writes: a user always finds what they wrote, whichever process wrote it. A
 * replica that is unavailable costs a read at most the time until its timeout.
 */
export class Replicas {
  readonly #replicas: readonly Replica[];
  readonly #userLsns: UserLsns;
  readonly #maxLagMs: number;
  readonly #stops: readonly (() => void)[];
  /** The first one is older than the maximum lag, so every replica in use must have reached its LSN. */
  #samples: readonly PrimarySample[] = [];
  #next = 0;

  private constructor(replicas: readonly Replica[], userLsns: UserLsns, maxLagMs: number) {
    this.#replicas = replicas;
    this.#userLsns = userLsns;
    this.#maxLagMs = maxLagMs;
    this.#stops = [
      ...replicas.map((replica) => repeat(pollIntervalMs.replica, () => replica.poll())),
      repeat(pollIntervalMs.primary, () => this.#samplePrimary()),
      repeat(pollIntervalMs.deletion, () => userLsns.deleteExpired()),
    ];
  }

  /**
   * @param maxLagMs by how much a replica that serves reads may lag behind the primary, in milliseconds
   * @throws as a session does when the primary is unavailable; replicas may be unavailable
   */
  static async start(
    userLsns: UserLsns,
    replicas: readonly Replica[],
    maxLagMs = defaultMaxLagMs,
  ): Promise<Replicas> {
    await userLsns.ensureEpoch();
    return new Replicas(replicas, userLsns, maxLagMs);
  }

  /**
   * Records the users' LSNs. It must be called after a commit, and awaited before the commit is acknowledged.
   * @param over the connection that has committed; any without it
   */
  record(users: readonly UserId[], over?: SqlSession): Promise<void> {
    return this.#userLsns.record(users, over);
  }

  /**
   * The reads of one read use case. All go to one replica, and to the primary after the first failure.
   * @param primary serves the read where no replica can
   */
  readsFor({ actor, deadline = noDeadline }: RequestContext, primary: ReadSession): ReadSession {
    let choice: Promise<Replica | undefined> | undefined;
    const read = async <T>(from: (reads: ReadSession) => Promise<T>): Promise<T> => {
      choice ??= this.#choose(actor);
      const replica = await choice;
      if (replica === undefined) return from(primary);
      try {
        return await replica.read(from, deadline);
      } catch {
        choice = Promise.resolve(undefined);
        return from(primary);
      }
    };
    return {
      query: (statement, values) => read((reads) => reads.query(statement, values)),
      find: (table, key) => read((reads) => reads.find(table, key)),
      findBy: (table, column, values) => read((reads) => reads.findBy(table, column, values)),
      page: (table, query) => read((reads) => reads.page(table, query)),
    };
  }

  async close(): Promise<void> {
    for (const stop of this.#stops) stop();
    await Promise.all(this.#replicas.map((replica) => replica.close()));
  }

  /**
   * Chooses, in turn, a replica that has reached the user's LSN and does not lag.
   * @throws as a session does when the user's LSN cannot be recorded: other processes would not know of what the user reads
   */
  async #choose(user: UserId): Promise<Replica | undefined> {
    await this.#userLsns.awaitPending(user);
    const minLsn = this.#minLsn();
    // When every replica lags, the user's LSN on the primary makes no difference.
    if (!this.#replicas.some((replica) => replica.mayHaveReached(minLsn))) return undefined;
    const recorded = await this.#userLsns.find(user);
    if (recorded === undefined) return undefined;
    const lsn = Math.max(minLsn, recorded.of(user) ?? 0);
    this.#next += 1;
    for (let step = 0; step < this.#replicas.length; step += 1) {
      const replica = this.#replicas[(this.#next + step) % this.#replicas.length];
      if (replica?.hasReached(recorded.epoch, lsn)) return replica;
    }
    return undefined;
  }

  /** The primary's LSN as of the maximum lag ago; beyond every replica while that is unknown. */
  #minLsn(): Lsn {
    const [first] = this.#samples;
    const isKnown = first !== undefined && performance.now() - first.at <= maxSampleAgeMs;
    return isKnown ? first.lsn : Number.POSITIVE_INFINITY;
  }

  async #samplePrimary(): Promise<void> {
    const at = performance.now();
    const samples = [...this.#samples, { at, lsn: await this.#userLsns.current() }];
    const first = samples.findLastIndex((sample) => at - sample.at >= this.#maxLagMs);
    this.#samples = samples.slice(Math.max(first, 0));
  }
}

/**
 * Runs a task now, and again after each interval since its end. The next run is the retry of one that fails.
 * @param interval in milliseconds
 * @returns the function that stops it
 */
const repeat = (interval: number, run: () => Promise<void>): (() => void) => {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const turn = async (): Promise<void> => {
    await run().catch(() => undefined);
    if (!isStopped) timer = setTimeout(turn, interval).unref();
  };
  void turn();
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
};
