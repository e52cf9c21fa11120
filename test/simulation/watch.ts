import type { IdempotencyRecord, IdempotencyStore } from '#application/ports/idempotency.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import type { Instant } from '#domain/instant.ts';

/**
 * Watches that one at a time is at work, and that nobody writes over what somebody else has settled: an answer stays as it
 * is, and whoever settled a payment or refund has had the last word. Often nobody could tell afterwards, for the second
 * has the same to say.
 * @param notice is told of each breach that is committed
 */
export const watched = (
  store: UnitOfWork,
  clock: { readonly instant: Instant },
  notice: (breach: string) => void,
): UnitOfWork => ({
  run: async (work) => {
    let breaches: string[] = [];
    const result = await store.run((repositories) => {
      breaches = [];
      const idempotencyKeys = watchedKeys(repositories.idempotencyKeys, clock, (breach) =>
        breaches.push(breach),
      );
      return work({ ...repositories, idempotencyKeys });
    });
    breaches.forEach(notice);
    return result;
  },
  read: (reading) => store.read(reading),
});

const watchedKeys = (
  keys: IdempotencyStore,
  clock: { readonly instant: Instant },
  notice: (breach: string) => void,
): IdempotencyStore => ({
  find: (userId, key) => keys.find(userId, key),
  lock: (userId, key) => keys.lock(userId, key),
  add: (remembered) => keys.add(remembered),
  save: async (after) => {
    const before = await keys.lock(after.userId, after.key);
    if (before !== undefined && isSettled(before) && !isAnswering(before, after)) {
      notice(`${after.key} was settled, and somebody wrote it once more.`);
    }
    if (before !== undefined && isTakenFrom(before, after, clock.instant)) {
      notice(`${after.key} was taken up while somebody else was at it.`);
    }
    await keys.save(after);
  },
  remove: (userId, key) => keys.remove(userId, key),
  deleteExpired: (createdBefore) => keys.deleteExpired(createdBefore),
  findStale: (...which) => keys.findStale(...which),
});

const isSettled = ({ lease: undertaking }: IdempotencyRecord): boolean =>
  undertaking !== null && undertaking.leaseUntil === null;

const isTakenFrom = (before: IdempotencyRecord, after: IdempotencyRecord, now: Instant): boolean =>
  before.lease !== null &&
  after.lease !== null &&
  after.lease.fencingToken > before.lease.fencingToken &&
  (before.lease.leaseUntil ?? now) > now;

/** What was settled for a client who did not come back gets its answer when they do. */
const isAnswering = (before: IdempotencyRecord, after: IdempotencyRecord): boolean =>
  before.response === null && after.response !== null && isSettled(after);
