import { expect } from 'chai';
import { databaseClock } from '#adapters/system/database-clock.ts';
import { UnavailableError } from '#application/errors.ts';
import { Instant } from '#domain/instant.ts';
import { rejectionOf } from '../../contracts/harness.ts';
import { later, noon } from '../../contracts/samples.ts';
import { until } from '../../support/until.ts';

const hour = 3_600_000;

/** A database whose time is noon at first, and a machine on which time passes only when the test makes it. */
const aDatabase = () => {
  let passed = 54_321.987;
  let ahead = Instant.milliseconds(noon) - passed;
  let failure: Error | undefined;
  /** How long each query and each response is on its way. */
  let latencies: [there: number, back: number][] = [];
  let requested = 0;
  const reported: unknown[] = [];

  const queryTime = async (): Promise<number> => {
    requested += 1;
    if (failure !== undefined) throw failure;
    const [there, back] = latencies.shift() ?? [0, 0];
    passed += there;
    const time = Math.round(passed + ahead);
    passed += back;
    return time;
  };

  return {
    reported,
    pass: (milliseconds: number) => {
      passed += milliseconds;
    },
    set: (milliseconds: number) => {
      ahead += milliseconds;
    },
    fail: (error: Error | undefined) => {
      failure = error;
    },
    slow: (...next: typeof latencies) => {
      latencies = next;
    },
    /** Resolves after another whole measurement. */
    measured: async () => {
      const before = requested;
      await until(
        async () => requested,
        (now) => now > before + 10,
      );
    },
    asked: () => requested,
    now: () => passed + ahead,
    clock: (refreshIntervalMs = hour) =>
      databaseClock(queryTime, {
        report: (error) => reported.push(error),
        refreshIntervalMs,
        monotonic: () => passed,
      }),
  };
};

describe('The database clock', () => {
  it('shows the database’s time in whole milliseconds, without a query for each', async () => {
    const database = aDatabase();
    const clock = await database.clock();
    expect(clock.now()).to.equal(noon);
    const requested = database.asked();
    database.pass(1_000.5);
    expect(clock.now()).to.equal(later(1_000));
    database.pass(25 * hour);
    expect(clock.now()).to.equal(later(25 * hour + 1_000));
    expect(database.asked()).to.equal(requested);
    clock.stop();
  });

  it('ignores changes of this machine’s clock', async () => {
    const { now } = Date;
    const begun = performance.now();
    const database = Instant.milliseconds(noon) - begun;
    const clock = await databaseClock(async () => database + performance.now(), {
      report: () => undefined,
    });
    try {
      for (const jump of [25 * hour, -25 * hour]) {
        Date.now = () => now() + jump;
        const passed = performance.now() - begun;
        const shown = Instant.milliseconds(clock.now()) - Instant.milliseconds(noon);
        expect(shown).to.be.closeTo(passed, 100);
      }
    } finally {
      Date.now = now;
      clock.stop();
    }
  });

  it('uses the fastest of several responses, however slow the others are', async () => {
    const database = aDatabase();
    database.slow([0, 4_000], [3_000, 0], [1, 1], [0, 5_000], [60, 20]);
    const clock = await database.clock();
    expect(Instant.milliseconds(clock.now())).to.be.closeTo(database.now(), 2);
    clock.stop();
  });

  it('is never wrong by more than half of the quickest round trip', async () => {
    for (const way of [
      [0, 300],
      [300, 0],
      [150, 150],
    ] as const) {
      const database = aDatabase();
      database.slow(...Array.from({ length: 9 }, (): [number, number] => [...way]));
      const clock = await database.clock();
      expect(Instant.milliseconds(clock.now())).to.be.closeTo(database.now(), 152);
      clock.stop();
    }
  });

  it('follows changes of the database’s time, forwards and backwards', async () => {
    const database = aDatabase();
    const clock = await database.clock(1);
    for (const jump of [25 * hour, -50 * hour]) {
      database.set(jump);
      await database.measured();
      expect(Instant.milliseconds(clock.now())).to.be.closeTo(database.now(), 2);
    }
    expect(database.reported).to.deep.equal([]);
    clock.stop();
  });

  it('keeps a precise measurement when a later one is imprecise and does not contradict it', async () => {
    const database = aDatabase();
    const clock = await database.clock(1);
    database.slow(...Array.from({ length: 100 }, (): [number, number] => [0, 400]));
    await database.measured();
    clock.stop();
    expect(Instant.milliseconds(clock.now())).to.be.closeTo(database.now(), 2);
  });

  it('continues while the database is unavailable, reports that, and retries', async () => {
    const database = aDatabase();
    const clock = await database.clock(1);
    const failure = new UnavailableError('database-unavailable');
    database.fail(failure);
    await until(
      async () => database.reported.length,
      (count) => count >= 2,
    );
    expect(new Set(database.reported)).to.deep.equal(new Set([failure]));
    database.pass(5_000);
    expect(Instant.milliseconds(clock.now())).to.be.closeTo(database.now(), 2);
    database.set(25 * hour);
    database.fail(undefined);
    await database.measured();
    expect(Instant.milliseconds(clock.now())).to.be.closeTo(database.now(), 2);
    clock.stop();
  });

  it('cannot start without the database', async () => {
    const database = aDatabase();
    const failure = new UnavailableError('database-unavailable');
    database.fail(failure);
    expect(await rejectionOf(database.clock(1))).to.equal(failure);
    expect(database.asked()).to.equal(1);
  });

  it('neither queries nor reports after it was stopped, during a query too', async () => {
    let requested = 0;
    const reported: unknown[] = [];
    const closed = Promise.withResolvers<number>();
    const queryTime = async () => {
      requested += 1;
      return requested <= 5 ? 0 : closed.promise;
    };
    const clock = await databaseClock(queryTime, {
      report: (error) => reported.push(error),
      refreshIntervalMs: 1,
    });
    await until(
      async () => requested,
      (count) => count === 6,
    );
    clock.stop();
    closed.reject(new Error('The store is closed.'));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect([requested, reported]).to.deep.equal([6, []]);
  });
});
