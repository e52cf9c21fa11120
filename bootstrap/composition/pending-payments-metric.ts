import type { Clock } from '#application/ports/system.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import { Instant } from '#domain/instant.ts';

/** More of them are not counted: whoever sees so many knows enough. */
const most = 1000;

/** Longer than any lease, in milliseconds. */
const year = 366 * 24 * 3_600_000;

/** What was begun at the provider and is not settled, and how long ago the oldest was begun. */
export const pendingPayments =
  ({ unitOfWork, clock }: { readonly unitOfWork: UnitOfWork; readonly clock: Clock }) =>
  async () => {
    const now = clock.now();
    // By a clock that has been put back since, it may have been begun in times to come.
    const never = Instant.plus(now, year);
    const keys = await unitOfWork.read(({ idempotencyKeys }) =>
      idempotencyKeys.findStale(never, never, most),
    );
    return ['payment', 'refund'].map((process) => {
      const ages = keys
        .filter(({ lease: undertaking }) => undertaking?.process === process)
        .map(({ createdAt }) => Instant.milliseconds(now) - Instant.milliseconds(createdAt));
      return { process, count: ages.length, age: Math.max(0, ...ages) / 1000 };
    });
  };
