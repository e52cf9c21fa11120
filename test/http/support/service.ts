import { setTimeout as pause } from 'node:timers/promises';
import type { Store } from '#adapters/persistence/store.ts';
import { type App, startApp } from '#bootstrap/composition/app.ts';
import type { Timing } from '#bootstrap/composition/tokens.ts';
import { readConfig } from '#bootstrap/config/config.ts';
import type { Environment } from '#bootstrap/config/env-parser.ts';
import type { StoreKindName } from '#bootstrap/config/store-kinds.ts';
import { freePort } from '../../bootstrap/support/ports.ts';
import { operatorKey } from '../../bootstrap/support/server-settings.ts';
import { FlowingTime } from '../../support/flowing-time.ts';
import { inStoreAt } from '../../support/store-at.ts';
import { createMigrated, localKinds, productOf, type TestDatabase } from '../../support/test-databases.ts';
import { until } from '../../support/until.ts';
import { Client } from './client.ts';
import { allowedOrigin } from './protocol.ts';

export type RoleName = 'customer' | 'staff' | 'admin';

/** A service on its own port, started as `npm start` starts it, with clients for its users. */
export class Service {
  readonly #environment: Environment;
  readonly #kind: StoreKindName;
  readonly #timing: Timing | undefined;
  #time: FlowingTime | undefined;
  #database: TestDatabase | undefined;
  #app: App | undefined;
  #people = 0;
  #aheadMs = 0;

  constructor(environment: Environment, kind: StoreKindName, timing?: Timing) {
    this.#environment = environment;
    this.#kind = kind;
    this.#timing = timing;
  }

  /** Starts it in simulated time, which lasts until it ends. */
  async startInSimulatedTime(): Promise<void> {
    this.#time = new FlowingTime();
    await this.start();
  }

  /** The simulated time. @throws unless it was started in it */
  get time(): FlowingTime {
    if (this.#time === undefined) throw new Error('The service runs in real time.');
    return this.#time;
  }

  /** Polls until the value satisfies the condition: in the time of the service, which is real unless it is simulated. */
  until<T>(read: () => Promise<T>, condition: (value: T) => boolean, limitMs = 20_000): Promise<T> {
    return this.#time?.until(read, condition, limitMs) ?? until(read, condition, limitMs);
  }

  /** The time of the service in milliseconds, from any start. */
  get now(): number {
    return this.#time?.now ?? performance.now();
  }

  /** Lets so many milliseconds pass in the time of the service. */
  pass(milliseconds: number): Promise<void> {
    return this.#time?.pass(milliseconds) ?? pause(milliseconds);
  }

  /** As `pass`, but in real time only the clock is advanced. What is due then comes with the next poll, and no timer is. */
  async advance(milliseconds: number): Promise<void> {
    if (this.#time === undefined) this.#aheadMs += milliseconds;
    else await this.#time.pass(milliseconds);
  }

  /** OPS_PORT may be `free`. */
  async start(): Promise<void> {
    const { OPS_PORT: opsPort } = this.#environment;
    this.#database ??= await createMigrated(this.#kind);
    this.#app = await startApp(
      readConfig({
        DATABASE_URL: this.#database.url,
        PORT: '0',
        OPS_PORT: '0',
        CORS_ORIGIN: allowedOrigin,
        ADMIN_API_KEY: operatorKey,
        RATE_LIMIT_MAX: '1000000',
        LOG_LEVEL: 'silent',
        ...this.#environment,
        ...(opsPort === 'free' && { OPS_PORT: `${await freePort()}` }),
      }),
      { timing: { clockAhead: () => this.#aheadMs, ...this.#timing } },
    );
  }

  /**
   * Stops the service. Its data survives a restart, except in memory.
   * @param drain how long requests are still accepted, in milliseconds
   */
  async stop(drain?: number): Promise<void> {
    await this.#app?.close(drain);
    this.#app = undefined;
  }

  async end(): Promise<void> {
    try {
      await this.stop();
      await this.#database?.remove();
    } finally {
      this.#database = undefined;
      this.#time?.end();
      this.#time = undefined;
    }
  }

  /** Runs work on the store while the service is stopped, past the rules of the API. */
  async whileStopped(work: (store: Store) => Promise<void>): Promise<void> {
    await this.stop();
    await inStoreAt(this.#database?.url, work);
    await this.start();
  }

  /** Where the data are. */
  get databaseUrl(): string {
    if (this.#database === undefined) throw new Error('The service has no database.');
    return this.#database.url;
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

  /** Where the payment provider sends its events. @throws unless PROVIDER_EVENTS_PORT is set */
  get providerEventsUrl(): string {
    if (this.#app?.providerEventsUrl === undefined) throw new Error('The service receives no events.');
    return `${this.#app.providerEventsUrl}/provider-events`;
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
 * A user for the tests of the surrounding `describe`, created before the first of them. The parameters are those of `person`.
 * @returns a client with an API key of the user
 */
export const registered = (
  service: Service,
  ...details: Parameters<Service['person']>
): Client & { readonly userId: string } => {
  const client = Object.assign(new Client(() => service.url, undefined), { userId: '' });
  before(async () => {
    const { token, userId } = await service.person(...details);
    Object.assign(client, { token, userId });
  });
  return client;
};

/**
 * Runs HTTP tests on SQLite. The contract suites show that stores do not differ, and mutation checks that these notice.
 * @param environment variables of this service besides the defaults
 * @param timing shorter lifetimes and timeouts than the defaults
 */
export const describeService = (
  title: string,
  environment: Environment,
  describeBehaviour: (service: Service) => void,
  timing?: Timing,
): void => describeOn('sqlite', title, environment, describeBehaviour, timing);

/** Runs HTTP tests on memory only, for behaviour that does not depend on the store. */
export const describeServiceOnMemory = (
  title: string,
  environment: Environment,
  describeBehaviour: (service: Service) => void,
  timing?: Timing,
): void => describeOn('memory', title, environment, describeBehaviour, timing);

/** The same in simulated time: `service.until` lets time pass, and `service.time` measures it. */
export const describeServiceInSimulatedTime = (
  title: string,
  environment: Environment,
  describeBehaviour: (service: Service) => void,
  { kind = 'memory', ...timing }: Timing & { readonly kind?: 'memory' | 'sqlite' } = {},
): void => describeOn(kind, title, environment, describeBehaviour, timing, true);

/** Declares the tests of a suite on each of these kinds of store. */
export type ServiceSuite = (kinds: readonly StoreKindName[]) => void;

/**
 * Makes a suite of HTTP tests for what goes through all layers. `x.test.ts` runs it on the stores of this process, in simulated time,
 * and `x.store.test.ts` on those of servers. The parameters are those of `describeService`.
 */
export const serviceSuite =
  (
    title: string,
    environment: Environment,
    describeBehaviour: (service: Service, kind: StoreKindName) => void,
    timing?: Timing,
  ): ServiceSuite =>
  (kinds) => {
    for (const kind of kinds) {
      const describeThere = (service: Service): void => describeBehaviour(service, kind);
      describeOn(kind, title, environment, describeThere, timing, localKinds.includes(kind));
    }
  };

const describeOn = (
  kind: StoreKindName,
  title: string,
  environment: Environment,
  describeBehaviour: (service: Service) => void,
  timing?: Timing,
  isSimulated = false,
): void => {
  describe(`${title} (${productOf(kind)})`, () => {
    const service = new Service(environment, kind, timing);
    before(() => (isSimulated ? service.startInSimulatedTime() : service.start()));
    after(() => service.end());
    describeBehaviour(service);
  });
};
