import { expect } from 'chai';
import { databaseClock } from '#adapters/system/database-clock.ts';
import { ApplicationError } from '#application/errors.ts';
import { Instant } from '#domain/instant.ts';
import { refusalOf } from '../../contracts/harness.ts';
import { later, noon } from '../../contracts/samples.ts';
import { until } from '../../support/until.ts';

const hour = 3_600_000;

/** A database that is at noon when the test begins, and a machine on which time passes when the test says so. */
const aDatabase = () => {
  let passed = 54_321.987;
  let ahead = Instant.milliseconds(noon) - passed;
  let obstacle: Error | undefined;
  /** How long each question and each answer takes. */
  let ways: [there: number, back: number][] = [];
  let asked = 0;
  const reported: unknown[] = [];

  const tell = async (): Promise<number> => {
    asked += 1;
    if (obstacle !== undefined) throw obstacle;
    const [there, back] = ways.shift() ?? [0, 0];
    passed += there;
    const told = Math.round(passed + ahead);
    passed += back;
    return told;
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
      obstacle = error;
    },
    slow: (...next: typeof ways) => {
      ways = next;
    },
    /** Resolves when the database has been asked for another measure, from the beginning to the end. */
    measured: async () => {
      const before = asked;
      await until(
        async () => asked,
        (now) => now > before + 10,
      );
    },
    asked: () => asked,
    now: () => passed + ahead,
    clock: (pause = hour) =>
      databaseClock(tell, { report: (error) => reported.push(error), pause, monotonic: () => passed }),
  };
};

describe('The clock by the database', () => {
  it('tells its time in whole milliseconds, and goes on by itself', async () => {
    const database = aDatabase();
    const clock = await database.clock();
    expect(clock.now()).to.equal(noon);
    const asked = database.asked();
    database.pass(1_000.5);
    expect(clock.now()).to.equal(later(1_000));
    database.pass(25 * hour);
    expect(clock.now()).to.equal(later(25 * hour + 1_000));
    expect(database.asked()).to.equal(asked);
    clock.stop();
  });

  it('takes no notice of what anybody sets this machine’s clock to', async () => {
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
        const told = Instant.milliseconds(clock.now()) - Instant.milliseconds(noon);
        expect(told).to.be.closeTo(passed, 100);
      }
    } finally {
      Date.now = now;
      clock.stop();
    }
  });

  it('believes the quickest of several answers, however long the others took', async () => {
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

  it('follows the database when its time is changed, forwards and backwards', async () => {
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

  it('stays as it was well measured when a later measure takes long and proves nothing', async () => {
    const database = aDatabase();
    const clock = await database.clock(1);
    database.slow(...Array.from({ length: 100 }, (): [number, number] => [0, 400]));
    await database.measured();
    clock.stop();
    expect(Instant.milliseconds(clock.now())).to.be.closeTo(database.now(), 2);
  });

  it('goes on as it was while the database is away, says so, and asks again until it is back', async () => {
    const database = aDatabase();
    const clock = await database.clock(1);
    const obstacle = new ApplicationError('unavailable', 'The store is away.');
    database.fail(obstacle);
    await until(
      async () => database.reported.length,
      (count) => count >= 2,
    );
    expect(new Set(database.reported)).to.deep.equal(new Set([obstacle]));
    database.pass(5_000);
    expect(Instant.milliseconds(clock.now())).to.be.closeTo(database.now(), 2);
    database.set(25 * hour);
    database.fail(undefined);
    await database.measured();
    expect(Instant.milliseconds(clock.now())).to.be.closeTo(database.now(), 2);
    clock.stop();
  });

  it('cannot begin without the database', async () => {
    const database = aDatabase();
    const obstacle = new ApplicationError('unavailable', 'The store is away.');
    database.fail(obstacle);
    expect(await refusalOf(database.clock(1))).to.equal(obstacle);
    expect(database.asked()).to.equal(1);
  });

  it('asks no more and says no more when it has been stopped, in the middle of a question too', async () => {
    let asked = 0;
    const reported: unknown[] = [];
    const closed = Promise.withResolvers<number>();
    const tell = async () => {
      asked += 1;
      return asked <= 5 ? 0 : closed.promise;
    };
    const clock = await databaseClock(tell, { report: (error) => reported.push(error), pause: 1 });
    await until(
      async () => asked,
      (count) => count === 6,
    );
    clock.stop();
    closed.reject(new Error('The store is closed.'));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect([asked, reported]).to.deep.equal([6, []]);
  });
});
