import { expect } from 'chai';
import { startOverlappingRuns } from '#adapters/system/overlapping-runs.ts';
import type { Job } from '#application/job.ts';
import { until } from '../../support/until.ts';

const done = { done: 0, errors: [] };

describe('Runs that may overlap', () => {
  let stopping: AbortController;
  beforeEach(() => {
    stopping = new AbortController();
  });
  afterEach(() => stopping.abort());

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

  const reaches = (count: number, read: () => number) =>
    until(
      async () => read(),
      (made) => made >= count,
    );

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
    await reaches(10, () => begun);
    // With ten of them under way it is not even asked whether one may run.
    expect(ticks).to.equal(10);
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(begun).to.equal(10);
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
    await reaches(3, () => asked);
    expect(runs).to.equal(0);
    isLeader = true;
    await reaches(2, () => runs);
    stopping.abort();
    const before = asked;
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(asked).to.equal(before);
  });

  it('begin at once when one is asked for, before the interval has passed', async () => {
    const { wake, times } = startSleeping();
    wake();
    await reaches(1, () => times.length);
  });

  it('begin rarely however often one is asked for, and once more behind the last time', async () => {
    const { wake, times } = startSleeping();
    let asked = 0;
    const flood = setInterval(() => {
      asked += 1;
      wake();
    }, 1);
    await reaches(3, () => times.length);
    clearInterval(flood);
    const lastAskedAt = performance.now();
    expect(asked).to.be.greaterThan(5);
    for (const [index, time] of times.slice(1).entries())
      expect(time - (times[index] ?? 0)).to.be.greaterThan(95);
    wake();
    await reaches(4, () => times.length);
    expect(times[3]).to.be.greaterThan(lastAskedAt);
  });

  it('do not begin when one is asked for where this process may not run them, or behind the stop', async () => {
    let asked = 0;
    const { wake, times } = startSleeping(() => {
      asked += 1;
      return false;
    });
    wake();
    await reaches(1, () => asked);
    wake();
    stopping.abort();
    wake();
    await new Promise((resolve) => setTimeout(resolve, 150));
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
    await reaches(3, () => runs);
    expect(reports).to.deep.equal([obstacle, failure]);
  });
});
