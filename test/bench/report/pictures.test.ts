import { expect } from 'chai';
import type { Comparison } from '../compare.ts';
import { scenarios } from '../scenarios.ts';
import { chart } from './chart.ts';
import { callsIn, flameGraph } from './flame-graph.ts';

const measured = {
  rate: 1,
  besideRate: 0,
  p50: 1,
  p99: 1,
  cpu: 1,
  databaseCpu: 0,
  busy: 1,
  generatorBusy: 0,
  machine: 1,
  others: 0,
  wrongResponses: 0,
  requests: 1,
};

const resultOf = (id: string, ratio: number) => {
  const compared: Comparison = { portico: measured, baseline: measured, ratio };
  return scenarios.filter((one) => one.id === id).map((scenario) => ({ scenario, compared }));
};

const frame = (functionName: string, url = '', lineNumber = 0) => ({ functionName, url, lineNumber });

const profile = {
  nodes: [
    { id: 1, callFrame: frame('(root)'), children: [2, 3, 5] },
    { id: 2, callFrame: frame('serve', 'file:///a/adapters/http/api.ts', 9), children: [4] },
    { id: 3, callFrame: frame('(idle)') },
    { id: 4, callFrame: frame('', 'file:///a/node_modules/pg/lib/client.js', 1) },
    { id: 5, callFrame: frame('before', 'node:net') },
  ],
  startTime: 1_000,
  samples: [5, 2, 3, 4, 2],
  timeDeltas: [10, 100, 500, 300, 100],
};

describe('The pictures of the benchmark', () => {
  it('have a bar as long as each ratio, and a line at its floor', () => {
    const svg = chart(
      new Map([
        ['sqlite' as const, [...resultOf('get-one', 0.5), ...resultOf('order', 4)]],
        ['postgres' as const, resultOf('order', 2)],
      ]),
      'Ratios & goals',
    );
    const widths = [...svg.matchAll(/<rect x="\S+" y="\S+" width="([\d.]+)" height="14"/g)].map(([, width]) =>
      Number(width),
    );
    const [one = 0, four = 0, two = 0] = widths;
    expect(widths).to.have.lengthOf(3);
    expect([four / one, two / one]).to.satisfy(
      ([more = 0, less = 0]: number[]) => Math.abs(more - 8) < 0.1 && Math.abs(less - 4) < 0.1,
    );
    expect(svg).to.include('>0.50<').and.to.include('>4.00<').and.to.include('Ratios &amp; goals');
    expect(svg.match(/stroke-width="2"/g)).to.have.lengthOf(3);
  });

  it('count the time of a call for its callers, and leave idle time out', () => {
    const root = callsIn(profile);
    expect(root.time).to.equal(510);
    const [serve, before] = root.calls;
    expect([serve?.name, serve?.place, serve?.time]).to.deep.equal([
      'serve',
      '/a/adapters/http/api.ts:10',
      500,
    ]);
    expect(serve?.calls.map(({ name, time }) => [name, time])).to.deep.equal([['(anonymous)', 300]]);
    expect(before?.time).to.equal(10);
  });

  it('leave out samples outside of the period', () => {
    expect(callsIn(profile, 1_050, 1_950).time).to.equal(400);
  });

  it('draw calls as wide as their time', () => {
    const svg = flameGraph(callsIn(profile), 'A <while>');
    expect(svg).to.include('A &lt;while&gt;');
    expect(svg).to.include('serve /a/adapters/http/api.ts:10 1 ms, 98.0 %');
    expect(svg).to.match(/width="1568\.6" height="16" fill="#8fb8de"/);
    expect(svg).to.match(/width="941\.2" height="16" fill="#f2b872"/);
  });
});
