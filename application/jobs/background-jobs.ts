import { Instant } from '#domain/instant.ts';
import { Order, type OrderId } from '#domain/order.ts';
import { OrderExpiry } from '#domain/order-expiry.ts';
import { idempotencyKeyLifetimeMs } from '../idempotency/idempotency.ts';
import type { Recoveries } from '../idempotency/recover-process-now.ts';
import { releaseOrderStock } from '../inventory/stock.ts';
import type { NumberEvents } from '../ports/events.ts';
import type { IdempotencyRecord } from '../ports/idempotency.ts';
import type { PageRequest } from '../ports/repositories.ts';
import type { Clock } from '../ports/system.ts';
import type { UnitOfWork } from '../ports/unit-of-work.ts';
import { cancelOrphanedDeliveries } from '../webhooks/cancel-orphaned-deliveries.ts';
import { type LossObserver, reportUndelivered } from '../webhooks/observer.ts';
import { erasureJob } from './erasure-job.ts';
import { type Job, runEach } from './job.ts';
import { pastTimesJob } from './past-times.ts';
import { reindexJob } from './product-index.ts';
import { type RetryDelays, retryDelays } from './retry-delays.ts';

interface Dependencies {
  readonly unitOfWork: UnitOfWork;
  /** The sequencer of the store, where it has one. */
  readonly numberEvents?: NumberEvents | undefined;
  readonly clock: Clock;
  readonly recoveries: Recoveries;
  /** Makes the job that ends payments whose payer did not act. */
  readonly expirePayments: (unitOfWork: UnitOfWork, delays: RetryDelays) => Job;
  /** The lease of a process, in milliseconds. */
  readonly leaseMs: number;
  /** The age from which the reconciler settles an unsettled process, in milliseconds. */
  readonly reconcileAfterMs: number;
  /** How long an order can wait for its payment, in milliseconds; 0 means forever. */
  readonly orderLifetimeMs: number;
  /** How long after the lock of a user their last requests may still write, in milliseconds. */
  readonly erasureQuietMs: number;
  readonly eventRetentionMs: number;
  readonly webhookObserver?: LossObserver;
  /** The jobs that ask the provider what became of its charges. */
  readonly ofProvider?: { readonly reconcileCharges: Job; readonly pollProviderEvents: Job };
}

/** How many batches of events one run deletes: some seconds, so that a long backlog does not delay payments and orders for minutes. */
const maxPurgesPerRun = 500;

/** How many rows one query reads. */
const batchSize = 100;

const idle: Job = async () => ({ done: 0, errors: [] });
const noObserver: LossObserver = { lost: () => undefined, warn: () => undefined };
const noProvider = { reconcileCharges: idle, pollProviderEvents: idle };

/**
 * The jobs that run without a request: reconciler, end of payments whose payer did not act, reaper of idempotency keys, expiry of
 * unpaid orders, the index of products, times that rows of earlier releases do not have, and erasures. Each is safe to run at any time, in several processes at once. The leader
 * lease only avoids duplicate work.
 */
