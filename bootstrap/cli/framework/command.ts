import type { ExitCode } from './exit-codes.ts';
import type { Given, Options } from './option.ts';
import type { Terminal } from './terminal.ts';

/** The exit code; without one the command has done what it was told to. */
type Ending = Promise<ExitCode> | Promise<void>;

/** A command, declared once: the help and the reading of the command line are made of it. */
export interface Command {
  /** One or two words. */
  readonly name: string;
  /** What it does, in one line. */
  readonly says: string;
  /** What else there is to know, as paragraphs. */
  readonly details: readonly string[];
  /** Written without names, in this order. Those that can be left out come last. */
  readonly operands: Options;
  /** Written as `--name`, in any order. */
  readonly options: Options;
  readonly run: (given: Readonly<Record<string, unknown>>, terminal: Terminal) => Ending;
}

interface Declared<P extends Options, O extends Options> {
  readonly name: string;
  readonly says: string;
  readonly details?: readonly string[];
  readonly operands?: P;
  readonly options?: O;
  readonly run: (given: Given<P> & Given<O>, terminal: Terminal) => Ending;
}

type None = Readonly<Record<never, never>>;

export const command = <P extends Options = None, O extends Options = None>({
  run,
  ...declared
}: Declared<P, O>): Command => ({
  details: [],
  operands: {},
  options: {},
  ...declared,
  // What is given has been read by the very options that are declared here.
  run: (given, terminal) => run(given as Given<P> & Given<O>, terminal),
});

/** Commands by their names, each loaded by those only who use it. */
export type Commands = Readonly<Record<string, () => Promise<Command>>>;
