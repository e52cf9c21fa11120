import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { Client } from 'pg';
import { PostgresServer } from '../support/postgres-server.ts';
import { Child } from './child.ts';
import { operatorKey } from './servers.ts';

export type Kind = 'sqlite' | 'postgres' | 'memory';

/** Two databases with the same in them, one of which each server has to itself. */
export interface Databases {
  readonly portico: string;
  readonly yardstick: string;
  /** What Portico's callers show. */
  readonly token: string;
  /** Where nothing is yet. */
  readonly limited: string;
  /** With a tenth of the products, where somebody wants it. */
  readonly smaller?: { readonly url: string; readonly token: string };
  readonly folder: string;
  /** How many products are still to be added once Portico runs, where nobody else can, and where the yardstick is to find them. */
  readonly unfilled?: { readonly products: number; readonly rows: string };
  /** The process that others of the database belong to, where it has any. */
  readonly serverId?: number;
}

interface Wanted {
  readonly products: number;
  readonly hasSmaller: boolean;
}

type CleanUp = AsyncDisposableStack;

/** What is acknowledged is on the disk, on either: that is what it costs in production. */
export const prepare = async (
  kind: Kind,
  { products, hasSmaller }: Wanted,
  cleanUp: CleanUp,
): Promise<Databases> => {
  const folder = await mkdtemp(join(tmpdir(), 'portico-bench-'));
  cleanUp.defer(() => rm(folder, { recursive: true, force: true }));
  if (kind === 'memory') return inMemory(folder, products);
  const open = kind === 'sqlite' ? inFiles : await inPostgres(cleanUp);
  const databases = await open(folder, products);
  if (!hasSmaller) return databases;
  const url = await databases.fresh('smaller');
  return { ...databases, smaller: { url, token: await fill(url, Math.ceil(products / 10), folder) } };
};

const inMemory = (folder: string, products: number): Databases => {
  const rows = join(folder, 'rows.json');
  const both = { portico: 'memory:', limited: 'memory:', yardstick: `memory:${rows}` };
  return { ...both, token: operatorKey, folder, unfilled: { products, rows } };
};

const inFiles = async (folder: string, products: number) => {
  const fresh = async (name: string): Promise<string> => `sqlite:${join(folder, name)}.db`;
  const portico = await fresh('portico');
  const token = await fill(portico, products, folder);
  const file = portico.slice('sqlite:'.length);
  const database = new BetterSqlite3(file);
  database.pragma('wal_checkpoint(truncate)');
  database.close();
  const yardstick = await fresh('yardstick');
  await copyFile(file, yardstick.slice('sqlite:'.length));
  return { portico, yardstick, token, folder, fresh, limited: await fresh('limited') };
};

const inPostgres = async (cleanUp: CleanUp) => {
  const server = await PostgresServer.make(['fsync=on', 'shared_buffers=512MB', 'max_wal_size=4GB']);
  cleanUp.defer(() => server.remove());
  await server.start();
  const { url: home, id: serverId = 0 } = server;
  const fresh = async (name: string, like = 'template1'): Promise<string> => {
    await query(home, `create database ${name} template ${like}`);
    const url = new URL(home);
    url.pathname = `/${name}`;
    return url.href;
  };
  return async (folder: string, products: number) => {
    const portico = await fresh('portico');
    const token = await fill(portico, products, folder);
    const yardstick = await fresh('yardstick', 'portico');
    for (const url of [portico, yardstick]) await query(url, 'vacuum analyze');
    await query(home, 'checkpoint');
    return { portico, yardstick, token, folder, serverId, fresh, limited: await fresh('limited') };
  };
};

/** @returns the token of a key that may do everything */
const fill = async (url: string, products: number, folder: string): Promise<string> => {
  await portico(url, folder, ['seed', '--products', `${products}`, '--quiet']);
  return (await portico(url, folder, ['keys', 'create', '--admin'])).trim();
};

let commands = 0;

const portico = async (url: string, folder: string, words: readonly string[]): Promise<string> => {
  commands += 1;
  const how = { folder, name: `command-${commands}`, words, environment: { DATABASE_URL: url } };
  const child = new Child('bootstrap/portico.mjs', how);
  await child.ended();
  return child.output();
};

const query = async (url: string, text: string): Promise<void> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
};
