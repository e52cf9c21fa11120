import type { RequestContext } from '#application/ports/unit-of-work.ts';
import type { UserId } from '#domain/user.ts';
import { noDeadline } from '../../retry.ts';
import type { ReadSession } from '../../sql/session.ts';
import { createBatcher } from '../read-coalescing/batcher.ts';
import type { Replica } from './replica.ts';
import type { Lsn, UserLsns } from './user-lsn.ts';

/** By how much a replica may lag behind the primary, in milliseconds. One that lags more serves no reads. */
const defaultMaxLagMs = 5_000;

/** Without a sample of the primary's LSN younger than this, in milliseconds, the lag is unknown and no replica serves reads. */
const maxSampleAgeMs = 30_000;

/** The pauses between polls of the replicas, those while something waits for them, samples of the primary, and deletions of expired LSNs, in milliseconds. */
const pausesMs = { poll: 100, replay: 20, sample: 1_000, deletion: 10_000 };

/** The primary's LSN at a point in time. */
interface PrimarySample {
  readonly at: number;
  readonly lsn: Lsn;
}

/**
 * Serves reads from replicas with read-your-writes: a user always finds what they wrote, whichever process wrote it. A
 * replica that is unavailable costs a read at most the time until its timeout.
 * @param maxLagMs by how much a replica that serves reads may lag behind the primary, in milliseconds
 * @throws as a session does when the primary is unavailable; replicas may be unavailable
 */
export const startReplicas = async (
  userLsns: UserLsns,
  replicas: readonly Replica[],
  maxLagMs = defaultMaxLagMs,
) => {
  await userLsns.ensureEpoch();
  /** The first one is older than the maximum lag, so every replica in use must have reached its LSN. */
  let samples: readonly PrimarySample[] = [];
  let next = 0;
  let isClosed = false;

  const samplePrimary = async (): Promise<void> => {
    const at = performance.now();
    const all = [...samples, { at, lsn: await userLsns.current() }];
    const first = all.findLastIndex((sample) => at - sample.at >= maxLagMs);
    samples = all.slice(Math.max(first, 0));
  };

  /** The primary's LSN as of the maximum lag ago; beyond every replica while that is unknown. */
  const findMinLsn = (): Lsn => {
    const [first] = samples;
    const isKnown = first !== undefined && performance.now() - first.at <= maxSampleAgeMs;
    return isKnown ? first.lsn : Number.POSITIVE_INFINITY;
  };

  /**
   * Chooses, in turn, a replica that has reached the user's LSN and does not lag.
   * @throws as a session does when the user's LSN cannot be recorded: other processes would not know of what the user reads
   */
  const choose = async (user: UserId): Promise<Replica | undefined> => {
    await userLsns.awaitPending(user);
    const minLsn = findMinLsn();
    // When every replica lags, the user's LSN on the primary makes no difference.
    if (!replicas.some((replica) => replica.mayHaveReached(minLsn))) return undefined;
    const recorded = await userLsns.find(user);
    if (recorded === undefined) return undefined;
    const lsn = Math.max(minLsn, recorded.of(user) ?? 0);
    next += 1;
    for (let step = 0; step < replicas.length; step += 1) {
      const replica = replicas[(next + step) % replicas.length];
      if (replica?.hasReached(recorded.epoch, lsn)) return replica;
    }
    return undefined;
  };

  /**
   * The LSN that a replica has reached that some process may use. Without a sample that is old enough, that is each replica that
   * responds.
   */
  const oldestLsn = (): Lsn => {
    const [first] = samples;
    return first !== undefined && performance.now() - first.at >= maxLagMs ? first.lsn : 0;
  };

  /** The log's end, in one query for all that ask at once. */
  const findEnd = createBatcher(() => userLsns.current());

  let polling: Promise<unknown> | undefined;
  /** Polls all replicas, once for all that wait. */
  const pollAll = (): Promise<unknown> => {
    polling ??= Promise.all(replicas.map((replica) => replica.poll())).finally(() => {
      polling = undefined;
    });
    return polling;
  };

  /**
   * Waits until each replica in use shows everything that was committed before, and at most for the lag with which one is in use.
   * @throws as a session does when the primary is unavailable
   */
  const untilReplayed = async (signal: AbortSignal): Promise<void> => {
    const deadline = performance.now() + maxLagMs;
    const end = await findEnd(undefined);
    const isLate = (replica: Replica) => replica.mayHaveReached(oldestLsn()) && !replica.mayHaveReached(end);
    while (replicas.some(isLate) && !isClosed && !signal.aborted && performance.now() < deadline) {
      await pollAll();
      if (replicas.some(isLate)) await new Promise((resolve) => setTimeout(resolve, pausesMs.replay).unref());
    }
  };

  /**
   * The reads of one read use case. All go to one replica, and to the primary after the first failure.
   * @param primary serves the read where no replica can
   */
  const readsFor = ({ actor, deadline = noDeadline }: RequestContext, primary: ReadSession): ReadSession => {
    let choice: Promise<Replica | undefined> | undefined;
    const read = async <T>(from: (reads: ReadSession) => Promise<T>): Promise<T> => {
      choice ??= choose(actor);
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
      firstBy: (table, column, values, limit) => read((reads) => reads.firstBy(table, column, values, limit)),
      page: (table, query) => read((reads) => reads.page(table, query)),
    };
  };

  /** Runs a task now, and again after each pause until the end. The next run is the retry of one that fails. */
  const repeat = async (pauseMs: number, run: () => Promise<void>): Promise<void> => {
    while (!isClosed) {
      await run().catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, pauseMs).unref());
    }
  };
  for (const replica of replicas) void repeat(pausesMs.poll, () => replica.poll());
  void repeat(pausesMs.sample, samplePrimary);
  void repeat(pausesMs.deletion, () => userLsns.deleteExpired());
  return {
    readsFor,
    untilReplayed,
    close: async (): Promise<void> => {
      isClosed = true;
      await Promise.all(replicas.map((replica) => replica.close()));
    },
  };
};

export type Replicas = Awaited<ReturnType<typeof startReplicas>>;
