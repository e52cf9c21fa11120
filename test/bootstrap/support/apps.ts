import { type App, startApp } from '#bootstrap/composition/app.ts';
import type { Timing } from '#bootstrap/composition/tokens.ts';
import { readConfig } from '#bootstrap/config/config.ts';
import { Client, type Json } from '../../http/support/client.ts';
import { Metrics } from '../../support/metrics.ts';
import { freePort } from './ports.ts';
import { operatorKey, serverSettings } from './server-settings.ts';

/** Settings by the names of their variables. */
type Settings = Readonly<Record<string, string>>;

/** A server in this process. */
export interface RunningApp {
  readonly app: App;
  /** A client with the key of the operator. */
  readonly client: Client;
  /** What it has logged, as text and line by line. */
  readonly log: { readonly text: string; readonly lines: readonly Json[] };
  metrics(): Promise<Metrics>;
}

/**
 * Servers in this process for the tests of the surrounding `describe`. Each has its own container, so that those which share a database
 * know of each other by it alone. `Fleet` has servers in processes of their own.
 */
export class Apps {
  readonly #usual: Settings;
  readonly #running: RunningApp[] = [];

  /** @param usual replaces settings of `serverSettings` in each server */
  constructor(usual: Settings = {}) {
    this.#usual = usual;
  }

  /** @param environment replaces settings of this server; OPS_PORT and PAGES_PORT are free ports where they are empty */
  async start(environment: Settings = {}, timing?: Timing): Promise<RunningApp> {
    const written: string[] = [];
    const settings: Record<string, string> = { ...serverSettings, ...this.#usual, ...environment };
    for (const name of ['OPS_PORT', 'PAGES_PORT'])
      if (settings[name] === '') settings[name] = `${await freePort()}`;
    const config = readConfig(settings);
    const app = await startApp(config, { timing, writeLog: (line) => written.push(line) });
    const running: RunningApp = {
      app,
      client: new Client(() => app.url, operatorKey),
      log: {
        get text() {
          return written.join('');
        },
        get lines() {
          return written.map((line) => JSON.parse(line));
        },
      },
      metrics: () => Metrics.of(app.opsUrl ?? ''),
    };
    this.#running.push(running);
    return running;
  }

  /** Starts several on one database. */
  async startMany(count: number, ...options: Parameters<Apps['start']>): Promise<void> {
    for (let started = 0; started < count; started += 1) await this.start(...options);
  }

  /** A client of one server, as the operator. */
  at(index: number): Client {
    const running = this.#running[index % this.#running.length];
    if (running === undefined) throw new Error('No server has been started.');
    return running.client;
  }

  async end(): Promise<void> {
    await Promise.all(this.#running.splice(0).map(({ app }) => app.close()));
  }

  /** Stops one server. */
  async stop(index: number): Promise<void> {
    const [stopped] = this.#running.splice(index, 1);
    await stopped?.app.close();
  }
}

/** Servers on memory that end behind each test of the surrounding `describe`. The parameter is that of `Apps`. */
export const appsOfEachTest = (usual: Settings = {}): Apps => {
  const apps = new Apps({ DATABASE_URL: 'memory:', ...usual });
  afterEach(() => apps.end());
  return apps;
};
