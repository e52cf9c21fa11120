// Plants faults in the code, one at a time, and runs the test that must notice: `npm run mutants -- --help`.
import { parseArgs } from 'node:util';
import { print, runCommand, wholeNumber } from '../lab/command-line.ts';
import { inSeconds, progressLine, resultLine } from '../lab/report.ts';
import { shareMariaDb } from '../support/mariadb.ts';
import { sharePostgres } from '../support/postgres.ts';
import { mutants } from './list.ts';
import { type Mutant, promisesWithoutTest, type SelectionName, selections, titlesOf } from './mutant.ts';
import { type Outcome, Runner } from './runner.ts';

const usage = `Usage: npm run mutants -- [words] [--jobs N] [--without-servers]

Plants each fault of test/mutants/list.ts, and runs the test whose title is the promise that the fault breaks. With words, only
faults whose file or name contains one of them. Exits with 1 when a fault survives.

  --jobs N             how many are tried at once, each in a process of its own (2)
  --without-servers    leaves out those whose tests need a PostgreSQL or MariaDB server
`;

const options = {
  jobs: { type: 'string', default: '2' },
  'without-servers': { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

/**
 * How long a test may take, in milliseconds. One that must end gets as long as a slow machine needs, because its timeout proves
 * nothing; one that must hang need not be waited for.
 */
const timeoutMs = { ends: 120_000, hangs: 10_000 };

const titleOf = ({ file, name }: Mutant): string => `${file}: ${name}`;

/** Tests that fail without a fault prove nothing. @throws if one does, or a promise has no test of its own */
const requirePassing = async (
  runner: Runner,
  tests: SelectionName,
  promises: readonly string[],
): Promise<void> => {
  const { files } = selections[tests];
  const outcome = await runner.run({ files, titles: titlesOf(tests, promises), timeoutMs: timeoutMs.ends });
  if (outcome.kind !== 'passed') {
    throw new Error(`The ${tests} tests do not pass without a fault: ${JSON.stringify(outcome)}`);
  }
  const missing = promisesWithoutTest(tests, promises, outcome.titles);
  if (missing.length > 0) throw new Error(`Not exactly one of the ${tests} tests has the title: ${missing}`);
  print(`${promises.length} ${tests} tests pass without a fault`);
};

/** Whether the promise's own test has failed, by what it asserts and not because the code cannot run. */
const isKill = ({ hangs, tests, promise }: Mutant, outcome: Outcome): boolean =>
  outcome.kind === 'failed' &&
  new RegExp(titlesOf(tests, [promise])).test(outcome.title) &&
  outcome.isTimeout === hangs;

const report = (mutant: Mutant, outcome: Outcome): void => {
  const isNoticed = isKill(mutant, outcome);
  print(resultLine(isNoticed ? 'noticed' : 'UNNOTICED', titleOf(mutant)));
  print(progressLine(`by "${mutant.promise}"`));
  if (!isNoticed) print(JSON.stringify(outcome));
};

const run = async (
  chosen: readonly Mutant[],
  jobs: number,
  cleanUp: AsyncDisposableStack,
): Promise<boolean> => {
  const begun = performance.now();
  const byTests = Map.groupBy(chosen, ({ tests }) => tests);
  const servers = new Set([...byTests.keys()].map((tests) => selections[tests].server));
  if (servers.has('PostgreSQL')) await sharePostgres();
  if (servers.has('MariaDB')) await shareMariaDb();
  const runners = Array.from({ length: jobs }, () => new Runner());
  cleanUp.defer(() => {
    for (const runner of runners) runner.close();
  });
  let killed = 0;
  const survivors: string[] = [];
  const tasks = [
    ...[...byTests].map(([tests, of]) => (runner: Runner) => {
      const promises = new Set(of.map(({ promise }) => promise));
      return requirePassing(runner, tests, [...promises]);
    }),
    ...chosen.map((mutant) => async (runner: Runner) => {
      const { files } = selections[mutant.tests];
      const titles = titlesOf(mutant.tests, [mutant.promise]);
      const limit = mutant.hangs ? timeoutMs.hangs : timeoutMs.ends;
      const outcome = await runner.run({ files, titles, fault: mutant, timeoutMs: limit });
      report(mutant, outcome);
      if (isKill(mutant, outcome)) killed += 1;
      else survivors.push(`${titleOf(mutant)}: ${JSON.stringify(outcome)}`);
    }),
  ].values();
  await Promise.all(
    runners.map(async (runner) => {
      for (const task of tasks) await task(runner);
    }),
  );
  const survived = chosen.length - killed;
  const duration = inSeconds(performance.now() - begun);
  print(`${chosen.length} faults planted, ${killed} killed, ${survived} survived, ${duration}`);
  // Once more at the end, where a reader of a long log looks first.
  for (const survivor of survivors) print(`not killed: ${survivor}`);
  return killed === chosen.length;
};

interface Arguments {
  readonly chosen: readonly Mutant[];
  readonly jobs: number;
}

const read = (given: readonly string[]): Arguments | undefined => {
  const { values, positionals } = parseArgs({ args: [...given], options, allowPositionals: true });
  if (values.help) return undefined;
  const jobs = wholeNumber('--jobs', values.jobs, { least: 1, most: 64 });
  const chosen = mutants.filter(
    (mutant) =>
      (positionals.length === 0 || positionals.some((word) => titleOf(mutant).includes(word))) &&
      !(values['without-servers'] && selections[mutant.tests].server !== undefined),
  );
  if (chosen.length === 0) throw new Error(`No fault has ${positionals.join(' or ')} in its file or name.`);
  return { chosen, jobs };
};

await runCommand({
  ...{ name: 'mutants', usage, read },
  run: ({ chosen, jobs }, { cleanUp }) => run(chosen, jobs, cleanUp),
});
