import type { IdempotencyRecord, IdempotencyStore } from '#application/ports/idempotency.ts';
import type { StoreUnitOfWork } from '#application/ports/unit-of-work.ts';
import type { Instant } from '#domain/instant.ts';
import { EventWatch } from './watch-events.ts';
import { type OrderRules, watchedOrders } from './watch-orders.ts';
import { watchedPayments } from './watch-payments.ts';

/**
 * Watches that one process at a time holds a lease, that none overwrites what another has settled (fencing), and what becomes of
 * payments and orders. The end state often hides such a breach, because the second process writes the same.
 * @param notice is called with each breach that commits
 */
export const watched = (
  store: StoreUnitOfWork,
  rules: OrderRules,
  notice: (breach: string) => void,
): StoreUnitOfWork => ({
  run: async (work) => {
    let breaches: string[] = [];
    let events = new EventWatch();
    const result = await store.run((repositories) => {
      breaches = [];
      const find = (breach: string) => breaches.push(breach);
      events = new EventWatch();
      const noted = { ...repositories, ...events.around(repositories) };
      return work({
        ...noted,
        ...watchedPayments(noted, find),
        ...watchedOrders(noted, rules, find),
        idempotencyKeys: watchedKeys(repositories.idempotencyKeys, rules, find),
      });
    });
    [...breaches, ...events.breaches].forEach(notice);
    return result;
  },
  read: (reading) => store.read(reading),
});

const watchedKeys = (
  keys: IdempotencyStore,
  { now }: Pick<OrderRules, 'now'>,
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
    if (before !== undefined && isTakenOverEarly(before, after, now())) {
      notice(`${after.key} was taken over while another process held the lease.`);
    }
    await keys.save(after);
  },
  remove: (userId, key) => keys.remove(userId, key),
  deleteExpired: (createdBefore) => keys.deleteExpired(createdBefore),
  findStale: (query) => keys.findStale(query),
  findMentioning: (ids, limit) => keys.findMentioning(ids, limit),
  findById: (id) => keys.findById(id),
  page: (filter, request) => keys.page(filter, request),
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
