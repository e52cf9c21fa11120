import { Counter, Gauge, type Registry } from 'prom-client';
import type { BackgroundJobs } from '#application/jobs/background-jobs.ts';
import type { Job } from '#application/jobs/job.ts';
import { startingAtZero } from './measured-requests.ts';

/** Counts what the background jobs do, and shows whether this process holds the leader lease. */
export const measuredBackgroundJobs = (registry: Registry) => {
  const registers = [registry];
  const labelNames = ['task'] as const;
  const runs = new Counter({
    name: 'portico_housekeeping_rounds_total',
    help: 'Runs of a background job in this process.',
    labelNames,
    registers,
  });
  const done = new Counter({
    name: 'portico_housekeeping_done_total',
    help: 'Payments and refunds that were settled without their clients, payments whose payer did not act in time, orders that were canceled, products that were indexed, erasures that were completed, charges that were reconciled, and events of the provider that were read.',
    labelNames,
    registers,
  });
  const errors = new Counter({
    name: 'portico_housekeeping_obstacles_total',
    help: 'Errors of a background job; the next run tries again.',
    labelNames,
    registers,
  });
  let isLeader = false;
  new Gauge({
    name: 'portico_housekeeping_on_duty',
    help: '1 in the process that runs the background jobs for all processes that share the database.',
    registers,
    collect() {
      this.set(isLeader ? 1 : 0);
    },
  });

  const settled = startingAtZero(done.labels({ task: 'settle_unfinished' }));
  const expired = startingAtZero(done.labels({ task: 'expire_actions' }));
  const reindexed = startingAtZero(done.labels({ task: 'reindex_products' }));
  const erased = startingAtZero(done.labels({ task: 'erase_users' }));
  const reconciled = startingAtZero(done.labels({ task: 'reconcile_charges' }));
  const read = startingAtZero(done.labels({ task: 'poll_provider_events' }));
  const canceled = startingAtZero(done.labels({ task: 'expire_orders' }));

  const measure = (task: string, run: Job, successCount?: Counter.Internal): Job => {
    const runCount = startingAtZero(runs.labels({ task }));
    const errorCount = startingAtZero(errors.labels({ task }));
    return async (signal) => {
      runCount.inc();
      try {
        const result = await run(signal);
        successCount?.inc(result.done);
        errorCount.inc(result.errors.length);
        return result;
      } catch (error) {
        errorCount.inc();
        throw error;
      }
    };
  };

  return ({
    acquireLeadership,
    recoverAbandonedProcesses,
    expirePayments,
    expireOrders,
    purgeIdempotencyKeys,
    purgeEvents,
    reindexProducts,
    fillPastTimes,
    eraseUsers,
    reconcileCharges,
    pollProviderEvents,
  }: BackgroundJobs): BackgroundJobs => ({
    acquireLeadership: async (holder, milliseconds) => {
      try {
        const isAcquired = await acquireLeadership(holder, milliseconds);
        isLeader = isAcquired && milliseconds > 0;
        return isAcquired;
      } catch (error) {
        // A process that cannot renew its lease runs no jobs.
        isLeader = false;
        throw error;
      }
    },
    recoverAbandonedProcesses: measure('settle_unfinished', recoverAbandonedProcesses, settled),
    expirePayments: measure('expire_actions', expirePayments, expired),
    expireOrders: measure('expire_orders', expireOrders, canceled),
    purgeIdempotencyKeys: measure('forget_keys', purgeIdempotencyKeys),
    purgeEvents: measure('forget_events', purgeEvents),
    reindexProducts: measure('reindex_products', reindexProducts, reindexed),
    fillPastTimes: measure('fill_times', fillPastTimes),
    eraseUsers: measure('erase_users', eraseUsers, erased),
    reconcileCharges: measure('reconcile_charges', reconcileCharges, reconciled),
    pollProviderEvents: measure('poll_provider_events', pollProviderEvents, read),
  });
};
