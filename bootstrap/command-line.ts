import { within } from '#application/within.ts';
import { run } from './command-line/run.ts';
import { terminalOf } from './command-line/terminal.ts';
import { commands } from './commands/all.ts';
import { endProcess } from './end-process.ts';
import { tracesHere } from './traces.ts';
import { version } from './version.ts';

/** How long whoever collects traces is waited for, in milliseconds. */
const patience = 2_000;

/** Carries out what the command line says, and ends the process when all that it said is on its way. */
export const main = async (args: readonly string[]): Promise<never> => {
  const terminal = terminalOf(process);
  const code = await run(args, { commands, version, terminal });
  const traces = tracesHere()?.end();
  await Promise.all([terminal.flush(), traces && within(patience, traces, undefined)]);
  return endProcess(code);
};
