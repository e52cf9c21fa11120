import { grouped, table } from '../lab/report.ts';
import { type ViolationKind, type Violations, violationKinds } from '../lab/violations.ts';
import type { Arguments } from './arguments.ts';
import type { Counts } from './counts.ts';

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
  dashboardCaptures: 'captures in the dashboard',
  dashboardCancellations: 'cancellations in the dashboard',
  disputes: 'disputes',
  cancellations: 'payments canceled',
  lostCancellations: 'cancellations that came too late',
  inventedEvents: "provider's events invented",
  forgedEvents: '  of them signed by a forger',
  events: 'events in the feed',
  takenOverNumbers: '  of them numbered by another process',
  heldNumberings: 'times that numbering was held up',
  readerKills: 'kills of the reader of the feed',
  receiverKills: 'kills of a receiver of webhooks',
  webhooks: 'webhooks received',
  takeovers: 'kills of the server that delivers',
  slowestTakeoverMs: '  slowest takeover in ms',
  longestLagMs: 'longest lag after the last kill in ms',
  erasures: 'customers erased',
};

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
