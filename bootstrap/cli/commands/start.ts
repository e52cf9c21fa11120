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

/** How long an end may take behind the drain, in milliseconds, whatever does not want to end. */
const longestEnd = 7_900;

export const start = command({
  name: 'start',
  description: 'Serves the API until SIGINT or SIGTERM, as npm start does.',
  details: [
    'Settings come from the environment, or from a file .env in this folder; the README lists them.',
    'SIGTERM lets others notice for SHUTDOWN_DRAIN_MS, then what is under way finish; SIGINT only the latter. A second one ends it at once.',
  ],
  run: async (_, terminal): Promise<ExitCode> => {
    const config = loadConfig();
    // From the beginning: whoever is the first process of a container is ended by nothing that it does not listen to.
    const interruption = terminal.interruptSignal();
    const app = await Promise.race([startApp(config, warningsInto), aborted(interruption)]);
    if (app === undefined) return exitCodeForSignal(interruption);
    const fault = onUncaughtException(process, app.reportUncaught);
    try {
      await terminal.print(banner(app, config)).catch(app.demoKeys ? evenIfNobodyReads : evenUnsaid);
    } catch (error) {
      await withTimeout(longestEnd, app.close(), undefined);
      throw error;
    }
    await Promise.race([aborted(interruption), aborted(fault)]);
    // A person who presses Ctrl-C waits, and nobody else is to notice.
    const drain = interruption.reason === 'SIGINT' ? 0 : config.times.drain;
    const insistence = terminal.forceSignal();
    const closed = withTimeout(drain + longestEnd, app.close(drain), undefined);
    await Promise.race([closed, aborted(insistence)]);
    if (insistence.aborted) return exitCodeForSignal(insistence);
    return fault.aborted ? exitCodes.failure : exitCodes.success;
  },
});

const warningsInto = ({ warn }: OpenLog): void =>
  onNodeWarning(process, (warning) => warn({ err: warning, warning: warning.name }, warning.message));

const aborted = async (signal: AbortSignal): Promise<undefined> => {
  if (!signal.aborted) await once(signal, 'abort');
};

/** Whoever cannot be told where the service is may use it all the same. */
const evenUnsaid = (): undefined => undefined;

/** Keys that are shown once are another matter: where they could not be written, that is said. */
const evenIfNobodyReads = (error: unknown): void => {
  if (!(error instanceof BrokenPipe)) throw error;
};
