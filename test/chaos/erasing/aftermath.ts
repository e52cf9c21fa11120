import { setTimeout as pause } from 'node:timers/promises';
import { erasureTimeMs } from '../conditions.ts';
import type { TestDatabase } from '../test-database.ts';
import { markOfAll } from './person.ts';

/** A row with a text of a person who was to be erased. */
export interface MarkedRow {
  readonly table: string;
  /** All of its columns. */
  readonly text: string;
}

/** Waits until the servers have completed all erasures, or the time for it is over. */
export const waitForErasures = async (database: Pick<TestDatabase, 'query'>): Promise<void> => {
  const deadline = performance.now() + erasureTimeMs;
  const pending = () => database.query("select id from erasures where status = 'pending' limit 1");
  while ((await pending()).length > 0 && performance.now() < deadline) await pause(500);
};

/** Reads all rows of all tables, and returns those with a mark. */
export const readMarkedRows = async (
  database: Pick<TestDatabase, 'url' | 'query'>,
): Promise<readonly MarkedRow[]> => {
  const names = (await database.query(tablesOf(database.url))).map((row) => String(Object.values(row)[0]));
  const found: MarkedRow[] = [];
  for (const table of names) {
    for (const row of await database.query(`select * from "${table}"`)) {
      const text = JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? `${value}` : value));
      if (text.includes(markOfAll)) found.push({ table, text });
    }
  }
  return found;
};

const tablesOf = (url: string): string => {
  if (url.startsWith('sqlite:')) return "select name from sqlite_master where type = 'table'";
  return url.startsWith('postgres')
    ? "select tablename from pg_tables where schemaname = 'public'"
    : 'select table_name from information_schema.tables where table_schema = database()';
};
