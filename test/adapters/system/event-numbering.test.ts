import { expect } from 'chai';
import { startEventNumbering } from '#adapters/system/event-numbering.ts';
import { until } from '../../support/until.ts';

describe('The numbering of events', () => {
  /** A sequencer that numbers what it is told, and what its observer gets. */
  const start = (numberEvents: () => Promise<{ numbered: number; hasMore: boolean }>, pollMs = 60_000) => {
    const numbered: [number, number | undefined][] = [];
    const waiting: (number | undefined)[] = [];
    const errors: unknown[] = [];
    const numbering = startEventNumbering({
      ...{ numberEvents, pollMs, delayMs: 20 },
      observer: {
        numbered: (count, delayMs) => numbered.push([count, delayMs]),
        waiting: (since) => waiting.push(since),
      },
      report: (error) => errors.push(error),
    });
    return { numbering, numbered, waiting, errors };
  };

  it('measures how long the events of this process waited, from the first commit on', async () => {
    const { numbering, numbered, waiting } = start(async () => ({ numbered: 3, hasMore: false }));
    numbering.wake();
    numbering.wake();
    await until(
      async () => waiting.length,
      (length) => length === 2,
    );
    const [[count, delayMs] = []] = numbered;
    expect(count).to.equal(3);
    expect(delayMs).to.be.at.least(15);
    expect(waiting.map((since) => since !== undefined)).to.deep.equal([true, false]);
    await numbering.stop();
  });

  it('measures no delay of events that another process has left', async () => {
    const { numbering, numbered } = start(async () => ({ numbered: 2, hasMore: false }), 5);
    await until(
      async () => numbered.length,
      (length) => length > 0,
    );
    await numbering.stop();
    expect(numbered[0]).to.deep.equal([2, undefined]);
  });

  it('shows that events wait until a later try succeeds', async () => {
    let fails = true;
    const { numbering, numbered, waiting, errors } = start(async () => {
      if (fails) throw new Error('away');
      return { numbered: 1, hasMore: false };
    });
    numbering.wake();
    await until(
      async () => errors.length,
      (length) => length === 1,
    );
    expect(waiting).to.have.length(1);
    fails = false;
    const [since = Number.NaN] = waiting;
    await numbering.stop();
    expect(waiting).to.deep.equal([since, undefined]);
    expect(numbered[0]?.[1]).to.be.at.least(15);
  });
});
