import { withTimeout } from '#adapters/support/timeout.ts';
import { exitProcess } from '../process/exit.ts';
import { activeTracing } from '../process/tracing.ts';
import { version } from '../process/version.ts';
import { commands } from './commands/all.ts';
import { run } from './framework/run.ts';
import { createTerminal } from './framework/terminal.ts';

/** Bounds the export of the last traces, so that a collector that is unavailable cannot block the exit. */
const traceFlushTimeoutMs = 2_000;

/** Runs the command line, flushes output and traces, and ends the process with the exit code. */
export const main = async (args: readonly string[]): Promise<never> => {
  const terminal = createTerminal(process);
  const code = await run(args, { commands, version, terminal });
  const traces = activeTracing()?.end();
  await Promise.all([terminal.flush(), traces && withTimeout(traceFlushTimeoutMs, traces, undefined)]);
  return exitProcess(code);
};
