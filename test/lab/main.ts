// Runs what proves something about whole programs: `npm run proof -- --help`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { atExit } from '../support/at-exit.ts';
import { print, runCommand } from './command-line.ts';
import { byDay, byNight, nightTestOf, type Proof } from './proofs.ts';
import { inSeconds, resultLine } from './report.ts';

const usage = `Usage: npm run proof -- [words] [--night] [--picked-by COMMIT] [--list]

Runs kills, simulated stories, planted faults, trials and soaks, in two lanes beside each other. With words, only those whose name
contains one of them. Ends with "N passed, N failed", and with 1 when one has failed.

  --night               the long form, with all that is too dear or too uncertain for every change: one to two hours
  --picked-by COMMIT    runs one test of the night besides, which the hash of the commit picks
  --list                lists the proofs, and runs none
  --help                shows this
`;

const options = {
  night: { type: 'boolean', default: false },
  'picked-by': { type: 'string' },
  list: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

/** How many of the last lines of a failed proof are shown. */
const shownLines = 60;

const counts = { passed: 0, failed: 0 };

/** Runs a proof to its end. Its output is shown when it fails. */
const run = async (proof: Proof): Promise<void> => {
  const { name, script, environment, timeoutMinutes = 15, missing } = proof;
  if (missing !== undefined) {
    print(resultLine('left out', name, `it needs ${missing}`));
    return;
  }
  const started = performance.now();
  const child = spawn('npm', ['run', '--silent', ...script], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => output.push(chunk));
  const end = (): void => {
    // The whole group: npm does not pass signals on to what its shell has started.
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
  };
  const timer = setTimeout(end, timeoutMinutes * 60_000);
  const revoke = atExit(end);
  const [code] = await once(child, 'close');
  clearTimeout(timer);
  revoke();
  const hasPassed = code === 0;
  counts[hasPassed ? 'passed' : 'failed'] += 1;
  print(resultLine(hasPassed ? 'held' : 'BROKEN', name, inSeconds(performance.now() - started)));
  if (hasPassed) return;
  const lines = Buffer.concat(output).toString('utf8').split('\n');
  print(lines.slice(-shownLines).join('\n'));
};

const runInOrder = async (proofs: readonly Proof[]): Promise<void> => {
  for (const proof of proofs) await run(proof);
};

const runAll = async (proofs: readonly Proof[]): Promise<void> => {
  const lanes = Map.groupBy(proofs, ({ lane }) => lane);
  await Promise.all([runInOrder(lanes.get('first') ?? []), runInOrder(lanes.get('second') ?? [])]);
  await runInOrder(lanes.get(undefined) ?? []);
};

interface Arguments {
  readonly chosen: readonly Proof[];
  readonly isList: boolean;
}

const read = (given: readonly string[]): Arguments | undefined => {
  const { values, positionals } = parseArgs({ args: [...given], options, allowPositionals: true });
  if (values.help) return undefined;
  const picked = values['picked-by'] === undefined ? [] : [nightTestOf(values['picked-by'])];
  const all = [...(values.night ? byNight : byDay), ...picked];
  const chosen = all.filter(
    ({ name }) => positionals.length === 0 || positionals.some((word) => name.includes(word)),
  );
  if (chosen.length === 0) throw new Error(`No proof has ${positionals.join(' or ')} in its name.`);
  return { chosen, isList: values.list };
};

const main = async ({ chosen, isList }: Arguments): Promise<boolean> => {
  if (isList) {
    for (const { name, script } of chosen) print(`${name}: npm run ${script.join(' ')}`);
    return true;
  }
  await runAll(chosen);
  print(`${counts.passed} passed, ${counts.failed} failed`);
  return counts.failed === 0 && counts.passed > 0;
};

await runCommand({ name: 'proof', usage, read, run: main });
