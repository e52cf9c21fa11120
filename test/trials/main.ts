// Brings about what goes wrong in production and says what came of it: `npm run trials -- --help`.
import { setTimeout as pause } from 'node:timers/promises';
import { stopPostgres } from '../support/postgres.ts';
import { type Arguments, readArguments, usage } from './arguments.ts';
import type { Finding, Trial } from './trial.ts';

const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

const everything = new AsyncDisposableStack();

/** @returns whether all was as expected */
const hold = async (trial: Trial, isShort: boolean): Promise<boolean> => {
  const begun = performance.now();
  say(`\n${trial.name}: ${trial.says}`);
  const cleanUp = everything.use(new AsyncDisposableStack());
  const findings = await trial.run({ isShort, tell: (text) => say(`        ${text}`), cleanUp });
  await cleanUp.disposeAsync();
  for (const finding of findings) say(line(finding));
  say(`        in ${((performance.now() - begun) / 1000).toFixed(1)} s`);
  // A trial that found nothing has proved nothing.
  return findings.length > 0 && findings.every(({ held }) => held);
};

const line = ({ held, expected, seen }: Finding): string =>
  `${held ? 'held   ' : 'BROKEN '} ${expected}: ${seen}`;

const main = async ({ chosen, isShort }: Arguments): Promise<void> => {
  everything.defer(stopPostgres);
  let ending = false;
  const interrupt = async (): Promise<void> => {
    if (ending) return;
    ending = true;
    await Promise.race([everything.disposeAsync().catch(() => undefined), pause(5_000)]);
    process.exit(130);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupt);
  try {
    for (const trial of chosen) if (!(await hold(trial, isShort))) process.exitCode = 1;
  } finally {
    await everything.disposeAsync();
  }
};

/** Ends here when nothing is to be done. */
const asked = (): Arguments => {
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

await main(asked());
