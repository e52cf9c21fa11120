import { expect } from 'chai';
import { openMemory } from '#adapters/persistence/memory/open.ts';
import { startBackgroundWorker } from '#adapters/system/background-worker.ts';
import { type BackgroundJobs, backgroundJobs } from '#application/jobs/background-jobs.ts';
import type { Job } from '#application/jobs/job.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import { Instant } from '#domain/instant.ts';
import { SimulatedTime } from '../../support/simulated-time.ts';

/** They cause the shortest interval by default (250 ms, a lease of 750 ms), and the longest (5 s, a lease of 15 s). */
const times = { short: 500, long: 60_000 };
const intervalMs = { short: 250, long: 5_000 };
const leaseMs = { short: 750, long: 15_000 };

const done = { done: 0, errors: [] };
const never = (): Promise<never> => new Promise(() => undefined);

describe('Background workers', () => {
  let time: SimulatedTime;
  let unitOfWork: UnitOfWork;
  const running: { stop(): Promise<void> }[] = [];
  beforeEach(async () => {
    time = new SimulatedTime();
    ({ unitOfWork } = await openMemory());
  });
  afterEach(async () => {
    const stopped = Promise.all(running.splice(0).map((keeper) => keeper.stop()));
    await time.pass(20_000);
    await stopped;
    time.end();
  });

  const newJobs = (): BackgroundJobs =>
    backgroundJobs({
      unitOfWork,
      clock: { now: () => Instant.at(1_700_000_000_000 + Math.floor(time.now)) },
      recoveries: new Map(),
      expirePayments: () => async () => done,
      leaseMs: 500,
      reconcileAfterMs: 500,
      orderLifetimeMs: 0,
      erasureQuietMs: 0,
      eventRetentionMs: 0,
    });

  /** Starts a worker with the default intervals, and counts its runs and reports. */
  const start = (name: string, changed: Partial<BackgroundJobs> = {}, reconcileAfterMs = times.short) => {
    const seen = { runs: 0, reports: [] as unknown[] };
    const jobs = newJobs();
    const recoverAbandonedProcesses: Job = async (signal) => {
      seen.runs += 1;
      return jobs.recoverAbandonedProcesses(signal);
    };
    const keeper = startBackgroundWorker(
      { ...jobs, recoverAbandonedProcesses, ...changed },
      {
        ...{ name, reconcileAfterMilliseconds: reconcileAfterMs },
        report: (error) => seen.reports.push(error),
      },
    );
    running.push(keeper);
    return { seen, stop: keeper.stop, reconcileDue: keeper.reconcileDue };
  };

  /** A job that counts its runs. */
  const counting = () => {
    const looks = { made: 0 };
    const reconcileCharges: Job = async () => {
      looks.made += 1;
      return done;
    };
    return { looks, reconcileCharges };
  };

  it('run the jobs in one process of those that share a store, at each interval', async () => {
    const first = start('first');
    await time.pass(intervalMs.short);
    const second = start('second');
    await time.pass(10 * intervalMs.short);
    expect(first.seen.runs).to.be.within(10, 11);
    expect(second.seen.runs).to.equal(0);
  });

  it('look up at the provider each second in the leader alone, also while another job runs', async () => {
    const [inLeader, elsewhere] = [counting(), counting()];
    start('first', { recoverAbandonedProcesses: never, reconcileCharges: inLeader.reconcileCharges });
    start('second', { acquireLeadership: async () => false, reconcileCharges: elsewhere.reconcileCharges });
    await time.pass(10_500);
    expect([inLeader.looks.made, elsewhere.looks.made]).to.deep.equal([10, 0]);
  });

  it('look up at once in the leader when an event has named a place', async () => {
    const [inLeader, elsewhere] = [counting(), counting()];
    const leader = start('first', { reconcileCharges: inLeader.reconcileCharges });
    await time.pass(intervalMs.short);
    const other = start('second', { reconcileCharges: elsewhere.reconcileCharges });
    await time.pass(intervalMs.short);
    expect(inLeader.looks.made).to.equal(0);
    other.reconcileDue();
    leader.reconcileDue();
    await time.pass(10);
    expect([inLeader.looks.made, elsewhere.looks.made]).to.deep.equal([1, 0]);
  });

  it('take over within the next interval from a worker that stops', async () => {
    const first = start('first', {}, times.long);
    await time.pass(intervalMs.long);
    const second = start('second');
    await first.stop();
    await time.passUntil(() => second.seen.runs > 0, intervalMs.short + 10);
    expect(first.seen.reports).to.deep.equal([]);
  });

  it('take over within 20 seconds from a worker that died, and not before its lease has expired', async () => {
    const jobs = newJobs();
    let renewedAt = 0;
    let isDead = false;
    start(
      'first',
      {
        acquireLeadership: async (name, milliseconds) => {
          if (isDead) return milliseconds === 0 || never();
          renewedAt = time.now;
          return jobs.acquireLeadership(name, milliseconds);
        },
      },
      times.long,
    );
    // The second tries just before the lease expires, and so waits another interval.
    await time.pass(intervalMs.long - 50, 50);
    const second = start('second', {}, times.long);
    const begun = time.now;
    await time.passUntil(() => renewedAt > begun, 2 * intervalMs.long);
    isDead = true;
    await time.pass(leaseMs.long - 100, 50);
    expect(second.seen.runs).to.equal(0);
    await time.passUntil(() => second.seen.runs > 0, 30_000);
    expect(time.now - renewedAt).to.be.most(20_000);
  });

  it('keep the lease however long a run takes', async () => {
    const long = Promise.withResolvers<void>();
    const ended: (boolean | undefined)[] = [];
    start('slow', {
      recoverAbandonedProcesses: async (signal) => {
        await long.promise;
        ended.push(signal?.aborted);
        return done;
      },
    });
    await time.pass(intervalMs.short);
    const second = start('second');
    await time.pass(5 * leaseMs.short);
    expect(second.seen.runs).to.equal(0);
    long.resolve();
    await time.passUntil(() => ended.length > 0, 100);
    expect(ended, 'aborted').to.deep.equal([false]);
  });

  it('abort a run when another process holds the lease', async () => {
    const jobs = newJobs();
    let attempts = 0;
    let isAborted = false;
    start('held up', {
      // As if the process had been suspended until another one acquired the lease.
      acquireLeadership: async (name, milliseconds) => {
        attempts += 1;
        return attempts === 1 ? jobs.acquireLeadership(name, milliseconds) : false;
      },
      recoverAbandonedProcesses: async (signal) => {
        await new Promise((resolve) => signal?.addEventListener('abort', resolve));
        isAborted = true;
        return done;
      },
    });
    await time.passUntil(() => isAborted, 2 * intervalMs.short + 50);
  });

  it('do not acquire the lease again after they have released it', async () => {
    const jobs = newJobs();
    const acquired: number[] = [];
    const held = Promise.withResolvers<void>();
    let isRenewing = false;
    const { stop } = start('stopping', {
      acquireLeadership: async (name, milliseconds) => {
        if (acquired.length === 1 && milliseconds > 0) {
          isRenewing = true;
          await held.promise;
        }
        acquired.push(milliseconds);
        return jobs.acquireLeadership(name, milliseconds);
      },
      recoverAbandonedProcesses: never,
    });
    await time.passUntil(() => isRenewing, 1_000);
    const stopped = stop();
    // Longer than the stop waits for the run, and not so long as it waits for the lease, too.
    await time.pass(2_500);
    held.resolve();
    await stopped;
    const second = start('second');
    await time.pass(4 * intervalMs.short);
    expect(second.seen.runs).to.be.least(3);
    expect(acquired).to.deep.equal([leaseMs.short, leaseMs.short, 0]);
  });

  it('stop after two seconds, even when a run takes longer, and after four when the lease takes longer, too', async () => {
    for (const [acquireLeadership, expectedMs] of [
      [async () => true, 2_000],
      [async (_: string, milliseconds: number) => milliseconds === 0 || never(), 4_000],
    ] as const) {
      let isRunning = false;
      let attempts = 0;
      const { stop } = start('waiting', {
        acquireLeadership: async (name, milliseconds) => {
          attempts += 1;
          return attempts === 1 || acquireLeadership(name, milliseconds);
        },
        recoverAbandonedProcesses: () => {
          isRunning = true;
          return never();
        },
      });
      await time.passUntil(() => isRunning && attempts > 1, 1_000);
      let isStopped = false;
      void stop().then(() => {
        isStopped = true;
      });
      expect(await time.passUntil(() => isStopped, 10_000)).to.be.closeTo(expectedMs, 100);
    }
  });

  it('report errors, and go on', async () => {
    const obstacle = new Error('The provider is unavailable.');
    const failure = new Error('The store is unavailable.');
    let made = 0;
    const keeper = start('only', {
      recoverAbandonedProcesses: async () => {
        made += 1;
        if (made === 2) throw failure;
        return { done: 0, errors: made === 1 ? [obstacle] : [] };
      },
    });
    await time.pass(4 * intervalMs.short);
    expect(made).to.be.least(3);
    expect(keeper.seen.reports).to.deep.equal([obstacle, failure]);
  });

  it('report that the lease could not be acquired, and try again', async () => {
    const failure = new Error('The store is unavailable.');
    const jobs = newJobs();
    let attempts = 0;
    const keeper = start('only', {
      acquireLeadership: async (name, milliseconds) => {
        attempts += 1;
        if (attempts === 1) throw failure;
        return jobs.acquireLeadership(name, milliseconds);
      },
    });
    await time.passUntil(() => keeper.seen.runs > 0, 1_000);
    expect(keeper.seen.reports).to.deep.equal([failure]);
  });

  it('renew a lease of three intervals: 750 ms at the shortest, 15 seconds at the longest', async () => {
    for (const length of ['short', 'long'] as const) {
      const leases: number[] = [];
      const { stop } = start(
        'only',
        {
          acquireLeadership: async (_, milliseconds) => {
            leases.push(milliseconds);
            return true;
          },
        },
        times[length],
      );
      await time.pass(3 * intervalMs[length]);
      expect(leases.length, 'renewals').to.be.within(2, 4);
      await stop();
      expect(new Set(leases)).to.deep.equal(new Set([leaseMs[length], 0]));
    }
  });
});
