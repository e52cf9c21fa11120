import type { IdempotencyRecord, IdempotencyStore } from '#application/ports/idempotency.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import type { Instant } from '#domain/instant.ts';
import { watchedPayments } from './watch-payments.ts';

/**
 * Watches that one process at a time holds a lease, that none overwrites what another has settled (fencing), and what becomes of
 * payments. The end state often hides such a breach, because the second process writes the same.
 * @param notice is called with each breach that commits
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
      const find = (breach: string) => breaches.push(breach);
      const idempotencyKeys = watchedKeys(repositories.idempotencyKeys, clock, find);
      return work({ ...repositories, ...watchedPayments(repositories, find), idempotencyKeys });
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
  add: (record) => keys.add(record),
  save: async (after) => {
    const before = await keys.lock(after.userId, after.key);
    if (before !== undefined && isSettled(before) && !changesResponseOnly(before, after)) {
      notice(`${after.key} was settled, and another process overwrote it.`);
    }
    if (before !== undefined && isTakenOverEarly(before, after, clock.instant)) {
      notice(`${after.key} was taken over while another process held the lease.`);
    }
    await keys.save(after);
  },
  remove: (userId, key) => keys.remove(userId, key),
  deleteExpired: (createdBefore) => keys.deleteExpired(createdBefore),
  findStale: (query) => keys.findStale(query),
  findMentioning: (id, limit) => keys.findMentioning(id, limit),
});

const isSettled = ({ lease }: IdempotencyRecord): boolean => lease !== null && lease.leaseUntil === null;

const isTakenOverEarly = (before: IdempotencyRecord, after: IdempotencyRecord, now: Instant): boolean =>
  before.lease !== null &&
  after.lease !== null &&
  after.lease.fencingToken > before.lease.fencingToken &&
  (before.lease.leaseUntil ?? now) > now;

/** A retry may add the response to a subject that the reconciler has settled, and an erasure may empty one. */
const changesResponseOnly = (before: IdempotencyRecord, after: IdempotencyRecord): boolean =>
  (before.response === null) !== (after.response === null) && isSettled(after);
