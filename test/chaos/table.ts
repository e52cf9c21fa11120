import type { Arguments } from './arguments.ts';
import type { Counts } from './counts.ts';
import { type ViolationKind, type Violations, violationKinds } from './violations.ts';

const names: Readonly<Record<keyof Counts, string>> = {
  kills: 'kills',
  midway: '  of them with requests in flight',
  restarts: 'restarts',
  cutConnections: 'connections to the database cut',
  killedNodes: 'nodes of the database killed',
  frozenNodes: 'nodes of the database frozen',
  killedClusters: 'all nodes killed at once',
  requests: 'requests',
  retries: '  of them retries',
  lost: '  of them without a response',
  replays: 'replays compared',
  charges: 'charges',
  refunds: 'refunds',
  captures: 'captures',
  disputes: 'disputes',
  cancellations: 'payments canceled',
  lostCancellations: 'cancellations that came too late',
  inventedEvents: 'events invented',
  forgedEvents: '  of them signed by a forger',
  erasures: 'customers erased',
};

/** Renders the result. */
export const table = (
  { database, seed }: Arguments,
  counts: Counts,
  violations: Violations,
  seconds: number,
): string => {
  const lines: [name: string, value: string][] = [
    ['database', database],
    ['seed', `${seed}`],
    ...Object.entries(names).map(([name, label]): [string, string] => [
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
  const width = Math.max(...lines.map(([name]) => name.length));
  return `\n${lines.map(([name, value]) => `${name.padEnd(width)}  ${value.padStart(9)}`.trimEnd()).join('\n')}\n`;
};

/** Renders the progress in one line. */
export const progress = (counts: Counts, violations: Violations, kills: number, seconds: number): string =>
  `${`${Math.round(seconds)} s`.padStart(7)}  ${grouped(counts.kills)} of ${grouped(kills)} kills, ` +
  `${grouped(counts.requests)} requests, ${grouped(counts.replays)} replays compared, ` +
  `${grouped(violations.total)} violations`;

const grouped = (value: number): string => value.toLocaleString('en');
