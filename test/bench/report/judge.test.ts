import { expect } from 'chai';
import type { Comparison } from '../compare.ts';
import { scenarios } from '../scenarios.ts';
import { isFigureKept, isKept, isLikeMeasured, judge, type Result } from './judge.ts';
import { missedByGuard, remarks, resultTable } from './show.ts';

const measured = {
  rate: 1000,
  besideRate: 0,
  p50: 1,
  p99: 4,
  leastP99: 4,
  cpu: 100,
  databaseCpu: 0,
  busy: 0.9,
  generatorBusy: 0.2,
  machine: 0.8,
  others: 0,
  wrongResponses: 0,
  requests: 5000,
};

const compared = (ratio: number, p99 = 4): Comparison => ({
  portico: { ...measured, p99, leastP99: p99 },
  baseline: measured,
  ratio,
});

const kept = (id: string, kind: 'sqlite' | 'postgres', comparison: Comparison, isLike = true) =>
  isKept(scenarioOf(id), kind, comparison, isLike);

const scenarioOf = (id: string) => {
  const found = scenarios.find((one) => one.id === id);
  if (found === undefined) throw new Error(`There is no ${id}.`);
  return found;
};

describe('A scenario of the benchmark', () => {
  it('keeps its floor from that ratio on', () => {
    const order = scenarioOf('order');
    expect(judge(order, 'sqlite', compared(2)).isRatioKept).to.equal(true);
    expect(judge(order, 'sqlite', compared(1.9)).isRatioKept).to.equal(false);
    expect(judge(order, 'postgres', compared(1.25)).isRatioKept).to.equal(true);
    expect(judge(order, 'postgres', compared(1.24)).isRatioKept).to.equal(false);
  });

  it('passes the guard only if ratio and p99 keep their floors', () => {
    expect(kept('order', 'postgres', compared(1.07))).to.equal(true);
    expect(kept('order', 'postgres', compared(1.06))).to.equal(false);
    expect(kept('order', 'postgres', compared(1.25, 15))).to.equal(false);
    expect(kept('mix', 'sqlite', compared(0.01))).to.equal(true);
  });

  it('fails the guard on a busy machine only if it is far off', () => {
    const onBusyMachine = (ratio: number, p99 = 4): Comparison => ({
      ...compared(ratio, p99),
      portico: { ...measured, p99, leastP99: p99, others: 1 },
    });
    expect(kept('order', 'postgres', onBusyMachine(1))).to.equal(true);
    expect(kept('order', 'postgres', onBusyMachine(0.99))).to.equal(false);
    expect(kept('order', 'postgres', onBusyMachine(1.25, 15))).to.equal(true);
    expect(kept('order', 'postgres', onBusyMachine(1.25, 16))).to.equal(false);
  });

  it('is measured on a machine like that of the floors if processor and most baselines are alike', () => {
    const result = (id: string, rate: number): Result => {
      const { portico, baseline, ratio } = compared(1);
      return {
        scenario: scenarioOf(id),
        compared: { portico, baseline: { ...baseline, rate }, ratio },
      };
    };
    const on = (rates: Readonly<Record<string, number>>, processor = 'AMD EPYC') =>
      isLikeMeasured(
        'sqlite',
        Object.entries(rates).map(([id, rate]) => result(id, rate)),
        processor,
      );
    expect(on({ 'get-one': 50_000 })).to.equal(true);
    expect(on({ 'get-one': 50_000 }, 'Intel(R) Xeon(R) Processor')).to.equal(false);
    expect(on({ 'get-one': 17_000 })).to.equal(false);
    // One connection mostly waits: it was at 87 % on a machine that did half of all else.
    expect(on({ 'get-one': 22_000, 'list-20': 9_000, 'get-one-alone': 12_284 })).to.equal(false);
    expect(on({ 'get-one': 50_000, 'list-20': 9_000, 'get-one-alone': 12_284 })).to.equal(true);
  });

  it('fails the guard on another machine only if it is half of its floor', () => {
    expect(kept('order', 'postgres', compared(0.63), false)).to.equal(true);
    expect(kept('order', 'postgres', compared(0.62), false)).to.equal(false);
    expect(kept('order', 'postgres', compared(1.25, 24), false)).to.equal(true);
    expect(kept('order', 'postgres', compared(1.25, 25), false)).to.equal(false);
  });

  it('passes the guard if its p99 is kept in the calmest round, whatever stalled the others', () => {
    const stalled = compared(1.25, 40);
    const calmest = (leastP99: number) => ({ ...stalled, portico: { ...stalled.portico, leastP99 } });
    expect(kept('order', 'postgres', calmest(14))).to.equal(true);
    expect(kept('order', 'postgres', calmest(15))).to.equal(false);
  });

  it('passes the guard with a start that is twice as long on another machine, and with no more memory', () => {
    const start = (seen: number) => ({ name: 'first response', seen, unit: 'ms', limit: 1_200 });
    expect(isFigureKept(start(1_199), true)).to.equal(true);
    expect(isFigureKept(start(1_201), true)).to.equal(false);
    expect(isFigureKept(start(2_399), false)).to.equal(true);
    expect(isFigureKept(start(2_401), false)).to.equal(false);
    const memory = { name: 'memory', seen: 251, unit: 'MB', limit: 250 };
    expect(isFigureKept(memory, false)).to.equal(false);
  });

  it('without a floor is always kept', () => {
    expect(judge(scenarioOf('mix'), 'sqlite', compared(0.01)).isRatioKept).to.equal(true);
  });

  it("may have three times the yardstick's p99, with many connections", () => {
    expect(judge(scenarioOf('get-one'), 'sqlite', compared(1, 12)).isP99Kept).to.equal(true);
    expect(judge(scenarioOf('get-one'), 'sqlite', compared(1, 13)).isP99Kept).to.equal(false);
    expect(kept('reads-beside-orders', 'postgres', compared(0.1, 14))).to.equal(true);
    expect(kept('reads-beside-orders', 'postgres', compared(0.1, 15))).to.equal(false);
    expect(judge(scenarioOf('get-one-alone'), 'sqlite', compared(1, 13)).isP99Kept).to.equal(true);
    expect(judge(scenarioOf('replay'), 'sqlite', compared(1, 13)).isP99Kept).to.equal(true);
  });

  it('is shown with a mark at a missed floor', () => {
    const text = resultTable('sqlite', [{ scenario: scenarioOf('get-one'), compared: compared(0.5, 13) }]);
    expect(text).to.match(/one product +1000 +1000 +0\.50 ! +0\.60 +1\.00 +13\.00 +3\.25 !/);
  });

  it('is named by the guard with the figures that missed, and not when it is kept', () => {
    const result = (ratio: number): Result => ({ scenario: scenarioOf('order'), compared: compared(ratio) });
    expect(missedByGuard('postgres', [result(1.25)], true)).to.deep.equal([]);
    expect(missedByGuard('postgres', [result(1.25), result(0.1)], true)).to.have.length(1);
    expect(missedByGuard('postgres', [result(0.1)], true)[0]).to.match(
      /^MISSED on PostgreSQL: an order with a key: ratio 0\.10, at least \d\.\d\d wanted here; p99 of the calmest round 1\.00/,
    );
    const alone: Result = { scenario: scenarioOf('get-one-alone'), compared: compared(0.4) };
    expect(missedByGuard('sqlite', [alone], true)[0]).to.match(/ratio 0\.40, at least 0\.55 wanted here$/);
    expect(missedByGuard('sqlite', [alone], false)).to.deep.equal([]);
  });

  it('remarks on requests beside, on a busy generator, on other load and on wrong responses', () => {
    const result = (more: Partial<typeof measured>): Result => ({
      scenario: scenarioOf('get-one'),
      compared: {
        portico: { ...measured, ...more },
        baseline: { ...measured, ...more, wrongResponses: 0 },
        ratio: 1,
      },
    });
    expect(remarks([result({})])).to.deep.equal([]);
    expect(remarks([result({ generatorBusy: 0.95 })])[0]).to.match(/load generator used 0\.95 of a core/);
    expect(remarks([result({ others: 1.2 })])[0]).to.match(/Other programs used 1\.20 cores/);
    expect(remarks([result({ besideRate: 70 })])[0]).to.match(/Portico answered 70 other requests a second/);
    expect(remarks([result({ wrongResponses: 2 })])[0]).to.match(
      /2 responses of Portico and 0 of the baseline/,
    );
  });
});
