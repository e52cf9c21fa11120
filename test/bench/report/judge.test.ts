import { expect } from 'chai';
import type { Comparison } from '../compare.ts';
import { scenarios } from '../scenarios.ts';
import { judge, type Result } from './judge.ts';
import { remarks, resultTable, wrongResponses } from './show.ts';

const measured = {
  rate: 1000,
  besideRate: 0,
  p50: 1,
  p99: 4,
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
  portico: { ...measured, p99 },
  baseline: measured,
  ratio,
});

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

  it('without a floor is always kept', () => {
    expect(judge(scenarioOf('mix'), 'sqlite', compared(0.01)).isRatioKept).to.equal(true);
  });

  it("may have three times the yardstick's p99, with many connections", () => {
    expect(judge(scenarioOf('get-one'), 'sqlite', compared(1, 12)).isP99Kept).to.equal(true);
    expect(judge(scenarioOf('get-one'), 'sqlite', compared(1, 13)).isP99Kept).to.equal(false);
    expect(judge(scenarioOf('get-one-alone'), 'sqlite', compared(1, 13)).isP99Kept).to.equal(true);
    expect(judge(scenarioOf('replay'), 'sqlite', compared(1, 13)).isP99Kept).to.equal(true);
  });

  it('is shown with a mark at a missed floor', () => {
    const text = resultTable('sqlite', [{ scenario: scenarioOf('get-one'), compared: compared(0.5, 13) }]);
    expect(text).to.match(/one product +1000 +1000 +0\.50 ! +0\.60 +1\.00 +13\.00 +3\.25 !/);
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

  it('is wrong where a response is wrong, and where there is none', () => {
    const result = (more: Partial<typeof measured>): Result => ({
      scenario: scenarioOf('get-one'),
      compared: { ...compared(1), portico: { ...measured, ...more } },
    });
    expect(wrongResponses([result({})])).to.deep.equal([]);
    expect(wrongResponses([result({ wrongResponses: 1 })])).to.have.length(1);
    expect(wrongResponses([result({ requests: 0 })])).to.deep.equal(['one product: there was no response.']);
  });
});
