import { table } from '../../lab/report.ts';
import { median } from '../../lab/statistics.ts';
import type { Kind } from '../servers/databases.ts';
import { busyCores, judge, type Result } from './judge.ts';

export const titles = { sqlite: 'SQLite', postgres: 'PostgreSQL', memory: 'Memory' } satisfies Record<
  Kind,
  string
>;

const header = [
  '',
  'a second',
  'baseline',
  'ratio',
  'floor',
  'p50 ms',
  'p99 ms',
  'of baseline',
  'CPU us',
  'baseline',
  'ratio',
  'database us',
  'baseline',
  'core',
  'machine',
];

/** The results on one database as a table for a terminal. */
export const resultTable = (kind: Kind, results: readonly Result[]): string =>
  table([header, ...results.map((result) => rowOf(kind, result))]);

const rowOf = (kind: Kind, { scenario, compared }: Result): string[] => {
  const { portico, baseline: against, ratio } = compared;
  const {
    floor,
    isRatioKept: isReached,
    p99Ratio: p99,
    isP99Kept: isSteady,
  } = judge(scenario, kind, compared);
  const missed = (isMet: boolean): string => (isMet ? '' : ' !');
  return [
    scenario.name,
    portico.rate.toFixed(0),
    against.rate.toFixed(0),
    ratio.toFixed(2) + missed(isReached),
    floor?.toFixed(2) ?? '',
    portico.p50.toFixed(2),
    portico.p99.toFixed(2),
    p99.toFixed(2) + missed(isSteady),
    portico.cpu.toFixed(0),
    against.cpu.toFixed(0),
    (against.cpu / portico.cpu).toFixed(2),
    portico.databaseCpu > 0 ? portico.databaseCpu.toFixed(0) : '',
    against.databaseCpu > 0 ? against.databaseCpu.toFixed(0) : '',
    portico.busy.toFixed(2),
    `${(100 * portico.machine).toFixed(0)} %`,
  ];
};

/** How many responses each server gave. A check prints no rates, because they would be none. */
export const responseTable = (_kind: Kind, results: readonly Result[]): string =>
  table([
    ['', 'responses', 'baseline'],
    ...results.map(({ scenario, compared: { portico, baseline } }) => [
      scenario.name,
      `${portico.requests}`,
      `${baseline.requests}`,
    ]),
  ]);

/** What belongs to the figures: warnings, and rates of requests beside. */
export const remarks = (results: readonly Result[]): string[] => {
  const sides = results.flatMap(({ compared: { portico, baseline: against } }) => [portico, against]);
  const others = median(sides.map((side) => side.others));
  const busy = `Other programs used ${others.toFixed(2)} cores meanwhile: trust CPU more than rates and latencies.`;
  return [...(others > busyCores ? [busy] : []), ...results.flatMap(remarksOn), ...wrongResponses(results)];
};

const remarksOn = ({ scenario: { name }, compared: { portico, baseline: against } }: Result): string[] => {
  const texts: string[] = [];
  if (portico.besideRate > 0) {
    const [mine, theirs] = [portico.besideRate.toFixed(0), against.besideRate.toFixed(0)];
    texts.push(
      `${name}: meanwhile Portico answered ${mine} other requests a second, the baseline ${theirs}.`,
    );
  }
  const asking = Math.max(portico.generatorBusy, against.generatorBusy);
  if (asking > 0.9) {
    texts.push(`${name}: the load generator used ${asking.toFixed(2)} of a core and may be the bottleneck.`);
  }
  return texts;
};

/** A sentence for each scenario with a wrong response, or with none. */
export const wrongResponses = (results: readonly Result[]): string[] =>
  results.flatMap(({ scenario: { name }, compared: { portico, baseline } }) => {
    const wrong = `${portico.wrongResponses} responses of Portico and ${baseline.wrongResponses} of the baseline were wrong.`;
    return [
      ...(portico.requests === 0 || baseline.requests === 0 ? [`${name}: there was no response.`] : []),
      ...(portico.wrongResponses + baseline.wrongResponses > 0 ? [`${name}: ${wrong}`] : []),
    ];
  });

export const legend = `"a second" is the median rate of Portico, "baseline" that of the server that it is compared with. "ratio" is
the median over the rounds, with "!" below its floor; p99 "of baseline" may be 3 at most. CPU and database are time for
each request, "core" the cores that Portico used, "machine" the use of all cores by any program.`;
