import { readFileSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { Client } from 'pg';
import { connectTo } from './mariadb-server.ts';

type Query = (text: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;

/** All rows of all tables, as one text. */
const rowsOf = async (query: Query, tables: string, quote: string): Promise<string> => {
  const names = (await query(tables)).map((row) => String(Object.values(row)[0]));
  const rows = [];
  for (const name of names) rows.push(...(await query(`select * from ${quote}${name}${quote}`)));
  return JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? String(value) : value));
};

/** Everything that a database holds, read past the store: the file of SQLite after VACUUM, and all rows of a server. */
export const databaseTexts = async (url: string): Promise<string> => {
  if (url.startsWith('sqlite:')) {
    const path = url.slice('sqlite:'.length);
    const database = new BetterSqlite3(path);
    database.exec('vacuum');
    database.pragma('wal_checkpoint(truncate)');
    database.close();
    return readFileSync(path, 'latin1');
  }
  if (url.startsWith('postgres')) {
    const client = new Client({ connectionString: url });
    await client.connect();
    const query: Query = async (text) => (await client.query(text)).rows;
    const tables = "select tablename from pg_tables where schemaname = 'public'";
    return rowsOf(query, tables, '"').finally(() => client.end());
  }
  const connection = await connectTo(url);
  const query: Query = async (text) => (await connection.query(text))[0] as never;
  return rowsOf(query, 'show tables', '`').finally(() => connection.end());
};
