import { run } from './command-line/run.ts';
import { terminalOf } from './command-line/terminal.ts';
import { commands } from './commands/all.ts';
import { version } from './version.ts';

/** Carries out what the command line says, and ends the process. */
export const main = async (args: readonly string[]): Promise<never> => {
  process.exit(await run(args, { commands, version, terminal: terminalOf(process) }));
};
