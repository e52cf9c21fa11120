import { Instant } from '#domain/instant.ts';
import type { Id } from '#domain/resource.ts';
import type { IdempotencyRecord } from '../ports/idempotency.ts';
import type { Clock } from '../ports/system.ts';
import type { UnitOfWork } from '../ports/unit-of-work.ts';

/** How each kind of unsettled process is settled, by the name of the process. */
export type Recoveries = ReadonlyMap<string, (record: IdempotencyRecord) => Promise<void>>;

interface Dependencies {
  readonly unitOfWork: UnitOfWork;
  readonly clock: Clock;
  readonly recoveries: Recoveries;
}

/** Later than the end of any lease, also of one that was written before the clock was set back. */
const oneYearMs = 366 * 24 * 3_600_000;

/** Bounds the query. So many unsettled processes at once are an alert long before. */
const maxRecords = 10_000;

/**
 * Settles one payment or refund now, as the reconciler would: asks its provider, or only ends its process when the subject is
 * settled already. Does nothing when its process has ended.
 * @throws ApplicationError 'key-in-progress' while another process works on it; whatever the provider throws
 */
export const recoverProcessNow =
  ({ unitOfWork, clock, recoveries }: Dependencies) =>
  async (subject: Id): Promise<void> => {
    const bound = Instant.plus(clock.now(), oneYearMs);
    const records = await unitOfWork.read(({ idempotencyKeys }) =>
      idempotencyKeys.findStale({ createdBefore: bound, now: bound, leaseMs: 0, limit: maxRecords }),
    );
    const record = records.find(({ lease }) => lease?.subject === subject);
    if (record !== undefined) await recoveries.get(record.lease?.process ?? '')?.(record);
  };
