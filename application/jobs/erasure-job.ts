import { Erasure, type ErasureId } from '#domain/erasure.ts';
import { Instant } from '#domain/instant.ts';
import type { OrderId } from '#domain/order.ts';
import type { NumberEvents } from '../ports/events.ts';
import type { Clock } from '../ports/system.ts';
import type { UnitOfWork } from '../ports/unit-of-work.ts';
import type { Job } from './job.ts';
import { erasePersonalData } from './personal-data.ts';

interface Dependencies {
  readonly unitOfWork: UnitOfWork;
  /** The sequencer of the store, where it has one. */
  readonly numberEvents?: NumberEvents | undefined;
  readonly clock: Clock;
  /** Cancels an order and releases its stock, unless a payment is pending. */
  readonly cancel: (id: OrderId) => Promise<void>;
  /** How long after the lock of a user their last requests may still write, in milliseconds. The last pass begins later. */
  readonly quietMs: number;
}

/** How long a credential counts after it is gone, and how long a request takes by default, in milliseconds. */
export const defaultErasureQuietMs = 5_000 + 10_000;

/** How many batches one run erases, so that a user with many rows does not delay the other jobs. */
const maxBatchesPerRun = 100;

/** One walk through all that a user has. It yields after each batch, and returns whether all of it is erased. */
interface Pass {
  readonly isLast: boolean;
  readonly batches: AsyncGenerator<void, boolean, undefined>;
}

/**
 * Completes erasures: one pass at once, and one when nothing can be written as the user any more. A pass changes only what remains,
 * so that it can stop anywhere, also in a crash, and begin again.
 */
export const erasureJob = ({ unitOfWork, numberEvents, clock, cancel, quietMs }: Dependencies): Job => {
  /** Passes under way, and erasures whose first pass is over. A restart begins again. */
  const passes = new Map<ErasureId, Pass>();
  const waiting = new Set<ErasureId>();

  const isQuiet = ({ createdAt }: Erasure): boolean => {
    const now = clock.now();
    // A clock that was set back since counts as quiet, or the erasure would stay pending for as long.
    return now >= Instant.plus(createdAt, quietMs) || now < createdAt;
  };

  const passOf = (erasure: Erasure): Pass => {
    const existing = passes.get(erasure.id);
    if (existing !== undefined) return existing;
    const isLast = isQuiet(erasure);
    const batches = erasePersonalData({ unitOfWork, numberEvents, clock, isLast, cancel }, erasure);
    const pass = { isLast, batches };
    passes.set(erasure.id, pass);
    return pass;
  };

  const complete = (id: ErasureId): Promise<void> =>
    unitOfWork.run(async ({ erasures }) => {
      const erasure = await erasures.lock(id);
      if (erasure?.status === 'pending') await erasures.save(Erasure.complete(erasure, clock.now()));
    });

  /** @returns how many batches it has erased, and whether the erasure is completed */
  const advance = async (erasure: Erasure, maxBatches: number, signal: AbortSignal | undefined) => {
    const { isLast, batches } = passOf(erasure);
    for (let count = 0; count < maxBatches && !signal?.aborted; count += 1) {
      const { done, value } = await batches.next();
      if (!done) continue;
      passes.delete(erasure.id);
      waiting.add(erasure.id);
      const isComplete = isLast && value;
      if (isComplete) {
        await complete(erasure.id);
        waiting.delete(erasure.id);
      }
      return { count: count + 1, isComplete };
    }
    return { count: maxBatches, isComplete: false };
  };

  return async (signal) => {
    const { rows } = await unitOfWork.read(({ erasures }) =>
      erasures.page({ status: 'pending' }, { limit: 100 }),
    );
    const errors: unknown[] = [];
    let done = 0;
    let left = maxBatchesPerRun;
    for (const erasure of rows) {
      if (left <= 0 || signal?.aborted) break;
      if (waiting.has(erasure.id) && !passes.has(erasure.id) && !isQuiet(erasure)) continue;
      try {
        const { count, isComplete } = await advance(erasure, left, signal);
        left -= count;
        if (isComplete) done += 1;
      } catch (error) {
        passes.delete(erasure.id);
        errors.push(error);
      }
    }
    return { done, errors };
  };
};
