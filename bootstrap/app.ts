import type { Container } from 'inversify';
import type { Config } from './config.ts';
import { containerFor } from './container.ts';
import { type DemoKeys, seedDemo } from './demo.ts';
import { requireFreePorts } from './free-ports.ts';
import { tokens } from './tokens.ts';

/** A service that is running. */
export interface App {
  readonly url: string;
  readonly opsUrl: string | undefined;
  /** Given once, when the demonstration has just been made. */
  readonly demoKeys: DemoKeys | undefined;
  /** Lets what is under way finish, and closes everything. */
  close(): Promise<void>;
}

/** Starts everything, or nothing: what was opened before a failure is closed again. */
export const startApp = async (config: Config): Promise<App> => {
  const container = containerFor(config);
  const close = () => closeAll(container);
  try {
    const portico = await container.getAsync(tokens.portico);
    // A start that fails shows no keys, so it has to fail before there are any.
    await requireFreePorts(config);
    // The demonstration is for a store that has never been used, so it comes before anything that uses it.
    const demoKeys = config.seedDemo ? await seedDemo(portico) : undefined;
    const { url } = await container.getAsync(tokens.apiListener);
    const opsUrl = (await container.getAsync(tokens.opsListener))?.url;
    await container.getAsync(tokens.housekeeper);
    return { url, opsUrl, demoKeys, close };
  } catch (error) {
    await close().catch(() => undefined);
    throw error;
  }
};

/**
 * First whoever lets work in or makes work, at last what they all work on. What cannot be closed, because it
 * could not even be made, keeps nothing else open.
 */
export const closeAll = async (container: Container): Promise<void> => {
  const obstacles: unknown[] = [];
  const note = (obstacle: unknown) => obstacles.push(obstacle);
  const close = (token: Parameters<Container['unbindAsync']>[0]) => container.unbindAsync(token).catch(note);
  await Promise.all([tokens.apiListener, tokens.opsListener, tokens.housekeeper].map(close));
  await close(tokens.clock);
  await close(tokens.store);
  await container.unbindAllAsync().catch(note);
  if (obstacles.length > 0) throw obstacles[0];
};
