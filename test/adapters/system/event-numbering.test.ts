import { expect } from 'chai';
import { startEventNumbering } from '#adapters/system/event-numbering.ts';
import { ofEachTest } from '../../support/of-each-test.ts';
import { SimulatedTime } from '../../support/simulated-time.ts';

/** The defaults. */
const [delayMs, pollMs] = [10, 1_000];

describe('The numbering of events', () => {
  const time = ofEachTest(() => new SimulatedTime());

  /** A sequencer that numbers as the test decides, and what its observer gets. */
  const start = (numberEvents: () => Promise<{ numbered: number; hasMore: boolean }>) => {
    const numbered: [number, number | undefined][] = [];
    const waiting: (number | undefined)[] = [];
    const errors: unknown[] = [];
    const numbering = startEventNumbering({
      numberEvents,
      observer: {
        numbered: (count, waitedMs) => numbered.push([count, waitedMs]),
        waiting: (since) => waiting.push(since),
      },
      report: (error) => errors.push(error),
    });
    return { numbering, numbered, waiting, errors };
  };

  it('comes 10 ms after the first commit, together for all that follow, and measures how long they waited', async () => {
    const { numbering, numbered, waiting } = start(async () => ({ numbered: 3, hasMore: false }));
    const begun = time.now;
    numbering.wake();
    numbering.wake();
    await time.pass(delayMs - 1);
    expect(numbered).to.deep.equal([]);
    await time.pass(1);
    expect(numbered).to.deep.equal([[3, delayMs]]);
    expect(waiting).to.deep.equal([begun, undefined]);
    await numbering.stop();
  });

  it('comes each second for events that another process has left, and measures no delay of these', async () => {
    const { numbering, numbered } = start(async () => ({ numbered: 2, hasMore: false }));
    await time.pass(3 * pollMs + 2 * delayMs, delayMs);
    expect(numbered).to.deep.equal(Array(3).fill([2, undefined]));
    await numbering.stop();
  });

  it('comes again, and not with the next poll, for what is committed while others are numbered', async () => {
    const first = Promise.withResolvers<void>();
    let calls = 0;
    const { numbering, numbered } = start(async () => {
      calls += 1;
      if (calls === 1) await first.promise;
      return { numbered: calls, hasMore: false };
    });
    numbering.wake();
    await time.pass(delayMs);
    numbering.wake();
    first.resolve();
    await time.pass(3 * delayMs, 1);
    expect(numbered.map(([count]) => count)).to.deep.equal([1, 2]);
    await numbering.stop();
  });

  it('shows that events wait until a later try succeeds', async () => {
    let fails = true;
    const { numbering, numbered, waiting, errors } = start(async () => {
      if (fails) throw new Error('away');
      return { numbered: 1, hasMore: false };
    });
    const begun = time.now;
    numbering.wake();
    await time.pass(delayMs);
    expect(errors).to.have.length(1);
    expect(waiting).to.deep.equal([begun]);
    fails = false;
    await time.pass(5);
    await numbering.stop();
    expect(waiting).to.deep.equal([begun, undefined]);
    expect(numbered).to.deep.equal([[1, delayMs + 5]]);
  });

  it('reports no failure while it stops, because another process numbers what is left', async () => {
    const isClosed = Promise.withResolvers<never>();
    const { numbering, errors } = start(() => isClosed.promise);
    numbering.wake();
    await time.pass(delayMs);
    const stopped = numbering.stop();
    isClosed.reject(new Error('The store is closed.'));
    await stopped;
    expect(errors).to.deep.equal([]);
  });
});
