import type { OpenLog } from '#adapters/system/log.ts';
import type { Config } from '../config/config.ts';
import { type DemoKeys, seedDemo } from '../demo/demo.ts';
import { requireFreePorts } from '../process/port-probe.ts';
import { containerFor } from './container.ts';
import { shutdown } from './shutdown.ts';
import { tokens } from './tokens.ts';

/** A service that is running. */
export interface App {
  readonly url: string;
  readonly opsUrl: string | undefined;
  /** Given once, when the demonstration has just been made. */
  readonly demoKeys: DemoKeys | undefined;
  /** What nobody expected, and nobody can put right, is told to the operator. */
  reportUncaught(error: unknown): void;
  /**
   * Says that it will stop, lets what is under way finish, and closes everything.
   * @param drain how long requests are still taken, in milliseconds
   */
  close(drain?: number): Promise<void>;
}

/**
 * Starts everything, or nothing: what was opened before a failure is closed again.
 * @param logging is given the log before anything else is opened
 */
export const startApp = async (config: Config, logging?: (log: OpenLog) => void): Promise<App> => {
  const container = containerFor(config);
  const close = (drain?: number) => shutdown(container, drain);
  try {
    const log = await container.getAsync(tokens.log);
    logging?.(log);
    const portico = await container.getAsync(tokens.portico);
    // A start that fails shows no keys, so it has to fail before there are any.
    await requireFreePorts(config);
    // The demonstration is for a store that has never been used, so it comes before anything that uses it.
    const demoKeys = config.seedDemo
      ? await seedDemo(portico, (error) => log.warn({ err: error }, 'The demonstration lacks a purchase.'))
      : undefined;
    const { url } = await container.getAsync(tokens.apiListener);
    const opsUrl = (await container.getAsync(tokens.opsListener))?.url;
    await container.getAsync(tokens.certificate);
    await container.getAsync(tokens.housekeeper);
    const fail = (error: unknown) => log.fatal({ err: error }, 'Something failed that nobody looked after.');
    return { url, opsUrl, demoKeys, reportUncaught: fail, close };
  } catch (error) {
    await close().catch(() => undefined);
    throw error;
  }
};
