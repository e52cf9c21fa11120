import { grouped, table } from '../lab/report.ts';
import { type ViolationKind, type Violations, violationKinds } from '../lab/violations.ts';
import type { Arguments } from './arguments.ts';
import { type Counts, countLabels } from './counts.ts';

/** Renders the result. */
export const summary = (
  { database, seed }: Pick<Arguments, 'database' | 'seed'>,
  counts: Counts,
  violations: Violations,
  seconds: number,
): string => {
  const lines: [name: string, value: string][] = [
    ['database', database],
    ['seed', `${seed}`],
    ...Object.entries(countLabels).map(([name, label]): [string, string] => [
      label,
      grouped(counts[name as keyof Counts]),
    ]),
    ['duration', `${Math.round(seconds)} s`],
    ['', ''],
    ['violations', grouped(violations.total)],
    ...Object.entries(violationKinds).map(([kind, label]): [string, string] => [
      `  ${label}`,
      grouped(violations.count(kind as ViolationKind)),
    ]),
  ];
  return `\n${table(lines)}\n`;
};

/** Renders the progress in one line. @param kills how many there will be; undefined when that depends on the system calls */
export const progress = (
  counts: Counts,
  violations: Violations,
  kills: number | undefined,
  seconds: number,
): string =>
  `${`${Math.round(seconds)} s`.padStart(7)}  ${grouped(counts.kills)}${kills === undefined ? '' : ` of ${grouped(kills)}`} kills, ` +
  `${grouped(counts.requests)} requests, ${grouped(counts.replays)} replays compared, ` +
  `${grouped(violations.total)} violations`;
