import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { openMemory } from '#adapters/persistence/memory/open.ts';
import { startBackgroundWorker } from '#adapters/system/background-worker.ts';
import { type BackgroundJobs, backgroundJobs } from '#application/background-jobs.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import { machineClock } from '../../support/machine.ts';
import { until } from '../../support/until.ts';

/** The shortest interval between two runs, and the time that a stop waits: shorter than the defaults. */
const timing = { minIntervalMs: 100, stopTimeoutMs: 400, lookUpIntervalMs: 20 };
/** The lease that goes with that interval. */
const leaseMs = 3 * timing.minIntervalMs;

/** They cause the shortest interval, and the longest (5 s, a lease of 15 s). */
const times = { short: 2 * timing.minIntervalMs, long: 60_000 };

describe('Background workers', () => {
  let unitOfWork: UnitOfWork;
  const running: { stop(): Promise<void> }[] = [];
  beforeEach(async () => {
    ({ unitOfWork } = await openMemory());
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((keeper) => keeper.stop()));
  });

  const newJobs = (): BackgroundJobs =>
    backgroundJobs({
      unitOfWork,
      clock: machineClock,
      recoveries: new Map(),
      endActions: () => async () => ({ done: 0, errors: [] }),
      leaseMs: 500,
      reconcileAfterMs: 500,
      orderLifetimeMs: 0,
      erasureQuietMs: 0,
      eventRetentionMs: 0,
    });

  /** Starts a worker, and counts its runs and reports. */
  const start = (
    name: string,
    changed: Partial<BackgroundJobs> = {},
    time = times.short,
    lookUpIntervalMs = timing.lookUpIntervalMs,
  ) => {
    const seen = { rounds: 0, reports: [] as unknown[] };
    const jobs = newJobs();
    const reconcilePayments = async () => {
      seen.rounds += 1;
      return jobs.reconcilePayments();
    };
    const keeper = startBackgroundWorker(
      { ...jobs, reconcilePayments, ...changed },
      {
        ...{ ...timing, lookUpIntervalMs, name, reconcileAfterMilliseconds: time },
        report: (error) => seen.reports.push(error),
      },
    );
    running.push(keeper);
    return { seen, stop: keeper.stop, lookUpNow: keeper.lookUpNow };
  };

  const rounds = (keeper: { readonly seen: { readonly rounds: number } }, least: number) =>
    until(
      async () => keeper.seen.rounds,
      (made) => made >= least,
    );

  it('run the jobs in one process of those that share a store', async () => {
    const first = start('first');
    await rounds(first, 1);
    const second = start('second');
    await rounds(first, 4);
    expect(second.seen.rounds).to.equal(0);
  });

  it('look up at the provider in the leader alone, also while another job runs', async () => {
    let looks = 0;
    let elsewhere = 0;
    const begun = Promise.withResolvers<void>();
    start('first', {
      reconcilePayments: () => {
        begun.resolve();
        return new Promise(() => undefined);
      },
      lookUp: async () => {
        looks += 1;
        return { done: 0, errors: [] };
      },
    });
    await begun.promise;
    const others = { rounds: 0 };
    start('second', {
      acquireLeadership: async () => {
        others.rounds += 1;
        return false;
      },
      lookUp: async () => {
        elsewhere += 1;
        return { done: 0, errors: [] };
      },
    });
    const before = looks;
    await until(
      async () => others.rounds,
      (asked) => asked >= 2,
    );
    expect({ elsewhere, looksOn: looks > before }).to.deep.equal({ elsewhere: 0, looksOn: true });
  });

  it('look up at once in the leader when an event has named a place', async () => {
    const counting = () => {
      const looks = { made: 0 };
      const lookUp = async () => {
        looks.made += 1;
        return { done: 0, errors: [] };
      };
      return { looks, lookUp };
    };
    const [inLeader, elsewhere] = [counting(), counting()];
    const leader = start('first', { lookUp: inLeader.lookUp }, times.short, 600_000);
    await rounds(leader, 1);
    const other = start('second', { lookUp: elsewhere.lookUp }, times.short, 600_000);
    await rounds(leader, 3);
    expect(inLeader.looks.made).to.equal(0);
    other.lookUpNow();
    leader.lookUpNow();
    await until(
      async () => inLeader.looks.made,
      (made) => made === 1,
    );
    expect(elsewhere.looks.made).to.equal(0);
  });

  it('take over at once from a worker that stops', async () => {
    const first = start('first', {}, times.long);
    await rounds(first, 1);
    const second = start('second');
    await first.stop();
    const stopped = performance.now();
    await rounds(second, 1);
    expect(performance.now() - stopped).to.be.below(5_000);
    expect(first.seen.reports).to.deep.equal([]);
  });

  it('take over from a worker that died, when its lease has expired', async () => {
    const dead = newJobs();
    await dead.acquireLeadership('dead', 3 * leaseMs);
    const died = performance.now();
    const second = start('second');
    await rounds(second, 1);
    expect(performance.now() - died).to.be.within(700, 5_000);
  });

  it('keep the lease however long a run takes', async () => {
    const jobs = newJobs();
    const long = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<boolean>();
    start('slow', {
      reconcilePayments: async (signal) => {
        await long.promise;
        ended.resolve(signal?.aborted ?? false);
        return { done: 0, errors: [] };
      },
    });
    let tries = 0;
    const second = start('second', {
      acquireLeadership: async (name, milliseconds) => {
        tries += 1;
        return jobs.acquireLeadership(name, milliseconds);
      },
    });
    // The lease lasts three intervals, and each attempt takes one.
    await until(
      async () => tries,
      (made) => made > 6,
    );
    expect(second.seen.rounds).to.equal(0);
    long.resolve();
    expect(await ended.promise, 'aborted').to.equal(false);
  });

  it('abort a run when another process holds the lease', async () => {
    const jobs = newJobs();
    const ended = Promise.withResolvers<void>();
    let takings = 0;
    start('held up', {
      // As if the process had been suspended until another one acquired the lease.
      acquireLeadership: async (name, milliseconds) => {
        takings += 1;
        return takings === 1 ? jobs.acquireLeadership(name, milliseconds) : false;
      },
      reconcilePayments: async (signal) => {
        await new Promise((resolve) => signal?.addEventListener('abort', resolve));
        ended.resolve();
        return { done: 0, errors: [] };
      },
    });
    await ended.promise;
  });

  it('do not acquire the lease again after they have released it', async () => {
    const jobs = newJobs();
    const taken: number[] = [];
    const held = Promise.withResolvers<void>();
    const again = Promise.withResolvers<void>();
    const { stop } = start('stopping', {
      acquireLeadership: async (name, milliseconds) => {
        if (taken.length === 1 && milliseconds > 0) {
          again.resolve();
          await held.promise;
        }
        taken.push(milliseconds);
        return jobs.acquireLeadership(name, milliseconds);
      },
      reconcilePayments: () => new Promise(() => undefined),
    });
    await again.promise;
    const stopped = stop();
    // Longer than the stop waits.
    setTimeout(held.resolve, timing.stopTimeoutMs + 100);
    await stopped;
    const second = start('second');
    await rounds(second, 3);
    expect(taken).to.deep.equal([leaseMs, leaseMs, 0]);
  });

  it('stop within seconds, even when a run takes longer', async () => {
    const begun = Promise.withResolvers<void>();
    const { stop } = start('waiting', {
      reconcilePayments: async () => {
        begun.resolve();
        await pause(30_000, undefined, { ref: false });
        return { done: 0, errors: [] };
      },
    });
    await begun.promise;
    const requested = performance.now();
    await stop();
    expect(performance.now() - requested).to.be.within(
      timing.stopTimeoutMs - 10,
      timing.stopTimeoutMs + 1_500,
    );
  });

  it('report errors, and go on', async () => {
    const obstacle = new Error('The provider is unavailable.');
    const failure = new Error('The store is unavailable.');
    let made = 0;
    const keeper = start('only', {
      reconcilePayments: async () => {
        made += 1;
        if (made === 2) throw failure;
        return { done: 0, errors: made === 1 ? [obstacle] : [] };
      },
    });
    await until(
      async () => made,
      (count) => count >= 3,
    );
    expect(keeper.seen.reports).to.deep.equal([obstacle, failure]);
  });

  it('report that the lease could not be acquired, and try again', async () => {
    const failure = new Error('The store is unavailable.');
    const jobs = newJobs();
    let tries = 0;
    const keeper = start('only', {
      acquireLeadership: async (name, milliseconds) => {
        tries += 1;
        if (tries === 1) throw failure;
        return jobs.acquireLeadership(name, milliseconds);
      },
    });
    await rounds(keeper, 1);
    expect(keeper.seen.reports).to.deep.equal([failure]);
  });

  it('by default renew a lease of 750 ms at the shortest interval, and stop after two seconds at most', async () => {
    const leases: number[] = [];
    const begun = Promise.withResolvers<void>();
    const { stop } = startBackgroundWorker(
      {
        ...newJobs(),
        acquireLeadership: async (_, milliseconds) => {
          leases.push(milliseconds);
          return true;
        },
        reconcilePayments: () => {
          begun.resolve();
          return new Promise(() => undefined);
        },
      },
      { name: 'only', reconcileAfterMilliseconds: times.short, report: () => undefined },
    );
    await begun.promise;
    const requested = performance.now();
    await stop();
    expect(performance.now() - requested).to.be.within(1_500, 3_500);
    expect(new Set(leases)).to.deep.equal(new Set([750, 0]));
  });
});
