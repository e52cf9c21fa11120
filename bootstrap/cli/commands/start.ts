import { once } from 'node:events';
import { latest } from '#adapters/http/versions.ts';
import { withTimeout } from '#adapters/support/timeout.ts';
import type { OpenLog } from '#adapters/system/log.ts';
import type { App } from '../../composition/app.ts';
import { startApp } from '../../composition/app.ts';
import { isPersistent } from '../../composition/ports/store-kind.ts';
import type { Config } from '../../config/config.ts';
import { type Database, defaultDatabase, isDefault } from '../../config/database.ts';
import { isLoopback } from '../../config/env-parser.ts';
import { onNodeWarning, onUncaughtException } from '../../process/process-events.ts';
import { commandLine } from '../../process/version.ts';
import { command } from '../framework/command.ts';
import { type ExitCode, exitCodeForSignal, exitCodes } from '../framework/exit-codes.ts';
import { BrokenPipe, type Terminal } from '../framework/terminal.ts';
import { loadSettings } from '../load-settings.ts';

/** Bounds the graceful shutdown after the drain. Container platforms kill a process ten seconds after SIGTERM. */
const shutdownTimeoutMs = 7_900;

export const start = command({
  name: 'start',
  description: `Start the API server, as ${commandLine.start} does.`,
  details: [
    'Settings come from the environment, or from a file .env in the current folder. `portico settings` lists them.',
    'SIGTERM stops the server gracefully: it reports that it is not ready for SHUTDOWN_DRAIN_MS, then finishes requests in flight. Ctrl-C skips the wait. A second signal stops it at once.',
  ],
  run: async (_, terminal): Promise<ExitCode> => {
    const { config, misspelt } = await readSettings(terminal);
    // Before anything else: process 1 of a container ignores every signal that it has no listener for.
    const interrupt = terminal.interruptSignal();
    const app = await Promise.race([startApp(config, { onLog: logWarnings(misspelt) }), aborted(interrupt)]);
    if (app === undefined) return exitCodeForSignal(interrupt);
    const uncaught = onUncaughtException(process, app.reportUncaught);
    try {
      await terminal.print(banner(app, config)).catch(app.demoKeys ? requireShown : ignoreError);
    } catch (error) {
      await closeInTime(app);
      throw error;
    }
    await Promise.race([aborted(interrupt), aborted(uncaught)]);
    // The drain lets load balancers notice; there is none in front of a server that Ctrl-C stops.
    const drain = interrupt.reason === 'SIGINT' ? 0 : config.times.drain;
    const force = terminal.forceSignal();
    await Promise.race([closeInTime(app, drain), aborted(force)]);
    if (force.aborted) return exitCodeForSignal(force);
    return uncaught.aborted ? exitCodes.failure : exitCodes.success;
  },
});

/** Closes a service, and waits no longer than a graceful shutdown may take. @param drain in milliseconds */
export const closeInTime = (app: Pick<App, 'close'>, drain = 0): Promise<void> =>
  withTimeout(drain + shutdownTimeoutMs, app.close(drain), undefined);

/** @returns the settings, and lines for the log, which is not open yet. @throws SettingError, once the lines are printed */
const readSettings = async (terminal: Terminal) => {
  const misspelt: string[] = [];
  try {
    const config = loadSettings((line) => misspelt.push(line));
    return { config, misspelt };
  } catch (error) {
    for (const line of misspelt) await terminal.notify(`portico: ${line}`);
    throw error;
  }
};

/** What has been found before the log is open, and then the warnings of Node. */
const logWarnings =
  (found: readonly string[]) =>
  ({ warn }: OpenLog): void => {
    for (const line of found) warn(line);
    onNodeWarning(process, (warning) => warn({ err: warning, warning: warning.name }, warning.message));
  };

const aborted = async (signal: AbortSignal): Promise<undefined> => {
  if (!signal.aborted) await once(signal, 'abort');
};

/** A banner with the address alone is not essential: the server runs without it. */
const ignoreError = (): undefined => undefined;

/** The demonstration's keys are shown only once, so a failure to write them stops the start. */
const requireShown = (error: unknown): void => {
  if (!(error instanceof BrokenPipe)) throw error;
};

/** The text that is printed once the service runs. It shows keys only when this start has created them. */
export const banner = (
  { url, opsUrl, pagesUrl, providerEventsUrl, demoKeys }: App,
  { database, adminApiKey, ops, pages }: Config,
): string => {
  const lines = [`Portico serves ${url}/${latest}`];
  if (pagesUrl) lines.push(`The public docs are at  ${pagesUrl}/docs`);
  if (providerEventsUrl)
    lines.push(`Events of the payment provider go to  ${providerEventsUrl}/provider-events`);
  const admin = pages?.hasAdminPage ? pagesUrl : ops && isLoopback(ops.host) ? opsUrl : undefined;
  if (admin) lines.push(`The admin page is at  ${admin}/admin`);
  if (opsUrl) lines.push(`Docs are at  ${opsUrl}/docs`, `Health is at  ${opsUrl}/readyz`);
  if (demoKeys) {
    lines.push(
      '',
      'A demonstration shop has been created. Its keys are shown only once:',
      `  admin     ${demoKeys.admin}`,
      `  customer  ${demoKeys.customer}`,
      '',
      'Try it:',
      `  curl -s -H 'Authorization: Bearer ${demoKeys.customer}' '${url}/${latest}/products?limit=3'`,
    );
  } else if (adminApiKey === undefined) {
    lines.push('', ...firstKey(database));
  }
  if (isDefault(database)) {
    lines.push(
      '',
      `All data is in ${defaultDatabase.file}. To move to PostgreSQL, start with`,
      `  DATABASE_URL=postgres://user:password@host:5432/database ADMIN_API_KEY=... ${commandLine.start}`,
    );
  }
  return `${lines.join('\n')}\n`;
};

/** How to create a first API key. A command is another process, so it reaches persistent databases only. */
const firstKey = (database: Database): readonly string[] => {
  if (isPersistent(database)) {
    const settings = database.module ? 'PERSISTENCE_ADAPTER and DATABASE_URL' : 'DATABASE_URL';
    const where = isDefault(database) ? '' : `, with the same ${settings}`;
    return [
      `Every request needs an API key. To create one${where}:`,
      `  ${commandLine.portico} keys create --admin`,
    ];
  }
  return [
    'Every request needs an API key. Commands cannot reach a database in memory, so set the first key yourself:',
    `  ADMIN_API_KEY=<32 characters or more> ${commandLine.start}`,
  ];
};
