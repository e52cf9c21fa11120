import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type App, startApp } from '#bootstrap/composition/app.ts';
import type { Timing } from '#bootstrap/composition/tokens.ts';
import { readConfig } from '#bootstrap/config/config.ts';
import type { Environment } from '#bootstrap/config/env-parser.ts';
import { freshDatabase } from '../../support/postgres.ts';
import { Client } from './client.ts';

/** A store for one suite, removed after it. */
interface Place {
  readonly url: string;
  remove(): Promise<void>;
}

const places = {
  memory: async () => ({ url: 'memory:', remove: async () => undefined }),

  SQLite: async () => {
    const folder = await mkdtemp(join(tmpdir(), 'portico-http-'));
    const remove = () => rm(folder, { recursive: true, force: true });
    return { url: `sqlite:${join(folder, 'portico.db')}`, remove };
  },

  PostgreSQL: async () => {
    const { url, drop } = await freshDatabase();
    return { url, remove: drop };
  },
} satisfies Readonly<Record<string, () => Promise<Place>>>;

type Store = keyof typeof places;
const stores = Object.keys(places) as Store[];

export type RoleName = 'customer' | 'staff' | 'admin';

const operatorKey = 'an-operator-key-that-is-long-enough-for-all';

/** A service on its own port, started as `npm start` starts it, with clients for its users. */
export class Service {
  readonly #environment: Environment;
  readonly #newPlace: () => Promise<Place>;
  readonly #timing: Timing | undefined;
  #place: Place | undefined;
  #app: App | undefined;
  #people = 0;

  constructor(environment: Environment, newPlace: () => Promise<Place>, timing?: Timing) {
    this.#environment = environment;
    this.#newPlace = newPlace;
    this.#timing = timing;
  }

  async start(): Promise<void> {
    this.#place ??= await this.#newPlace();
    this.#app = await startApp(
      readConfig({
        DATABASE_URL: this.#place.url,
        PORT: '0',
        OPS_PORT: '0',
        ADMIN_API_KEY: operatorKey,
        RATE_LIMIT_MAX: '1000000',
        LOG_LEVEL: 'silent',
        ...this.#environment,
      }),
      undefined,
      this.#timing,
    );
  }

  /** Stops the service. Its data survives a restart, except in memory. */
  async stop(): Promise<void> {
    await this.#app?.close();
    this.#app = undefined;
  }

  async end(): Promise<void> {
    await this.stop();
    await this.#place?.remove();
    this.#place = undefined;
  }

  get url(): string {
    if (this.#app === undefined) throw new Error('The service is not running.');
    return this.#app.url;
  }

  /** The URL of the operators' listener. @throws unless OPS_PORT is set */
  get opsUrl(): string {
    if (this.#app?.opsUrl === undefined) throw new Error('The service has no listener for operators.');
    return this.#app.opsUrl;
  }

  /** A client with the key of the ADMIN_API_KEY variable. */
  get operator(): Client {
    return new Client(() => this.url, operatorKey);
  }

  /** A client without a credential. */
  get stranger(): Client {
    return new Client(() => this.url, undefined);
  }

  /** Creates a user of this role. @returns a client with an API key of the user */
  async person(role: RoleName, scopes?: readonly string[]): Promise<Client & { readonly userId: string }> {
    this.#people += 1;
    const email = `${role}-${this.#people}@example.com`;
    const user = await this.operator.post('/v1/users', { email, name: `A ${role}`, role });
    const userId: string = user.body.data.id;
    const key = await this.operator.post('/v1/api-keys', {
      user_id: userId,
      name: 'Test',
      ...(scopes && { scopes }),
    });
    return Object.assign(new Client(() => this.url, key.body.data.token), { userId });
  }
}

/**
 * Runs HTTP tests once for each store, because clients must see no difference between stores.
 * @param environment variables of this service besides the defaults
 * @param timing shorter lifetimes and timeouts than the defaults
 */
export const describeService = (
  title: string,
  environment: Environment,
  describeBehaviour: (service: Service) => void,
  timing?: Timing,
): void => {
  for (const store of stores) describeOn(store, title, environment, describeBehaviour, timing);
};

/** Runs HTTP tests on memory only, for behaviour that does not depend on the store. */
export const describeServiceOnMemory = (
  title: string,
  environment: Environment,
  describeBehaviour: (service: Service) => void,
  timing?: Timing,
): void => describeOn('memory', title, environment, describeBehaviour, timing);

const describeOn = (
  store: Store,
  title: string,
  environment: Environment,
  describeBehaviour: (service: Service) => void,
  timing?: Timing,
): void => {
  describe(`${title} (${store})`, () => {
    const service = new Service(environment, places[store], timing);
    before(() => service.start());
    after(() => service.end());
    describeBehaviour(service);
  });
};
