import type { Kind } from './databases.ts';
import { judge } from './judge.ts';
import type { Compared } from './measure.ts';
import type { Scenario } from './scenarios.ts';
import { median } from './statistics.ts';
import { table } from './table.ts';

export interface Result {
  readonly scenario: Scenario;
  readonly compared: Compared;
}

export const titles = { sqlite: 'SQLite', postgres: 'PostgreSQL', memory: 'Memory' } satisfies Record<
  Kind,
  string
>;

const heads = [
  '',
  'a second',
  'of other',
  'ratio',
  'goal',
  'p50 ms',
  'p99 ms',
  'by other',
  'CPU us',
  'of other',
  'ratio',
  'database us',
  'of other',
  'core',
  'machine',
];

/** What was measured over one database, as a table for a terminal. */
export const shown = (kind: Kind, results: readonly Result[]): string =>
  table([heads, ...results.map((result) => rowOf(kind, result))]);

const rowOf = (kind: Kind, { scenario, compared }: Result): string[] => {
  const { portico, against, ratio } = compared;
  const { goal, isReached, p99, isSteady } = judge(scenario, kind, compared);
  const missed = (isMet: boolean): string => (isMet ? '' : ' !');
  return [
    scenario.name,
    portico.rate.toFixed(0),
    against.rate.toFixed(0),
    ratio.toFixed(2) + missed(isReached),
    goal?.toFixed(2) ?? '',
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

/** So many cores in use for something else are not worth a word. */
const quiet = 0.3;

/** What to keep in mind with the figures. */
export const remarks = (results: readonly Result[]): string[] => {
  const sides = results.flatMap(({ compared: { portico, against } }) => [portico, against]);
  const others = median(sides.map((side) => side.others));
  const busy = `Others used ${others.toFixed(2)} cores of the machine meanwhile: rates and latencies say little, CPU says more.`;
  return [...(others > quiet ? [busy] : []), ...results.flatMap(remarksOn)];
};

const remarksOn = ({ scenario: { name }, compared: { portico, against } }: Result): string[] => {
  const said: string[] = [];
  const asking = Math.max(portico.generatorBusy, against.generatorBusy);
  if (asking > 0.9) {
    said.push(`${name}: asking took ${asking.toFixed(2)} of a core, so that is the limit, not who answers.`);
  }
  if (portico.wrong + against.wrong > 0) {
    said.push(
      `${name}: ${portico.wrong} of Portico's answers and ${against.wrong} of the other's were wrong.`,
    );
  }
  return said;
};

export const legend = `"a second" is the median of what Portico answers, "of other" of what it is held against; "ratio" the
median over the rounds, "!" where it misses its goal; p99 "by other" may be 3 at the most. CPU and database are time for
each request, "core" how much of a core Portico had, and "machine" how much of all cores was in use, whoever used it.`;
