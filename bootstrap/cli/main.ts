import { within } from '#adapters/support/timeout.ts';
import { exitProcess } from '../process/exit.ts';
import { activeTracing } from '../process/tracing.ts';
import { version } from '../process/version.ts';
import { commands } from './commands/all.ts';
import { run } from './framework/run.ts';
import { createTerminal } from './framework/terminal.ts';

/** How long whoever collects traces is waited for, in milliseconds. */
const patience = 2_000;

/** Carries out what the command line says, and ends the process when all that it said is on its way. */
export const main = async (args: readonly string[]): Promise<never> => {
  const terminal = createTerminal(process);
  const code = await run(args, { commands, version, terminal });
  const traces = activeTracing()?.end();
  await Promise.all([terminal.flush(), traces && within(patience, traces, undefined)]);
  return exitProcess(code);
};
