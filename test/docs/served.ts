import { startApp } from '#bootstrap/composition/app.ts';
import { readConfig } from '#bootstrap/config/config.ts';
import { freePort } from '../bootstrap/support/ports.ts';

/** Where the docs are of a service that runs in this process. */
export interface Served {
  readonly url: string;
  readonly apiUrl: string;
  close(): Promise<void>;
}

/** The default: a demonstration on this machine, for whoever opens the page. */
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
