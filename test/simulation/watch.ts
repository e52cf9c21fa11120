import type { IdempotencyKeys, RememberedKey } from '#application/ports/idempotency.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';

/**
 * Watches that nobody writes over what somebody else has settled: an answer stays as it is, and whoever settled a payment
 * or refund has had the last word. Often nobody could tell afterwards, for the second writer has the same to say.
 * @param notice is told of each breach that is committed
 */
export const watched = (store: UnitOfWork, notice: (breach: string) => void): UnitOfWork => ({
  run: async (work) => {
    let breaches: string[] = [];
    const result = await store.run((repositories) => {
      breaches = [];
      const idempotencyKeys = watchedKeys(repositories.idempotencyKeys, (breach) => breaches.push(breach));
      return work({ ...repositories, idempotencyKeys });
    });
    breaches.forEach(notice);
    return result;
  },
  read: (reading) => store.read(reading),
});

const watchedKeys = (keys: IdempotencyKeys, notice: (breach: string) => void): IdempotencyKeys => ({
  hold: (userId, key) => keys.hold(userId, key),
  add: (remembered) => keys.add(remembered),
  save: async (after) => {
    const before = await keys.hold(after.userId, after.key);
    if (before !== undefined && isSettled(before) && !isAnswering(before, after)) {
      notice(`${after.key} was settled, and somebody wrote it once more.`);
    }
    await keys.save(after);
  },
  remove: (userId, key) => keys.remove(userId, key),
  forget: (createdBefore, limit) => keys.forget(createdBefore, limit),
  unsettled: (createdBefore, leaseBefore, limit) => keys.unsettled(createdBefore, leaseBefore, limit),
});

const isSettled = ({ undertaking }: RememberedKey): boolean =>
  undertaking !== null && undertaking.leaseUntil === null;

/** What was settled for a client who did not come back gets its answer when they do. */
const isAnswering = (before: RememberedKey, after: RememberedKey): boolean =>
  before.answer === null && after.answer !== null && isSettled(after);
