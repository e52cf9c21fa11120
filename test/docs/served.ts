import { startApp } from '#bootstrap/composition/app.ts';
import { readConfig } from '#bootstrap/config/config.ts';
import { freePort } from '../bootstrap/support/ports.ts';

/** A service in this process, with its docs page. */
export interface Served {
  readonly url: string;
  readonly apiUrl: string;
  close(): Promise<void>;
}

/** Starts a service; by default with the demonstration, on a loopback address. */
export const serve = async (environment: Readonly<Record<string, string>> = {}): Promise<Served> => {
  const app = await startApp(
    readConfig({
      DATABASE_URL: 'memory:',
      SEED_DEMO: '1',
      PORT: '0',
      OPS_PORT: `${await freePort()}`,
      LOG_LEVEL: 'silent',
      ...environment,
    }),
  );
  return { url: app.opsUrl ?? '', apiUrl: app.url, close: () => app.close() };
};
