import type { Config } from '../config/config.ts';
import { type DemoKeys, seedDemo } from '../demo/demo.ts';
import { requireFreePorts } from '../process/port-probe.ts';
import { containerFor } from './container.ts';
import { shutdown } from './shutdown.ts';
import { type StartOptions, tokens } from './tokens.ts';

/** A running service. */
export interface App {
  readonly url: string;
  readonly opsUrl: string | undefined;
  readonly pagesUrl: string | undefined;
  readonly providerEventsUrl: string | undefined;
  /** Defined only when this start has created the demonstration. The keys cannot be shown again. */
  readonly demoKeys: DemoKeys | undefined;
  /** Logs an error that no part of the service has caught. */
  reportUncaught(error: unknown): void;
  /**
   * Announces the shutdown, lets requests in flight finish, and closes everything.
   * @param drain how long requests are still accepted, in milliseconds
   */
  close(drain?: number): Promise<void>;
}

/**
 * Starts everything, or nothing: after an error it closes what it has opened.
 */
export const startApp = async (
  config: Config,
  { onLog, timing, writeLog }: StartOptions = {},
): Promise<App> => {
  const container = containerFor(config, { timing, writeLog });
  const close = (drain?: number) => shutdown(container, drain);
  try {
    const log = await container.getAsync(tokens.log);
    onLog?.(log);
    const application = await container.getAsync(tokens.application);
    // A failed start shows no keys, so it must fail before the demonstration creates them.
    await requireFreePorts(config);
    // By Portico's own rules, because a rule from outside may reject what the demonstration does.
    // Before the listeners, because the demonstration fills only a store without users.
    const demoKeys = config.seedDemo
      ? await seedDemo({ ...application, useCases: application.undecorated }, (error) =>
          log.warn({ err: error }, 'A purchase of the demonstration could not be created.'),
        )
      : undefined;
    const { url } = await container.getAsync(tokens.apiListener);
    const pagesUrl = (await container.getAsync(tokens.pagesListener))?.url;
    const opsUrl = (await container.getAsync(tokens.opsListener))?.url;
    const providerEventsUrl = (await container.getAsync(tokens.providerEventsListener))?.url;
    await container.getAsync(tokens.certificate);
    await container.getAsync(tokens.backgroundWorker);
    await container.getAsync(tokens.webhookWorker);
    const reportUncaught = (error: unknown) =>
      log.fatal({ err: error }, 'An error was not caught. The process shuts down.');
    return { url, opsUrl, pagesUrl, providerEventsUrl, demoKeys, reportUncaught, close };
  } catch (error) {
    await close().catch(() => undefined);
    throw error;
  }
};
