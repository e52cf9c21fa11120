// Plants faults in copies of the code, one at a time, and runs the tests that must notice: `npm run mutants -- --help`.
import { parseArgs } from 'node:util';
import { sharePostgres, stopPostgres } from '../support/postgres.ts';
import { type Mutant, mutants, type Selection, selectionOf, selections } from './list.ts';
import { Tree, type Verdict } from './tree.ts';

const usage = `Usage: npm run mutants -- [words] [--jobs N]

Plants each fault of test/mutants/list.ts in a copy of the code and runs the tests that must notice it. With words, only faults
whose file or name contains one of them. Exits with 1 when a fault survives.

  --jobs N   how many are tried at once, each in a copy of its own (2)
`;

const options = {
  jobs: { type: 'string', default: '2' },
  help: { type: 'boolean', default: false },
} as const;

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const titleOf = ({ file, name }: Mutant): string => `${file}: ${name}`;

/** Takes from the same queue in each of several copies. @throws the first error, once all have ended */
const inTrees = async <T>(
  trees: readonly Tree[],
  queue: readonly T[],
  act: (tree: Tree, one: T) => Promise<void>,
): Promise<void> => {
  const left = queue.values();
  const ended = await Promise.allSettled(
    trees.map(async (tree) => {
      for (const one of left) await act(tree, one);
    }),
  );
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
};

/** Tests that fail without a fault prove nothing. @throws if one does */
const requirePassing = async (tree: Tree, name: string, tests: Selection): Promise<void> => {
  const verdict = await tree.run(tests);
  if (verdict.kind !== 'passed') {
    throw new Error(`The ${name} tests do not pass without a fault: ${JSON.stringify(verdict)}`);
  }
  print(`${verdict.count} ${name} tests pass without a fault`);
};

/** @returns whether the tests noticed the fault. A run that hangs has noticed it, one that does not load has not. */
const judge = (mutant: Mutant, verdict: Verdict): boolean => {
  switch (verdict.kind) {
    case 'failed':
      print(`killed    ${titleOf(mutant)}\n          by "${verdict.title}"`);
      return true;
    case 'hung':
      print(`killed    ${titleOf(mutant)}\n          because the tests did not end`);
      return true;
    case 'passed':
      print(`SURVIVED  ${titleOf(mutant)}`);
      return false;
    case 'broken':
      print(`BROKEN    ${titleOf(mutant)}\n${verdict.output.slice(-2_000)}`);
      return false;
  }
};

const run = async (chosen: readonly Mutant[], jobs: number): Promise<boolean> => {
  await using cleanUp = new AsyncDisposableStack();
  const begun = performance.now();
  const names = [...new Set(chosen.map(({ tests }) => tests))];
  if (names.some((name) => selections[name].needsPostgres)) {
    cleanUp.defer(stopPostgres);
    await sharePostgres();
  }
  const trees: Tree[] = [];
  for (let nth = 0; nth < Math.min(jobs, chosen.length); nth += 1) {
    const tree = await Tree.copy();
    cleanUp.defer(() => tree.remove());
    trees.push(tree);
  }
  let killed = 0;
  await inTrees(trees, names, (tree, name) => requirePassing(tree, name, selections[name]));
  await inTrees(trees, chosen, async (tree, mutant) => {
    if (judge(mutant, await tree.runWith(mutant, selectionOf(mutant)))) killed += 1;
  });
  const seconds = ((performance.now() - begun) / 1000).toFixed(0);
  print(
    `${chosen.length} faults planted, ${killed} killed, ${chosen.length - killed} survived, ${seconds} s`,
  );
  return killed === chosen.length;
};

const main = async (): Promise<number> => {
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const jobs = Number(values.jobs);
  const chosen = mutants.filter(
    (mutant) => positionals.length === 0 || positionals.some((word) => titleOf(mutant).includes(word)),
  );
  if (values.help || chosen.length === 0 || !Number.isSafeInteger(jobs) || jobs < 1) {
    process.stdout.write(usage);
    return values.help ? 0 : 2;
  }
  return (await run(chosen, jobs)) ? 0 : 1;
};

// What was started and copied is removed when the process exits.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130));

process.exitCode = await main();
