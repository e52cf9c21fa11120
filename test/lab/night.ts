/**
 * What runs by night only, each with its reason: `npm run night`. A test holds this list to the files, so that nothing moves to the
 * night without a word.
 */

interface NightFile {
  readonly file: string;
  readonly reason: string;
  /** Whether it may be picked for a commit: it depends on neither the clock nor chance, and needs no packages of its own. */
  readonly isPicked: boolean;
}

export const nightFiles: readonly NightFile[] = [
  {
    file: 'test/generators/generators.night.test.ts',
    reason:
      'It installs 636 packages, generates by six tools and compiles for over a minute. By day openapi-typescript runs.',
    isPicked: false,
  },
  {
    file: 'test/docs/rule-speed.night.test.ts',
    reason: 'It measures durations. By day no timer is set while a rule is tested.',
    isPicked: false,
  },
  {
    file: 'test/adapters/persistence/mariadb/galera.night.test.ts',
    reason:
      'It kills and freezes nodes, which are also evicted by the clocks of the others when the machine is busy.',
    isPicked: false,
  },
  {
    file: 'test/bootstrap/cli/import-memory.night.test.ts',
    reason:
      'It imports 180 MB into each database. By day 100 MB on SQLite show what is kept in memory there.',
    isPicked: true,
  },
  {
    file: 'test/bootstrap/process/start-flags.night.test.ts',
    reason: 'It sends 50,000 requests under a trace of V8. By day a thousand show a flag that is missing.',
    isPicked: true,
  },
  {
    file: 'test/bootstrap/composition/load-adapter.night.test.ts',
    reason: 'It waits for 60 s. By day simulated time passes.',
    isPicked: true,
  },
];

export const pickedNightFiles = nightFiles.filter(({ isPicked }) => isPicked).map(({ file }) => file);

/** Proofs of the night, by their names in `proofs.ts`. */
export const nightProofs: Readonly<Record<string, string>> = {
  'the tests with other seeds': 'It draws anew, so it may find a fault that no change of the day has caused.',
  'no unit test waits':
    'It measures how long the event loop idles while timers run, and on a busy machine everything waits.',
  'the whole programs, used in every way':
    'Each view of the admin page is used in both ways, and a hundred requests at once are sent a hundred times.',
  'the tests of the night': 'The list of files says why, for each.',
  'thirty thousand stories':
    'A thousand by day notice every planted fault; more may notice one that was never planted.',
  'every fault, those of servers too': 'Each of hundreds starts a run on a server.',
  'a hundred kills on SQLite': 'Ten by day are the same proof in short.',
  'a hundred kills on PostgreSQL': 'Ten by day are the same proof in short.',
  'thirty kills on MariaDB': 'Five by day are the same proof in short.',
  'eight kills on a Galera cluster': 'Three nodes on two cores take minutes to start and to follow.',
  'kills on SQLite, with readers of events': 'Four by day are the same proof in short.',
  'kills on PostgreSQL, with readers of events': 'Four by day are the same proof in short.',
  'kills before system calls': 'It traces each system call of each operation, which takes most of an hour.',
  'the trial shutdown': 'By day the same trial shows how long the ends took, and does not judge it.',
  'the trial slow-clients': 'By day the same trial shows how long others waited, and does not judge it.',
  'the trial failover':
    'It waits for a replica that becomes the primary, and measures for how long writes fail.',
  'the trial swallow':
    'It waits for connections that the network has swallowed, for as long as systems take.',
  'the trial webhook-soak': 'It measures a lag under load.',
  'the trial overload': 'It measures rates and latencies, which depend on what else the machine does.',
  'the trial events': 'It measures rates and latencies, which depend on what else the machine does.',
  'the trial event-cost': 'It measures a share of processor time under load.',
  'the trial search': 'It measures latencies over a large catalogue.',
  'the trial deep-feed': 'It measures latencies over a large feed.',
  'every page, slowly loaded':
    'Each page is delayed by some 400 ms, which finds a test that waits for too little, and takes twice as long.',
  'nothing has become slower':
    'It measures processor time in many rounds, and installs the packages of an earlier commit.',
};
