import { setTimeout as pause } from 'node:timers/promises';
import { endRun } from '../support/test-run.ts';

/** What a command of the laboratory has while it runs. */
export interface Running {
  /** Stops what was started: at the end, after an error, and when the command is interrupted. */
  readonly cleanUp: AsyncDisposableStack;
  /** Aborted when the command is interrupted. What fails from then on is not reported. */
  readonly interrupted: AbortSignal;
}

/** Nothing can be found out, because something that is needed is missing or wrong. */
export class CannotRun extends Error {}

interface Command<Arguments> {
  /** The script of package.json. */
  readonly name: string;
  readonly usage: string;
  /** @returns undefined for --help. @throws Error with a message for the command line */
  read(given: readonly string[]): Arguments | undefined;
  /** @returns whether everything held. @throws CannotRun */
  run(args: Arguments, running: Running): Promise<boolean>;
}

/** How long what was started may take to stop when the command is interrupted, in milliseconds. */
const stopTimeoutMs = 5_000;

const exitCodes = { success: 0, failure: 1, misuse: 2, interrupted: 130 } as const;

/** Prints a line. */
export const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/**
 * Runs a command: prints its usage for `--help` and for wrong arguments, stops what it has started, also when it is interrupted,
 * and sets the exit code: 1 when something did not hold, 2 for wrong arguments and what cannot be run, 130 for an interruption.
 */
export const runCommand = async <Arguments>({
  name,
  usage,
  read,
  run,
}: Command<Arguments>): Promise<void> => {
  // The reader of a pipe may close it early.
  process.stdout.on('error', () => process.exit());
  const args = readOrExit(name, usage, read);
  const cleanUp = new AsyncDisposableStack();
  cleanUp.defer(endRun);
  const interruption = new AbortController();
  const interrupt = async (): Promise<void> => {
    if (interruption.signal.aborted) return;
    interruption.abort();
    await Promise.race([cleanUp.disposeAsync().catch(() => undefined), pause(stopTimeoutMs)]);
    process.exit(exitCodes.interrupted);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupt);
  try {
    const hasHeld = await run(args, { cleanUp, interrupted: interruption.signal });
    process.exitCode = hasHeld ? exitCodes.success : exitCodes.failure;
  } catch (error) {
    // What fails while everything is being stopped is no error; the interruption exits.
    if (interruption.signal.aborted) await new Promise(() => undefined);
    if (!(error instanceof CannotRun)) throw error;
    process.stderr.write(`${name}: ${error.message}\n`);
    process.exitCode = exitCodes.misuse;
  } finally {
    if (!interruption.signal.aborted) await cleanUp.disposeAsync();
  }
};

const readOrExit = <Arguments>(
  name: string,
  usage: string,
  read: (given: readonly string[]) => Arguments | undefined,
): Arguments => {
  try {
    const args = read(process.argv.slice(2));
    if (args !== undefined) return args;
    process.stdout.write(usage);
    process.exit(exitCodes.success);
  } catch (error) {
    process.stderr.write(`${name}: ${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    process.exit(exitCodes.misuse);
  }
};

/** Something that a command runs by its name. */
type Named = readonly [name: string, description: string];

/** The lines of a usage that say what can be named. */
export const listed = (all: readonly Named[]): string => {
  const width = Math.max(...all.map(([name]) => name.length));
  return all.map(([name, description]) => `  ${name.padEnd(width)}  ${description}`).join('\n');
};

/**
 * @param kind what all of them are
 * @returns those with the names; without names, all
 * @throws Error with a message for the command line
 */
export const chosenFrom = <T>(
  kind: string,
  all: readonly T[],
  names: readonly string[],
  nameOf: (one: T) => string,
): readonly T[] => {
  const chosen = names.map((name) => {
    const found = all.find((one) => nameOf(one) === name);
    if (found === undefined) throw new Error(`There is no ${kind} named ${name}.`);
    return found;
  });
  return names.length > 0 ? chosen : all;
};

/** @throws Error with a message for the command line */
export const wholeNumber = (
  option: string,
  text: string,
  { least = 0, most = 999_999_999 }: { readonly least?: number; readonly most?: number } = {},
): number => {
  const number = Number(text);
  if (/^\d{1,9}$/.test(text) && number >= least && number <= most) return number;
  throw new Error(`${option} takes a whole number from ${least} to ${most}.`);
};
