import { expect } from 'chai';
import type { Finding } from './trial.ts';
import { holdsWithin } from './tries.ts';

const finding = (held: boolean, isTimed: boolean): Finding => ({
  ...{ expected: 'nothing is lost', seen: '0 lost', held, isTimed },
});

/** @returns whether three tries with these findings in turn hold, and how many were made */
const tryWith = async (...results: readonly (readonly Finding[])[]) => {
  let runs = 0;
  const holds = await holdsWithin(3, async () => {
    runs += 1;
    return results[runs - 1] ?? [];
  });
  return { holds, runs };
};

describe('The tries of a trial', () => {
  const [held, late, broken] = [finding(true, true), finding(false, true), finding(false, false)];

  it('end when all expectations hold', async () =>
    expect(await tryWith([held, held])).to.deep.equal({ holds: true, runs: 1 }));

  it('go on where only a timed expectation is broken', async () =>
    expect(await tryWith([held, late], [late], [held, held])).to.deep.equal({ holds: true, runs: 3 }));

  it('end without success when a timed expectation is broken three times', async () =>
    expect(await tryWith([late], [late], [late], [held])).to.deep.equal({ holds: false, runs: 3 }));

  it('end at once when any other expectation is broken', async () =>
    expect(await tryWith([late, broken], [held])).to.deep.equal({ holds: false, runs: 1 }));

  it('end without success when a trial found nothing', async () =>
    expect(await tryWith([], [held])).to.deep.equal({ holds: false, runs: 1 }));
});
