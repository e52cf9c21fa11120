import { sleep } from '#adapters/support/time.ts';
import { withTimeout } from '#adapters/support/timeout.ts';
import { activeTracing } from '../composition/listeners/access-log.ts';
import { expectExit } from '../process/exit-guard.ts';
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
  await Promise.all([terminal.flush(), endInTime(activeTracing())]);
  return exitProcess(code);
};

/** Exports the last traces, and waits no longer than that may take. */
export const endInTime = async (
  tracing: { readonly end: () => Promise<void> } | undefined,
): Promise<void> => {
  if (tracing !== undefined) await withTimeout(traceFlushTimeoutMs, tracing.end(), undefined);
};

/** How long to wait for work in Node's thread pool. */
const threadTimeoutMs = 1_000;

/** File operations and name look-ups run in the thread pool, where a hanging file system or name server can block them. */
const threadPoolWork = /^(FSReq|GetAddrInfoReq|GetNameInfoReq)/;

const threadsAreBusy = (): boolean =>
  process.getActiveResourcesInfo().some((name) => threadPoolWork.test(name));

/** @param areBusy whether a thread still works */
export const untilThreadsAreIdle = async (areBusy: () => boolean): Promise<void> => {
  const deadline = performance.now() + threadTimeoutMs;
  while (areBusy() && performance.now() < deadline) await sleep(10);
};

/**
 * Ends the process. `process.exit` waits for the thread pool without limit; if a thread hangs, the process kills itself after
 * its exit listeners have run.
 */
const exitProcess = async (code: number): Promise<never> => {
  await untilThreadsAreIdle(threadsAreBusy);
  if (threadsAreBusy()) process.once('exit', () => process.kill(process.pid, 'SIGKILL'));
  expectExit();
  process.exit(code);
};
