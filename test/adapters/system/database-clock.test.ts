import { expect } from 'chai';
import { databaseClock } from '#adapters/system/database-clock.ts';
import { UnavailableError } from '#application/errors.ts';
import { Instant } from '#domain/instant.ts';
import { rejectionOf } from '../../contracts/harness.ts';
import { later, noon } from '../../contracts/samples.ts';
import { ofEachTest } from '../../support/of-each-test.ts';
import { SimulatedTime } from '../../support/simulated-time.ts';

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
    asked: () => requested,
    now: () => passed + ahead,
    clock: () =>
      databaseClock(queryTime, { report: (error) => reported.push(error), monotonic: () => passed }),
  };
};

/** The default interval. */
const refreshIntervalMs = 30_000;

describe('The database clock', () => {
  const time = ofEachTest(() => new SimulatedTime());

  /** Lets the clock measure once more. */
  const measured = () => time.pass(refreshIntervalMs + 100);

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
        await time.pass(1_000);
        const passed = performance.now() - begun;
        const shown = Instant.milliseconds(clock.now()) - Instant.milliseconds(noon);
        expect(shown).to.be.closeTo(passed, 2);
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

  it('follows changes of the database’s time within 30 seconds, forwards and backwards', async () => {
    const database = aDatabase();
    const clock = await database.clock();
    for (const jump of [25 * hour, -50 * hour]) {
      const shown = clock.now();
      database.set(jump);
      await time.pass(refreshIntervalMs - 1_000);
      expect(clock.now()).to.equal(shown);
      await time.pass(1_100);
      expect(Instant.milliseconds(clock.now())).to.be.closeTo(database.now(), 2);
    }
    expect(database.reported).to.deep.equal([]);
    clock.stop();
  });

  it('measures at once when it is asked to, at most once a second', async () => {
    const database = aDatabase();
    const clock = await database.clock();
    const before = database.asked();
    database.set(hour);
    for (let call = 0; call < 10; call += 1) clock.measureAgain();
    await time.pass(10);
    expect(clock.now()).to.equal(later(hour));
    expect(database.asked() - before).to.equal(before);
    database.set(hour);
    clock.measureAgain();
    await time.pass(10);
    expect(clock.now()).to.equal(later(hour));
    database.pass(1_000);
    clock.measureAgain();
    await time.pass(10);
    expect(clock.now()).to.equal(later(2 * hour + 1_000));
    clock.stop();
    database.pass(1_000);
    clock.measureAgain();
    await time.pass(10);
    expect(database.asked()).to.equal(before * 3);
  });

  it('keeps a precise measurement when a later one is imprecise and does not contradict it', async () => {
    const database = aDatabase();
    const clock = await database.clock();
    database.slow(...Array.from({ length: 100 }, (): [number, number] => [0, 400]));
    await measured();
    clock.stop();
    expect(Instant.milliseconds(clock.now())).to.be.closeTo(database.now(), 2);
  });

  it('continues while the database is unavailable, reports that, and retries', async () => {
    const database = aDatabase();
    const clock = await database.clock();
    const failure = new UnavailableError('database-unavailable');
    database.fail(failure);
    await time.pass(2 * refreshIntervalMs + 100);
    expect(database.reported).to.deep.equal([failure, failure]);
    database.pass(5_000);
    expect(Instant.milliseconds(clock.now())).to.be.closeTo(database.now(), 2);
    database.set(25 * hour);
    database.fail(undefined);
    await measured();
    expect(Instant.milliseconds(clock.now())).to.be.closeTo(database.now(), 2);
    clock.stop();
  });

  it('cannot start without the database', async () => {
    const database = aDatabase();
    const failure = new UnavailableError('database-unavailable');
    database.fail(failure);
    expect(await rejectionOf(database.clock())).to.equal(failure);
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
    const clock = await databaseClock(queryTime, { report: (error) => reported.push(error) });
    await measured();
    expect(requested).to.equal(6);
    clock.stop();
    closed.reject(new Error('The store is closed.'));
    await time.pass(2 * refreshIntervalMs);
    expect([requested, reported]).to.deep.equal([6, []]);
  });
});
