import { expect } from 'chai';
import { startOverlappingRuns } from '#adapters/system/overlapping-runs.ts';
import type { Job } from '#application/jobs/job.ts';
import { SimulatedTime } from '../../support/simulated-time.ts';

const done = { done: 0, errors: [] };

describe('Runs that may overlap', () => {
  let time: SimulatedTime;
  let stopping: AbortController;
  beforeEach(() => {
    time = new SimulatedTime();
    stopping = new AbortController();
  });
  afterEach(() => {
    stopping.abort();
    time.end();
  });

  const start = (job: Job, mayRun: () => boolean = () => true) => {
    const reports: unknown[] = [];
    startOverlappingRuns({
      jobs: [job],
      intervalMs: 5,
      ...{ mayRun, report: (error) => reports.push(error), signal: stopping.signal },
    });
    return reports;
  };

  /** Runs of which none begins by itself. */
  const startSleeping = (mayRun: () => boolean = () => true) => {
    const times: number[] = [];
    const job: Job = async () => {
      times.push(performance.now());
      return done;
    };
    const wake = startOverlappingRuns({
      ...{ jobs: [job], intervalMs: 600_000, mayRun },
      ...{ report: (error: unknown) => expect.fail(String(error)), signal: stopping.signal },
    });
    return { wake, times };
  };

  it('begin at each interval although earlier ones wait, up to ten of them', async () => {
    let begun = 0;
    let ticks = 0;
    start(
      () => {
        begun += 1;
        return new Promise(() => undefined);
      },
      () => {
        ticks += 1;
        return true;
      },
    );
    await time.pass(200);
    // With ten of them under way it is not even asked whether one may run.
    expect([ticks, begun]).to.deep.equal([10, 10]);
  });

  it('begin only while this process may run them, and never after the stop', async () => {
    let isLeader = false;
    let runs = 0;
    let asked = 0;
    start(
      async () => {
        runs += 1;
        return done;
      },
      () => {
        asked += 1;
        return isLeader;
      },
    );
    await time.pass(15);
    expect([asked, runs]).to.deep.equal([3, 0]);
    isLeader = true;
    await time.pass(10);
    expect(runs).to.equal(2);
    stopping.abort();
    await time.pass(50);
    expect([asked, runs]).to.deep.equal([5, 2]);
  });

  it('begin at once when one is asked for, before the interval has passed', async () => {
    const { wake, times } = startSleeping();
    wake();
    await time.pass(1);
    expect(times).to.have.length(1);
  });

  it('begin ten times a second however often one is asked for, and once more behind the last time', async () => {
    const { wake, times } = startSleeping();
    const flood = setInterval(wake, 1);
    await time.pass(1_050, 1);
    clearInterval(flood);
    const lastAskedAt = time.now;
    expect(times).to.have.length(11);
    for (const [index, begun] of times.slice(1).entries())
      expect(begun - (times[index] ?? 0)).to.be.within(99, 102);
    wake();
    await time.pass(150);
    expect(times).to.have.length(12);
    expect(times[11]).to.be.greaterThan(lastAskedAt);
  });

  it('do not begin when one is asked for where this process may not run them, or behind the stop', async () => {
    let asked = 0;
    const { wake, times } = startSleeping(() => {
      asked += 1;
      return false;
    });
    wake();
    await time.pass(1);
    expect(asked).to.equal(1);
    wake();
    stopping.abort();
    wake();
    await time.pass(150);
    expect(asked).to.equal(1);
    expect(times).to.deep.equal([]);
  });

  it('report errors, and go on', async () => {
    const [obstacle, failure] = [new Error('One item failed.'), new Error('All failed.')];
    let runs = 0;
    const reports = start(async () => {
      runs += 1;
      if (runs === 2) throw failure;
      return runs === 1 ? { done: 0, errors: [obstacle] } : done;
    });
    await time.pass(15);
    expect(runs).to.equal(3);
    expect(reports).to.deep.equal([obstacle, failure]);
  });
});
