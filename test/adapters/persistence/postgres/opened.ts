import { Client } from 'pg';
import { openPostgres, type PostgresOptions } from '#adapters/persistence/postgres/open.ts';
import type { Store } from '#adapters/persistence/store.ts';
import type { Work } from '#application/ports/unit-of-work.ts';
import { aUser } from '#test/contracts/samples.ts';
import { Network } from '#test/support/network.ts';
import { type Database, migratedDatabase } from '#test/support/postgres.ts';

type Options = Partial<Omit<PostgresOptions, 'url'>>;

/** A store on a migrated database of the running test. */
class OpenedPostgres {
  database!: Database;
  /** Between the store and its database, where a test asked for one. */
  network!: Network;
  /** A test may put another one in its place, which is closed in its stead. */
  store!: Store;
  readonly #clients: Client[] = [];

  async open({ hasNetwork, ...options }: Options & { readonly hasNetwork: boolean }): Promise<void> {
    this.database = await migratedDatabase();
    if (hasNetwork) this.network = await Network.to(this.database.url);
    const url = hasNetwork ? this.network.through(this.database.url) : this.database.url;
    this.store = await openPostgres({ ...options, url });
  }

  /** Runs work with a deadline in so many milliseconds. */
  run<T>(work: Work<T>, milliseconds = 60_000): Promise<T> {
    const context = { actor: aUser().id, deadline: performance.now() + milliseconds };
    return this.store.unitOfWork.run(work, context);
  }

  /** Another client, in a transaction that has done this. It ends with the test. */
  async holding(act: string): Promise<Client> {
    const client = new Client({ connectionString: this.database.url });
    this.#clients.push(client);
    await client.connect();
    await client.query(`begin; ${act}`);
    return client;
  }

  async end(): Promise<void> {
    await Promise.all(this.#clients.splice(0).map((client) => client.end()));
    await this.store.close();
    await this.network?.close();
    await this.database.drop();
  }
}

/** Opens a store for each test of the surrounding `describe`. */
export const postgresOfEachTest = (options: Options = {}): OpenedPostgres => ofEachTest(false, options);

/** The same, with a network between the store and its database. */
export const postgresBehindNetwork = (options: Options = {}): OpenedPostgres => ofEachTest(true, options);

const ofEachTest = (hasNetwork: boolean, options: Options): OpenedPostgres => {
  const opened = new OpenedPostgres();
  beforeEach(() => opened.open({ ...options, hasNetwork }));
  afterEach(() => opened.end());
  return opened;
};
