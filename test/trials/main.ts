// Injects faults and overload as they occur in production, and reports what held: `npm run trials -- --help`.
import { setTimeout as pause } from 'node:timers/promises';
import { stopPostgres } from '../support/postgres.ts';
import { type Arguments, readArguments, usage } from './arguments.ts';
import type { Finding, Trial } from './trial.ts';
import { holdsWithin } from './tries.ts';

const print = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

const allCleanUp = new AsyncDisposableStack();

/** @returns whether all expectations held, in the short form at the third try at the latest */
const holds = (trial: Trial, options: Omit<Arguments, 'chosen'>): Promise<boolean> =>
  holdsWithin(options.isShort ? 3 : 1, () => runTrial(trial, options));

const runTrial = async (trial: Trial, options: Omit<Arguments, 'chosen'>): Promise<readonly Finding[]> => {
  const begun = performance.now();
  print(`\n${trial.name}: ${trial.description}`);
  const cleanUp = allCleanUp.use(new AsyncDisposableStack());
  const findings = await trial.run({ ...options, log: (text) => print(`        ${text}`), cleanUp });
  await cleanUp.disposeAsync();
  for (const finding of findings) print(line(finding));
  print(`        in ${((performance.now() - begun) / 1000).toFixed(1)} s`);
  return findings;
};

const line = ({ held, expected, seen }: Finding): string =>
  `${held ? 'held   ' : 'BROKEN '} ${expected}: ${seen}`;

const main = async ({ chosen, ...options }: Arguments): Promise<void> => {
  allCleanUp.defer(stopPostgres);
  let ending = false;
  const interrupt = async (): Promise<void> => {
    if (ending) return;
    ending = true;
    await Promise.race([allCleanUp.disposeAsync().catch(() => undefined), pause(5_000)]);
    process.exit(130);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupt);
  try {
    for (const trial of chosen) if (!(await holds(trial, options))) process.exitCode = 1;
  } finally {
    await allCleanUp.disposeAsync();
  }
};

/** Ends the process for --help and for invalid arguments. */
const parsedArguments = (): Arguments => {
  try {
    const given = readArguments(process.argv.slice(2));
    if (given !== undefined) return given;
    process.stdout.write(usage);
    process.exit(0);
  } catch (error) {
    process.stderr.write(`trials: ${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    process.exit(2);
  }
};

await main(parsedArguments());
