import type { Database } from 'better-sqlite3';
import type { Connection } from 'mysql2/promise';
import { Client, types } from 'pg';
import type { MemoryTables } from '#adapters/persistence/memory/unit-of-work.ts';
import { tables } from '#adapters/persistence/schema/entities/all.ts';
import { idempotencyKeys } from '#adapters/persistence/schema/entities/idempotency-key.ts';
import type { Resource } from '#domain/resource.ts';
import type { RawReader } from '../contracts/harness.ts';
import { connectTo } from './mariadb-server.ts';

/** Reads the committed rows of a memory store. */
export const rawMemory = (rows: MemoryTables): RawReader => ({
  find: async (collection, id) => rows[collection].get(id),
  findRecord: async (userId, key) => {
    for (const [, record] of rows.idempotencyKeys.walk())
      if (record.userId === userId && record.key === key) return record;
    return undefined;
  },
});

/** @param query runs a statement with a connection of its own; parameters are written as `$1`, `$2` and so on */
const rawSql = (query: (text: string, values: readonly string[]) => Promise<unknown>): RawReader => ({
  find: async (collection, id) => {
    const { name, fromRow }: { name: string; fromRow: (row: never) => Resource } = tables[collection];
    const row = await query(`select * from ${name} where id = $1`, [id]);
    return row === undefined ? undefined : fromRow(row as never);
  },
  findRecord: async (userId, key) => {
    const text = `select * from ${idempotencyKeys.name} where user_id = $1 and "key" = $2`;
    const row = await query(text, [userId, key]);
    return row === undefined ? undefined : idempotencyKeys.fromRow(row as never);
  },
});

/** @param database a connection of its own to the file */
export const rawSqlite = (database: Database): RawReader =>
  rawSql(async (text, values) => database.prepare(text.replaceAll(/\$\d/g, '?')).get(values));

/** The types that the driver decodes to something else than what a row holds. */
const decoders: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [types.builtins.BOOL, (text) => (text === 't' ? 1 : 0)],
  [types.builtins.INT8, Number],
  [types.builtins.TIMESTAMPTZ, (text) => new Date(text).toISOString()],
]);

/** Connects to a PostgreSQL database by itself. */
export const rawPostgres = (url: string): RawReader & { close(): Promise<void> } => {
  const client = new Client({
    connectionString: url,
    types: { getTypeParser: (oid, format) => decoders.get(oid) ?? types.getTypeParser(oid, format) },
  });
  let connected: Promise<unknown> | undefined;
  return {
    ...rawSql(async (text, values) => {
      connected ??= client.connect();
      await connected;
      return (await client.query({ text, values: [...values] })).rows[0];
    }),
    close: async () => {
      if (connected !== undefined) await client.end();
    },
  };
};

/** Connects to a MariaDB database by itself. */
export const rawMariaDb = (url: string): RawReader & { close(): Promise<void> } => {
  let connected: Promise<Connection> | undefined;
  return {
    ...rawSql(async (text, values) => {
      connected ??= connectTo(url);
      const [rows] = await (await connected).execute(text.replaceAll(/\$\d/g, '?'), [...values]);
      return (rows as unknown[])[0];
    }),
    close: async () => {
      await (await connected)?.end();
    },
  };
};
