import { randomUUID } from 'node:crypto';
import { forbidInUnit } from './layers.ts';
import {
  connectTo,
  type DatabaseRow,
  MariaDbServer,
  mariadbIsMissing,
  runStatement,
} from './mariadb-server.ts';
import { atEndOfRun } from './test-run.ts';

/** A database for one test. */
export interface MariaDbDatabase {
  readonly url: string;
  /** Runs a statement on a new connection. */
  query(text: string): Promise<readonly DatabaseRow[]>;
  /** Only where it matters: a database takes long to drop, and ends with the server. */
  drop(): Promise<void>;
}

/** The address of its first database. */
let server: Promise<string> | undefined;

/** The server of TEST_MARIADB_URL, or one that the first test starts which needs it. */
const theServer = (): Promise<string> => {
  const { TEST_MARIADB_URL: url = '' } = process.env;
  server ??= url === '' ? start() : Promise.resolve(url);
  return server;
};

const start = async (): Promise<string> => {
  const started = await MariaDbServer.make();
  await started.start();
  atEndOfRun(() => started.remove());
  return started.url;
};

/** Shares the server with the processes that this one starts from now on. */
export const shareMariaDb = async (): Promise<void> => {
  if (mariadbIsMissing !== undefined) return;
  const url = await theServer();
  Object.assign(process.env, { TEST_MARIADB_URL: url });
};

/** Creates an empty database, whose own defaults are not those that Portico needs. */
export const freshMariaDb = async (): Promise<MariaDbDatabase> => {
  forbidInUnit('the MariaDB server');
  const home = await theServer();
  const name = `portico_${randomUUID().replaceAll('-', '')}`;
  await runStatement(home, `create database ${name} character set latin1`);
  const url = new URL(home);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    query: (text) => runStatement(url.href, text),
    drop: async () => {
      await runStatement(home, `drop database ${name}`);
    },
  };
};

/** What makes the tables and the few rows of a migrated database: one for each process. */
let template: Promise<readonly string[]> | undefined;

const migrate = async (): Promise<readonly string[]> => {
  const { url, query } = await freshMariaDb();
  const { openMariaDb } = await import('#adapters/persistence/mariadb/open.ts');
  await (await openMariaDb({ url })).close();
  const source = new URL(url).pathname.slice(1);
  const statements = ['set foreign_key_checks = 0'];
  for (const name of (await query('show tables')).flatMap(Object.values)) {
    const [made] = await query(`show create table ${name}`);
    statements.push(String(made?.['Create Table']));
    // Only these: a generated column takes no value.
    if ((await query(`select 1 from ${name} limit 1`)).length > 0)
      statements.push(`insert into ${name} select * from ${source}.${name}`);
  }
  // The feed of a copy is another one.
  return [...statements, 'update event_feed set id = uuid()'];
};

/** Creates a database with all tables and no rows. */
export const migratedMariaDb = async (): Promise<MariaDbDatabase> => {
  forbidInUnit('the MariaDB server');
  template ??= migrate();
  const [database, statements] = await Promise.all([freshMariaDb(), template]);
  const connection = await connectTo(database.url);
  for (const statement of statements) await connection.query(statement);
  await connection.end();
  return database;
};

/** Declares tests that are skipped, and say why, where MariaDB is not installed. */
export const describeMariaDb = (title: string, body: () => void): void => {
  if (mariadbIsMissing === undefined) describe(title, body);
  else describe.skip(`${title}: ${mariadbIsMissing}`, body);
};
