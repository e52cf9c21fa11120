import { run } from './command-line/run.ts';
import { terminalOf } from './command-line/terminal.ts';
import { commands } from './commands/all.ts';
import { tracesHere } from './traces.ts';
import { version } from './version.ts';

/** Carries out what the command line says, and ends the process when all that it said is on its way. */
export const main = async (args: readonly string[]): Promise<never> => {
  const terminal = terminalOf(process);
  const code = await run(args, { commands, version, terminal });
  await Promise.all([terminal.flush(), tracesHere()?.end()]);
  process.exit(code);
};
