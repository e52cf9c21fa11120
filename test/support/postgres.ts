import { Client } from 'pg';
import { type Server, startServer } from './postgres-server.ts';

/** A database of one's own. */
export interface Database {
  readonly url: string;
  /** Runs a statement on a connection of its own. */
  query(text: string): Promise<readonly Record<string, unknown>[]>;
  /** What every connection made from now on begins with. */
  set(setting: string): Promise<void>;
  drop(): Promise<void>;
}

let server: Promise<Server> | undefined;
let databases = 0;

/**
 * That of TEST_POSTGRES_URL, or one of our own, started when the first test wants it. Fails when no PostgreSQL can be
 * had: a test is never skipped for it.
 */
const theServer = (): Promise<Server> => {
  const { TEST_POSTGRES_URL: url } = process.env;
  server ??=
    url === undefined || url === '' ? startServer() : Promise.resolve({ url, stop: async () => undefined });
  return server;
};

/** Lets the processes that this one starts from now on use the same. */
export const sharePostgres = async (): Promise<void> => {
  const { url } = await theServer();
  Object.assign(process.env, { TEST_POSTGRES_URL: url });
};

export const stopPostgres = async (): Promise<void> => {
  const started = await server?.catch(() => undefined);
  await started?.stop();
};

/** An empty one. */
export const freshDatabase = async (): Promise<Database> => {
  const { url: home } = await theServer();
  databases += 1;
  const name = `portico_${process.pid}_${databases}`;
  await query(home, `create database ${name}`);
  const url = new URL(home);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    query: (text) => query(url.href, text),
    set: async (setting) => {
      await query(home, `alter database ${name} set ${setting}`);
    },
    drop: async () => {
      await query(home, `drop database ${name} with (force)`);
    },
  };
};

const query = async (url: string, text: string): Promise<readonly Record<string, unknown>[]> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
};
