import { startApp } from '#bootstrap/composition/app.ts';
import type { Timing } from '#bootstrap/composition/tokens.ts';
import { readConfig } from '#bootstrap/config/config.ts';
import { freePort } from '../bootstrap/support/ports.ts';

/** A service in this process, with its docs page. */
export interface Served {
  readonly url: string;
  readonly apiUrl: string;
  close(): Promise<void>;
}

/**
 * Starts a service; by default with the demonstration, on a loopback address.
 * @param timing shorter lifetimes and timeouts than the defaults
 */
export const serve = async (
  environment: Readonly<Record<string, string>> = {},
  timing?: Timing,
): Promise<Served> => {
  const app = await startApp(
    readConfig({
      DATABASE_URL: 'memory:',
      SEED_DEMO: '1',
      PORT: '0',
      OPS_PORT: `${await freePort()}`,
      LOG_LEVEL: 'silent',
      ...environment,
    }),
    { timing },
  );
  return { url: app.opsUrl ?? '', apiUrl: app.url, close: () => app.close() };
};
