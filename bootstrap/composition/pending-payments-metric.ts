import type { Clock } from '#application/ports/system.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import { Instant } from '#domain/instant.ts';

/** Bounds one query. A gauge that stands at this count is an alert already. */
const maxCount = 1000;

/** Later than the end of any lease. */
const oneYearMs = 366 * 24 * 3_600_000;

/** Counts the payments and refunds that have begun at the provider and are not settled, with the age of the oldest. */
export const pendingPayments =
  ({ unitOfWork, clock }: { readonly unitOfWork: UnitOfWork; readonly clock: Clock }) =>
  async () => {
    const now = clock.now();
    // If the clock has been set back, some began in the future. This bound includes them.
    const bound = Instant.plus(now, oneYearMs);
    const records = await unitOfWork.read(({ idempotencyKeys }) =>
      idempotencyKeys.findStale(bound, bound, maxCount),
    );
    return ['payment', 'refund'].map((process) => {
      const ages = records
        .filter(({ lease }) => lease?.process === process)
        .map(({ createdAt }) => Instant.milliseconds(now) - Instant.milliseconds(createdAt));
      return { process, count: ages.length, age: Math.max(0, ...ages) / 1000 };
    });
  };
