import { Client } from 'pg';
import { forbidInUnit } from './layers.ts';
import { startServer } from './postgres-server.ts';
import { atEndOfRun } from './test-run.ts';

/** A database for one test. */
export interface Database {
  readonly url: string;
  /** Runs a statement on a new connection. */
  query(text: string): Promise<readonly Record<string, unknown>[]>;
  /** Sets a default for all new connections. */
  set(setting: string): Promise<void>;
  drop(): Promise<void>;
}

/** The address of its first database. */
let server: Promise<string> | undefined;
let databases = 0;

/**
 * The server of TEST_POSTGRES_URL, or an embedded one, started by the first test that needs it. Without PostgreSQL tests fail:
 * none is skipped.
 */
const theServer = (): Promise<string> => {
  const { TEST_POSTGRES_URL: url = '' } = process.env;
  server ??= url === '' ? start() : Promise.resolve(url);
  return server;
};

const start = async (): Promise<string> => {
  const { url, stop } = await startServer();
  atEndOfRun(stop);
  return url;
};

/** Shares the server with the processes that this one starts from now on. */
export const sharePostgres = async (): Promise<void> => {
  const url = await theServer();
  Object.assign(process.env, { TEST_POSTGRES_URL: url });
};

/**
 * Creates a database that is empty, or a copy of a template that nothing is connected to.
 * @param encoding of an empty one; that of the server by default
 */
export const freshDatabase = async (
  template?: Pick<Database, 'url'>,
  encoding?: string,
): Promise<Database> => {
  databases += 1;
  const source = template === undefined ? '' : ` template ${new URL(template.url).pathname.slice(1)}`;
  const encoded = encoding && ` template template0 encoding '${encoding}' locale_provider libc locale 'C'`;
  return create(`portico_${process.pid}_${databases}`, encoded ?? source);
};

/** A migrated database, whose copies are made faster than it was: one for each process. It ends with the server. */
let template: Promise<Database> | undefined;

const migrate = async (): Promise<Database> => {
  const name = `portico_template_${process.pid}`;
  await queryPostgres(await theServer(), `drop database if exists ${name}`);
  const database = await create(name, '');
  const { openPostgres } = await import('#adapters/persistence/postgres/open.ts');
  await (await openPostgres({ url: database.url })).close();
  return database;
};

/** Creates a database with all tables and no rows. */
export const migratedDatabase = async (): Promise<Database> => {
  forbidInUnit('the PostgreSQL server');
  template ??= migrate();
  return freshDatabase(await template);
};

/** A copy of the files takes less time than one by the log. */
const create = async (name: string, options: string): Promise<Database> => {
  forbidInUnit('the PostgreSQL server');
  const home = await theServer();
  await queryPostgres(home, `create database ${name}${options} strategy file_copy`);
  const url = new URL(home);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    query: (text) => queryPostgres(url.href, text),
    set: async (setting) => {
      await queryPostgres(home, `alter database ${name} set ${setting}`);
    },
    drop: async () => {
      await queryPostgres(home, `drop database ${name} with (force)`);
    },
  };
};

/** Runs a statement on a new connection. */
export const queryPostgres = async (
  url: string,
  text: string,
): Promise<readonly Record<string, unknown>[]> => {
  const client = new Client({ connectionString: url });
  // A connection that ends early rejects the query, too.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
};
