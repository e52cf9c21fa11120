import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { openMemory } from '#adapters/persistence/memory/open.ts';
import { startHousekeeper } from '#adapters/system/background-worker.ts';
import { type BackgroundJobs, backgroundJobs } from '#application/background-jobs.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import { machineClock } from '../../support/machine.ts';
import { until } from '../../support/until.ts';

/** These make a pause of 250 ms and a duty of 750 ms, the shortest there are, and of 5 and 15 seconds, the longest. */
const times = { short: 500, long: 60_000 };

describe('Housekeepers', () => {
  let unitOfWork: UnitOfWork;
  const running: { stop(): Promise<void> }[] = [];
  beforeEach(async () => {
    ({ unitOfWork } = await openMemory());
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((keeper) => keeper.stop()));
  });

  const theirHousekeeping = (): BackgroundJobs =>
    backgroundJobs({
      unitOfWork,
      clock: machineClock,
      recoveries: new Map(),
      leaseMs: times.short,
      reconcileAfterMs: times.short,
      orderLifetimeMs: 0,
    });

  /** One of several, and what came of its rounds. */
  const start = (name: string, changed: Partial<BackgroundJobs> = {}, time = times.short) => {
    const seen = { rounds: 0, reports: [] as unknown[] };
    const theirs = theirHousekeeping();
    const reconcilePayments = async () => {
      seen.rounds += 1;
      return theirs.reconcilePayments();
    };
    const keeper = startHousekeeper(
      { ...theirs, reconcilePayments, ...changed },
      { name, reconcileAfterMilliseconds: time, report: (error) => seen.reports.push(error) },
    );
    running.push(keeper);
    return { seen, stop: keeper.stop };
  };

  const rounds = (keeper: { readonly seen: { readonly rounds: number } }, least: number) =>
    until(
      async () => keeper.seen.rounds,
      (made) => made >= least,
    );

  it('that share a store let one of them do the rounds', async () => {
    const first = start('first');
    await rounds(first, 1);
    const second = start('second');
    await rounds(first, 4);
    expect(second.seen.rounds).to.equal(0);
  });

  it('take over at once from one that stops', async () => {
    const first = start('first', {}, times.long);
    await rounds(first, 1);
    const second = start('second');
    await first.stop();
    const stopped = performance.now();
    await rounds(second, 1);
    expect(performance.now() - stopped).to.be.below(5_000);
    expect(first.seen.reports).to.deep.equal([]);
  });

  it('take over from one that died, when its duty has lapsed', async () => {
    const dead = theirHousekeeping();
    await dead.acquireLeadership('dead', 750);
    const died = performance.now();
    const second = start('second');
    await rounds(second, 1);
    expect(performance.now() - died).to.be.within(700, 5_000);
  });

  it('keep the duty however long a round takes', async () => {
    const theirs = theirHousekeeping();
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
        return theirs.acquireLeadership(name, milliseconds);
      },
    });
    // There is a pause between any two of them, and the duty is taken for three.
    await until(
      async () => tries,
      (made) => made > 6,
    );
    expect(second.seen.rounds).to.equal(0);
    long.resolve();
    expect(await ended.promise, 'relieved').to.equal(false);
  });

  it('end a round when somebody else has got the duty', async () => {
    const theirs = theirHousekeeping();
    const ended = Promise.withResolvers<void>();
    let takings = 0;
    start('held up', {
      // After the first time it is as if it had been held up for so long that the duty is another's.
      acquireLeadership: async (name, milliseconds) => {
        takings += 1;
        return takings === 1 ? theirs.acquireLeadership(name, milliseconds) : false;
      },
      reconcilePayments: async (signal) => {
        await new Promise((resolve) => signal?.addEventListener('abort', resolve));
        ended.resolve();
        return { done: 0, errors: [] };
      },
    });
    await ended.promise;
  });

  it('take the duty no more once they have given it back, whatever is still under way', async () => {
    const theirs = theirHousekeeping();
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
        return theirs.acquireLeadership(name, milliseconds);
      },
      reconcilePayments: () => new Promise(() => undefined),
    });
    await again.promise;
    const stopped = stop();
    setTimeout(held.resolve, 2_500);
    await stopped;
    const second = start('second');
    await rounds(second, 3);
    expect(taken).to.deep.equal([750, 750, 0]);
  });

  it('stop within seconds, though a round waits for somebody for longer', async () => {
    const begun = Promise.withResolvers<void>();
    const { stop } = start('waiting', {
      reconcilePayments: async () => {
        begun.resolve();
        await pause(30_000, undefined, { ref: false });
        return { done: 0, errors: [] };
      },
    });
    await begun.promise;
    const asked = performance.now();
    await stop();
    expect(performance.now() - asked).to.be.within(1_500, 5_000);
  });

  it('report what stood in their way, and go on', async () => {
    const obstacle = new Error('The provider is away.');
    const failure = new Error('The store is away.');
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

  it('report that the duty could not be had, and try again', async () => {
    const failure = new Error('The store is away.');
    const theirs = theirHousekeeping();
    let tries = 0;
    const keeper = start('only', {
      acquireLeadership: async (name, milliseconds) => {
        tries += 1;
        if (tries === 1) throw failure;
        return theirs.acquireLeadership(name, milliseconds);
      },
    });
    await rounds(keeper, 1);
    expect(keeper.seen.reports).to.deep.equal([failure]);
  });
});
