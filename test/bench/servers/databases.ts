import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import type { StoreKindName } from '#bootstrap/config/store-kinds.ts';
import { Program } from '../../lab/program.ts';
import { queryPostgres } from '../../support/postgres.ts';
import { PostgresServer } from '../../support/postgres-server.ts';
import { fullStock } from './catalogue.ts';
import { operatorKey } from './servers.ts';

/** MariaDB has no yardstick. Any other kind of store has one, or does not compile. */
export type Kind = Exclude<StoreKindName, 'mariadb'>;

/** Databases with equal contents, one for each server. */
export interface Databases {
  readonly portico: string;
  readonly yardstick: string;
  /** API key for Portico. */
  readonly token: string;
  /** An empty database. */
  readonly limited: string;
  /** A database with a tenth of the products, if a scenario needs it. */
  readonly smaller?: { readonly url: string; readonly token: string };
  readonly folder: string;
  /** Creates another empty database. Memory has none. */
  readonly create?: (name: string) => Promise<string>;
  /** Only for memory: products to add through the API, and the file of rows for the yardstick. */
  readonly unfilled?: { readonly products: number; readonly rows: string };
  /** Parent process of the database server, if there is one. */
  readonly serverId?: number;
}

interface DatabaseOptions {
  readonly products: number;
  readonly hasSmaller: boolean;
}

type CleanUp = AsyncDisposableStack;

/** Creates and seeds the databases. Every commit waits for the disk, as in production. */
export const prepareDatabases = async (
  kind: Kind,
  { products, hasSmaller }: DatabaseOptions,
  cleanUp: CleanUp,
): Promise<Databases> => {
  const folder = await mkdtemp(join(tmpdir(), 'portico-bench-'));
  cleanUp.defer(() => rm(folder, { recursive: true, force: true }));
  if (kind === 'memory') return memoryDatabases(folder, products);
  const open = await openers[kind](cleanUp);
  const databases = await open(folder, products);
  if (!hasSmaller) return databases;
  const url = await databases.create('smaller');
  return { ...databases, smaller: { url, token: await seedDatabase(url, Math.ceil(products / 10), folder) } };
};

const memoryDatabases = (folder: string, products: number): Databases => {
  const rows = join(folder, 'rows.json');
  const both = { portico: 'memory:', limited: 'memory:', yardstick: `memory:${rows}` };
  return { ...both, token: operatorKey, folder, unfilled: { products, rows } };
};

const sqliteDatabases = async (folder: string, products: number) => {
  const create = async (name: string): Promise<string> => `sqlite:${join(folder, name)}.db`;
  const portico = await create('portico');
  const token = await seedDatabase(portico, products, folder);
  await fillStock(portico);
  const yardstick = await create('yardstick');
  await copyFile(fileOf(portico), yardstick.slice('sqlite:'.length));
  return { portico, yardstick, token, folder, create, limited: await create('limited') };
};

const postgresDatabases = async (cleanUp: CleanUp) => {
  const server = await PostgresServer.make(['fsync=on', 'shared_buffers=512MB', 'max_wal_size=4GB']);
  cleanUp.defer(() => server.remove());
  await server.start();
  const { url: home, id: serverId = 0 } = server;
  const create = async (name: string, like = 'template1'): Promise<string> => {
    await queryPostgres(home, `create database ${name} template ${like}`);
    const url = new URL(home);
    url.pathname = `/${name}`;
    return url.href;
  };
  return async (folder: string, products: number) => {
    const portico = await create('portico');
    const token = await seedDatabase(portico, products, folder);
    await fillStock(portico);
    const yardstick = await create('yardstick', 'portico');
    for (const url of [portico, yardstick]) await queryPostgres(url, 'vacuum analyze');
    await queryPostgres(home, 'checkpoint');
    return { portico, yardstick, token, folder, serverId, create, limited: await create('limited') };
  };
};

const fileOf = (url: string): string => url.slice('sqlite:'.length);

/** Gives one product of a seeded database the stock of `fullStock`. */
export const fillStock = async (url: string): Promise<void> => {
  if (!url.startsWith('sqlite:')) {
    await queryPostgres(url, fullStock.sql);
    return;
  }
  const database = new BetterSqlite3(fileOf(url));
  database.exec(fullStock.sql);
  database.pragma('wal_checkpoint(truncate)');
  database.close();
};

const openers = {
  sqlite: async () => sqliteDatabases,
  postgres: postgresDatabases,
} satisfies Record<Exclude<Kind, 'memory'>, unknown>;

/** Every kind that can be measured. */
export const kinds: readonly Kind[] = [...(Object.keys(openers) as (keyof typeof openers)[]), 'memory'];

/**
 * @param from the working copy whose schema the database gets, if it is not this one
 * @returns the token of an administrator's key
 */
export const seedDatabase = async (
  url: string,
  products: number,
  folder: string,
  from?: string,
): Promise<string> => {
  await portico(url, folder, ['seed', '--products', `${products}`, '--quiet'], from);
  return (await portico(url, folder, ['keys', 'create', '--admin'], from)).trim();
};

const portico = (url: string, folder: string, words: readonly string[], from?: string): Promise<string> =>
  new Program('bootstrap/portico.mjs', {
    ...{ folder, from, words },
    environment: { DATABASE_URL: url },
  }).succeeded();
