import { createRequire } from 'node:module';
import { run } from './command-line/run.ts';
import { terminalOf } from './command-line/terminal.ts';
import { commands } from './commands/all.ts';

/** Carries out what the command line says, and ends the process. */
export const main = async (args: readonly string[]): Promise<never> => {
  const { version }: { version: string } = createRequire(import.meta.url)('../package.json');
  process.exit(await run(args, { commands, version, terminal: terminalOf(process) }));
};
