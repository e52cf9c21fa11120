import type { SystemCall } from './trace.ts';

/** What a call reaches. */
export type Place = 'client' | 'webhook' | 'provider' | 'database';

/** The ports by which connections are told apart. */
export interface Ports {
  readonly client: number;
  readonly webhook: number;
  readonly provider: number;
  /** Undefined for a database in files. */
  readonly database: number | undefined;
}

/** A call at which something happens to the server. */
export interface Point {
  readonly call: SystemCall;
  readonly place: Place;
  /** A signal or an error, as strace's option `inject` names it. */
  readonly fault: string;
}

const kill = 'signal=SIGKILL';

/** @returns undefined for a log, and for what stays within the process */
export const placeOf = ({ target }: SystemCall, ports: Ports): Place | undefined => {
  if (/\/portico\.db(-\w+)?$/.test(target)) return 'database';
  const [, local, remote] = /:(\d+)->.*:(\d+)\]$/.exec(target) ?? [];
  if (Number(local) === ports.client) return 'client';
  if (Number(local) === ports.webhook) return 'webhook';
  if (Number(remote) === ports.provider) return 'provider';
  return Number(remote) === ports.database ? 'database' : undefined;
};

/** Whether two writes follow one another in the same file. */
const isSameRun = (one: SystemCall, other: SystemCall | undefined): boolean =>
  one.name === 'pwrite64' && other?.name === one.name && other.target === one.target;

/**
 * A kill before each call that leaves the process. Of successive writes to one file it takes the last: with it SQLite commits, and it
 * ignores what lacks it.
 */
export const killPoints = (calls: readonly SystemCall[], ports: Ports): readonly Point[] =>
  calls.flatMap((call, index) => {
    const place = placeOf(call, ports);
    const isNoPoint = place === undefined || isSameRun(call, calls[index + 1]);
    return isNoPoint ? [] : [{ call, place, fault: kill }];
  });

/** A full disk, and one that fails. */
export const errorPoints = (calls: readonly SystemCall[], ports: Ports): readonly Point[] =>
  calls.flatMap((call, index) => {
    const place = placeOf(call, ports);
    if (place === undefined) return [];
    if (call.name === 'pwrite64' && !isSameRun(call, calls[index - 1]))
      return [{ call, place, fault: 'error=ENOSPC' }];
    return call.name === 'fsync' || call.name === 'fdatasync' ? [{ call, place, fault: 'error=EIO' }] : [];
  });

/** At most so many, evenly spread. */
export const spread = <T>(all: readonly T[], most: number): readonly T[] =>
  all.length <= most
    ? all
    : Array.from({ length: most }, (_, n) => all[Math.floor((n * all.length) / most)] as T);

/** At most so many, of each place as equally as there are any: a request to the provider is one call among many to the database. */
export const spreadOverPlaces = (points: readonly Point[], most: number): readonly Point[] => {
  const places = Object.values(Object.groupBy(points, ({ place }) => place));
  places.sort((one, other) => one.length - other.length);
  const chosen = new Set<Point>();
  for (const [index, ofPlace] of places.entries()) {
    const share = Math.ceil((most - chosen.size) / (places.length - index));
    for (const point of spread(ofPlace, share)) chosen.add(point);
  }
  return points.filter((point) => chosen.has(point));
};

export const injectionOf = ({ call: { name, ordinal }, fault }: Point): string =>
  `${name}:${fault}:when=${ordinal}`;

export const isKill = ({ fault }: Point): boolean => fault === kill;