export const backgroundJobs = ({
  unitOfWork,
  numberEvents,
  clock,
  recoveries,
  expirePayments,
  ofProvider = noProvider,
  webhookObserver = noObserver,
  ...durations
}: Dependencies) => {
  const delays = retryDelays(clock);
  const cancelOrphaned = cancelOrphanedDeliveries({ unitOfWork, clock, observer: webhookObserver });

  /**
   * Acquires or renews the leader lease.
   * @param holder the unique name of this process
   * @param ttlMs how long no other process can acquire the lease, in milliseconds; 0 releases it
   * @returns whether this process is the leader
   */
  const acquireLeadership = (holder: string, ttlMs: number): Promise<boolean> =>
    unitOfWork.run(async ({ leases }) => {
      const now = clock.now();
      const lease = { name: 'housekeeping', holder, expiresAt: Instant.plus(now, ttlMs) };
      return leases.acquire(lease, now);
    });

  /**
   * Reconciler: settles payments and refunds that their clients abandoned. One that fails (its provider is unavailable, or
   * another process holds the lease) is retried by a later run and delays no other.
   */
  const recoverAbandonedProcesses: Job = async (signal) => {
    for (let settled = 0; ; ) {
      const records = await findDue();
      const result = await runEach(records, recover, signal);
      settled += result.done;
      const errors = result.errors.filter(delays.isReported);
      // After an error the next batch might hold the same records again, so the rest waits for the next run.
      if (records.length < batchSize || errors.length > 0 || signal?.aborted)
        return { done: settled, errors };
    }
  };

  /** Finds stale processes, without those that wait for their retry delay. */
  const findDue = async (): Promise<readonly IdempotencyRecord[]> => {
    const now = clock.now();
    delays.forgetDue();
    const createdBefore = Instant.plus(now, -durations.reconcileAfterMs);
    // So many more that those that wait hold up no other.
    const limit = batchSize + delays.size;
    const query = { createdBefore, now, leaseMs: durations.leaseMs, limit };
    const stale = await unitOfWork.read(({ idempotencyKeys }) => idempotencyKeys.findStale(query));
    return stale.filter(({ lease }) => !delays.has(lease?.subject ?? '')).slice(0, batchSize);
  };

  const recover = async (record: IdempotencyRecord): Promise<void> => {
    const process = record.lease?.process ?? '';
    const recovery = recoveries.get(process);
    if (recovery === undefined)
      throw new TypeError(`No recovery is registered for the process "${process}".`);
    await delays.guard(recovery(record));
  };

  /** Reaper: deletes idempotency records that are older than their lifetime. */
  const purgeIdempotencyKeys: Job = async (signal) => {
    const createdBefore = Instant.plus(clock.now(), -idempotencyKeyLifetimeMs);
    let hasMore = true;
    while (hasMore && !signal?.aborted) {
      hasMore = await unitOfWork.run(({ idempotencyKeys }) => idempotencyKeys.deleteExpired(createdBefore));
    }
    return { done: 0, errors: [] };
  };

  /** Deletes events that are older than they are kept, and the deliveries of webhooks of that age. */
  const purgeEvents: Job = async (signal) => {
    const now = clock.now();
    const than = Instant.plus(now, -durations.eventRetentionMs);
    let hasMore = true;
    for (let batch = 0; hasMore && batch < maxPurgesPerRun && !signal?.aborted; batch += 1) {
      const deleted = await unitOfWork.run(async ({ events, webhookQueue }) => {
        const hasMoreEvents = await events.deleteOlder(than, now);
        const deliveries = await webhookQueue.deleteOlder(than);
        return { ...deliveries, hasMore: deliveries.hasMore || hasMoreEvents };
      });
      hasMore = deleted.hasMore;
      for (const { endpointId, count } of deleted.undelivered)
        reportUndelivered(webhookObserver, endpointId, count);
    }
    await cancelOrphaned();
    return { done: 0, errors: [] };
  };

  /** Cancels orders that were not paid within their lifetime, and releases their stock. */
  const expireOrders: Job = async (signal) => {
    if (durations.orderLifetimeMs === 0) return { done: 0, errors: [] };
    const createdBefore = Instant.plus(clock.now(), -durations.orderLifetimeMs);
    const errors: unknown[] = [];
    let done = 0;
    let page: PageRequest<OrderId> | undefined = { limit: batchSize };
    while (page !== undefined && !signal?.aborted) {
      const { ids, next } = await findOverdue(createdBefore, page);
      const result = await runEach(ids, expire, signal);
      done += result.done;
      errors.push(...result.errors);
      page = next;
    }
    return { done, errors };
  };

  /** Ids ascend by creation time, so overdue orders come first; `next` is undefined after the last of them. */
  const findOverdue = (createdBefore: Instant, page: PageRequest<OrderId>) =>
    unitOfWork.read(async ({ orders }) => {
      const { rows, hasMore } = await orders.page({ status: 'pending' }, page);
      const overdue = rows.filter(({ createdAt }) => createdAt <= createdBefore);
      const ids = overdue.filter((order) => !order.paying && !hasSecondTry(order)).map(({ id }) => id);
      const mayHaveMore = hasMore && overdue.length === rows.length;
      return { ids, next: mayHaveMore ? { ...page, after: overdue.at(-1)?.id } : undefined };
    });

  /** Whether the order's time ran out while a payment locked it, and the first lock after it ended a moment ago. */
  const hasSecondTry = (order: Order): boolean =>
    OrderExpiry.hasSecondTry(order, durations.orderLifetimeMs) &&
    !OrderExpiry.isSecondTryOver(order, durations.orderLifetimeMs, clock.now());

  const expire = (id: OrderId): Promise<void> => cancelUnless(hasSecondTry)(id);

  /** Cancels an order and releases its stock, unless a payment is pending or it is no longer pending itself. */
  const cancelUnless =
    (isKept: (order: Order) => boolean) =>
    (id: OrderId): Promise<void> =>
      unitOfWork.run(async ({ orders, orderItems, products }) => {
        const order = await orders.lock(id);
        if (order === undefined || order.status !== 'pending' || order.paying || isKept(order)) return;
        const at = clock.now();
        await orders.save(Order.transitionTo(order, 'canceled', at));
        await releaseOrderStock(products, orderItems, id, at);
      });

  const reindexProducts = reindexJob({ unitOfWork, clock });
  const fillPastTimes = pastTimesJob({ unitOfWork, clock });
  const eraseUsers = erasureJob({
    unitOfWork,
    numberEvents,
    clock,
    cancel: cancelUnless(() => false),
    quietMs: durations.erasureQuietMs,
  });

  return {
    ...{ acquireLeadership, recoverAbandonedProcesses, purgeIdempotencyKeys, purgeEvents },
    expirePayments: expirePayments(unitOfWork, delays),
    ...{ expireOrders, reindexProducts, fillPastTimes, eraseUsers },
    ...ofProvider,
  };
};

export type BackgroundJobs = ReturnType<typeof backgroundJobs>;
