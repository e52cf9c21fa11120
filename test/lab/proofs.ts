import { existsSync } from 'node:fs';
import { pickedNightFiles } from './night.ts';

/** A command that proves something about whole programs, and ends with 0 when it holds. */
export interface Proof {
  readonly name: string;
  /** The words behind `npm run --silent`. */
  readonly script: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Proofs of two lanes run beside each other. What has no lane runs alone, at last. */
  readonly lane?: 'first' | 'second';
  /** What it needs besides the packages, if it is not there. */
  readonly missing?: string | undefined;
  /** How long it may take before it counts as hanging. Default: fifteen minutes. */
  readonly timeoutMinutes?: number;
}

const mariaDb = existsSync('/usr/sbin/mariadbd') ? undefined : 'MariaDB';
const galera =
  mariaDb ?? (existsSync('/usr/lib/galera/libgalera_smm.so') ? undefined : 'the library of Galera');
const strace = existsSync('/usr/bin/strace') ? undefined : 'strace';

const kills = (count: number, database: string, ...more: readonly string[]): readonly string[] => [
  ...['chaos', '--', '--kills', `${count}`, '--seed', '1', '--database', database],
  ...more,
];

const trial = (name: string): readonly string[] => ['trials', '--', name, '--short'];

/** What looks at the clock is judged, too. */
const timedTrial = (name: string): readonly string[] => [...trial(name), '--timed'];

/** What every change goes through. */
export const byDay: readonly Proof[] = [
  { name: 'ten kills on SQLite', script: kills(10, 'sqlite'), lane: 'first' },
  { name: 'ten kills on PostgreSQL', script: kills(10, 'postgres'), lane: 'first' },
  {
    name: 'four kills on SQLite, with readers of events',
    script: kills(4, 'sqlite', '--events', '--light'),
    lane: 'first',
  },
  { name: 'a graceful shutdown under load', script: trial('shutdown'), lane: 'first' },
  { name: 'slow clients', script: trial('slow-clients'), lane: 'first' },
  { name: 'a thousand stories', script: ['simulate', '--', '--seeds', '1000'], lane: 'second' },
  { name: 'every planted fault is noticed', script: ['simulate', '--', '--faults'], lane: 'second' },
  {
    name: 'every fault of a store or a payment provider fails by the name of its promise',
    script: ['mutants', '--', '--without-servers'],
    lane: 'second',
  },
  { name: 'a short soak', script: trial('soak'), lane: 'second' },
  {
    name: 'four kills on PostgreSQL, with readers of events',
    script: kills(4, 'postgres', '--events', '--light'),
    lane: 'second',
  },
  { name: 'five kills on MariaDB', script: kills(5, 'mariadb'), lane: 'second', missing: mariaDb },
];

/** What is too dear, or too uncertain, for every change. `night.ts` says why, for each. */
export const byNight: readonly Proof[] = [
  { name: 'the tests with other seeds', script: ['test'], environment: { TEST_SEED: 'random' } },
  // The first scrape of a process waits 60 ms for samples of its event loop.
  { name: 'no unit test waits', script: ['test:unit'], environment: { TEST_IDLE_MS: '75' } },
  {
    name: 'the whole programs, used in every way',
    script: ['e2e'],
    environment: { TEST_NIGHT: '1' },
    timeoutMinutes: 60,
  },
  { name: 'the tests of the night', script: ['night:tests'], timeoutMinutes: 90 },
  {
    name: 'thirty thousand stories',
    script: ['simulate', '--', '--seeds', '30000'],
    lane: 'first',
    timeoutMinutes: 45,
  },
  { name: 'every fault, those of servers too', script: ['mutants'], lane: 'second', timeoutMinutes: 60 },
  { name: 'a hundred kills on SQLite', script: kills(100, 'sqlite'), lane: 'first', timeoutMinutes: 30 },
  {
    name: 'a hundred kills on PostgreSQL',
    script: kills(100, 'postgres'),
    lane: 'second',
    timeoutMinutes: 30,
  },
  { name: 'thirty kills on MariaDB', script: kills(30, 'mariadb'), lane: 'first', missing: mariaDb },
  { name: 'eight kills on a Galera cluster', script: kills(8, 'galera'), lane: 'second', missing: galera },
  {
    name: 'kills on SQLite, with readers of events',
    script: kills(20, 'sqlite', '--events'),
    lane: 'first',
  },
  {
    name: 'kills on PostgreSQL, with readers of events',
    script: kills(20, 'postgres', '--events'),
    lane: 'second',
  },
  {
    name: 'kills before system calls',
    script: kills(20, 'sqlite', '--at-system-calls'),
    lane: 'first',
    missing: strace,
    timeoutMinutes: 60,
  },
  { name: 'the trial shutdown', script: timedTrial('shutdown') },
  { name: 'the trial slow-clients', script: timedTrial('slow-clients') },
  { name: 'the trial failover', script: timedTrial('failover') },
  { name: 'the trial swallow', script: timedTrial('swallow') },
  { name: 'the trial webhook-soak', script: timedTrial('webhook-soak') },
  { name: 'the trial overload', script: timedTrial('overload') },
  { name: 'the trial events', script: timedTrial('events') },
  { name: 'the trial event-cost', script: timedTrial('event-cost') },
  { name: 'the trial search', script: timedTrial('search') },
  { name: 'the trial deep-feed', script: timedTrial('deep-feed') },
  {
    name: 'every page, slowly loaded',
    script: ['night:slow-pages'],
    environment: { TEST_SLOW_PAGES: '1' },
    timeoutMinutes: 60,
  },
  { name: 'nothing has become slower', script: ['bench', '--', '--guard'], timeoutMinutes: 45 },
];

/**
 * One file of the night's tests, so that those are run where the night is not: another one for each commit. Only such as
 * cannot fail by chance.
 * @param commit the hash of the commit, in hexadecimal
 */
export const nightTestOf = (commit: string): Proof => {
  const file = pickedNightFiles[Number.parseInt(commit.slice(0, 8), 16) % pickedNightFiles.length];
  if (file === undefined) throw new RangeError('No test of the night is certain.');
  return { name: `a test of the night: ${file}`, script: ['night:test', '--', file] };
};
