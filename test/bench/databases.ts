import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { Client } from 'pg';
import { PostgresServer } from '../postgres-server.ts';
import { Child } from './child.ts';

export type Kind = 'sqlite' | 'postgres';

/** Two databases with the same in them, one of which each server has to itself. */
export interface Databases {
  readonly portico: string;
  readonly yardstick: string;
  /** What Portico's callers show. */
  readonly token: string;
  readonly folder: string;
  /** The process that others of the database belong to, where it has any. */
  readonly serverId?: number;
}

type CleanUp = AsyncDisposableStack;

/** What is acknowledged is on the disk, on either: that is what it costs in production. */
export const prepare = async (kind: Kind, products: number, cleanUp: CleanUp): Promise<Databases> => {
  const folder = await mkdtemp(join(tmpdir(), 'portico-bench-'));
  cleanUp.defer(() => rm(folder, { recursive: true, force: true }));
  return kind === 'sqlite' ? inFiles(folder, products) : inPostgres(folder, products, cleanUp);
};

const inFiles = async (folder: string, products: number): Promise<Databases> => {
  const [portico, yardstick] = [join(folder, 'portico.db'), join(folder, 'yardstick.db')];
  const token = await fill(`sqlite:${portico}`, products, folder);
  const database = new BetterSqlite3(portico);
  database.exec('analyze');
  database.pragma('wal_checkpoint(truncate)');
  database.close();
  await copyFile(portico, yardstick);
  return { portico: `sqlite:${portico}`, yardstick: `sqlite:${yardstick}`, token, folder };
};

const inPostgres = async (folder: string, products: number, cleanUp: CleanUp): Promise<Databases> => {
  const server = await PostgresServer.make(['fsync=on', 'shared_buffers=512MB', 'max_wal_size=4GB']);
  cleanUp.defer(() => server.remove());
  await server.start();
  await query(server.url, 'create database portico');
  const portico = named(server.url, 'portico');
  const token = await fill(portico, products, folder);
  await query(portico, 'vacuum analyze');
  await query(server.url, 'create database yardstick template portico');
  const yardstick = named(server.url, 'yardstick');
  await query(yardstick, 'vacuum analyze');
  await query(server.url, 'checkpoint');
  return {
    portico,
    yardstick,
    token,
    folder,
    ...(server.id !== undefined && { serverId: server.id }),
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

const named = (home: string, name: string): string => {
  const url = new URL(home);
  url.pathname = `/${name}`;
  return url.href;
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
