import { expect } from 'chai';
import { isKept, judge } from './judge.ts';
import type { Compared } from './measure.ts';
import { scenarios } from './scenarios.ts';
import { type Result, remarks, shown } from './show.ts';

const measured = {
  rate: 1000,
  p50: 1,
  p99: 4,
  cpu: 100,
  databaseCpu: 0,
  busy: 0.9,
  generatorBusy: 0.2,
  machine: 0.8,
  others: 0,
  wrong: 0,
  requests: 5000,
};

const compared = (ratio: number, p99 = 4): Compared => ({
  portico: { ...measured, p99 },
  against: measured,
  ratio,
});

const scenarioOf = (id: string) => {
  const found = scenarios.find((one) => one.id === id);
  if (found === undefined) throw new Error(`There is no ${id}.`);
  return found;
};

describe('A scenario of the benchmark', () => {
  it('has reached its goal from there on', () => {
    const order = scenarioOf('order');
    expect(judge(order, 'sqlite', compared(3)).isReached).to.equal(true);
    expect(judge(order, 'sqlite', compared(2.9)).isReached).to.equal(false);
    expect(judge(order, 'postgres', compared(1.5)).isReached).to.equal(true);
  });

  it('is kept a bit below its goal', () => {
    const order = scenarioOf('order');
    expect(isKept(order, 'postgres', compared(1.28))).to.equal(true);
    expect(isKept(order, 'postgres', compared(1.27))).to.equal(false);
    expect(isKept(order, 'sqlite', compared(2.56))).to.equal(true);
    expect(isKept(order, 'sqlite', compared(2.54))).to.equal(false);
    expect(isKept(scenarioOf('mix'), 'sqlite', compared(0.01))).to.equal(true);
  });

  it('has none to reach where there is none', () => {
    expect(judge(scenarioOf('mix'), 'sqlite', compared(0.01)).isReached).to.equal(true);
  });

  it("may have three times the yardstick's slowest answers, with many connections", () => {
    expect(judge(scenarioOf('get-one'), 'sqlite', compared(1, 12)).isSteady).to.equal(true);
    expect(judge(scenarioOf('get-one'), 'sqlite', compared(1, 13)).isSteady).to.equal(false);
    expect(judge(scenarioOf('get-one-alone'), 'sqlite', compared(1, 13)).isSteady).to.equal(true);
    expect(judge(scenarioOf('replay'), 'sqlite', compared(1, 13)).isSteady).to.equal(true);
  });

  it('is shown with a mark at what it misses', () => {
    const text = shown('sqlite', [{ scenario: scenarioOf('get-one'), compared: compared(0.5, 13) }]);
    expect(text).to.match(/one product +1000 +1000 +0\.50 ! +0\.70 +1\.00 +13\.00 +3\.25 !/);
  });

  it('says when whoever asked was the limit, when others used the machine, and when answers were wrong', () => {
    const result = (more: Partial<typeof measured>): Result => ({
      scenario: scenarioOf('get-one'),
      compared: { portico: { ...measured, ...more }, against: { ...measured, ...more, wrong: 0 }, ratio: 1 },
    });
    expect(remarks([result({})])).to.deep.equal([]);
    expect(remarks([result({ generatorBusy: 0.95 })])[0]).to.match(/asking took 0\.95 of a core/);
    expect(remarks([result({ others: 1.2 })])[0]).to.match(/Others used 1\.20 cores/);
    expect(remarks([result({ wrong: 2 })])[0]).to.match(/2 of Portico's answers and 0 of the other's/);
  });
});
