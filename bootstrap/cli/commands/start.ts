import { once } from 'node:events';
import { withTimeout } from '#adapters/support/timeout.ts';
import type { OpenLog } from '#adapters/system/log.ts';
import { startApp } from '../../composition/app.ts';
import { loadConfig } from '../../config/config.ts';
import { banner } from '../../demo/banner.ts';
import { onNodeWarning, onUncaughtException } from '../../process/process-events.ts';
import { command } from '../framework/command.ts';
import { type ExitCode, exitCodeForSignal, exitCodes } from '../framework/exit-codes.ts';
import { BrokenPipe } from '../framework/terminal.ts';

/** Bounds the graceful shutdown after the drain. Container platforms kill a process ten seconds after SIGTERM. */
const shutdownTimeoutMs = 7_900;

export const start = command({
  name: 'start',
  description: 'Start the API server. npm start does the same.',
  details: [
    'Settings come from the environment, or from a file .env in the current folder. The README lists them.',
    'SIGTERM stops the server gracefully: it reports that it is not ready for SHUTDOWN_DRAIN_MS, then finishes requests in flight. Ctrl-C skips the wait. A second signal stops it at once.',
  ],
  run: async (_, terminal): Promise<ExitCode> => {
    const config = loadConfig();
    // Before anything else: process 1 of a container ignores every signal that it has no listener for.
    const interrupt = terminal.interruptSignal();
    const app = await Promise.race([startApp(config, logNodeWarnings), aborted(interrupt)]);
    if (app === undefined) return exitCodeForSignal(interrupt);
    const uncaught = onUncaughtException(process, app.reportUncaught);
    try {
      await terminal.print(banner(app, config)).catch(app.demoKeys ? requireShown : ignoreError);
    } catch (error) {
      await withTimeout(shutdownTimeoutMs, app.close(), undefined);
      throw error;
    }
    await Promise.race([aborted(interrupt), aborted(uncaught)]);
    // The drain lets load balancers notice; there is none in front of a server that Ctrl-C stops.
    const drain = interrupt.reason === 'SIGINT' ? 0 : config.times.drain;
    const force = terminal.forceSignal();
    const closed = withTimeout(drain + shutdownTimeoutMs, app.close(drain), undefined);
    await Promise.race([closed, aborted(force)]);
    if (force.aborted) return exitCodeForSignal(force);
    return uncaught.aborted ? exitCodes.failure : exitCodes.success;
  },
});

const logNodeWarnings = ({ warn }: OpenLog): void =>
  onNodeWarning(process, (warning) => warn({ err: warning, warning: warning.name }, warning.message));

const aborted = async (signal: AbortSignal): Promise<undefined> => {
  if (!signal.aborted) await once(signal, 'abort');
};

/** A banner with the address alone is not essential: the server runs without it. */
const ignoreError = (): undefined => undefined;

/** The demonstration's keys are shown only once, so a failure to write them stops the start. */
const requireShown = (error: unknown): void => {
  if (!(error instanceof BrokenPipe)) throw error;
};
