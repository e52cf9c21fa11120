import type { ObservedDatabase } from './databases.ts';

/** A row of a dump. */
export interface DumpedRow {
  readonly table: string;
  /** All of its columns. */
  readonly text: string;
}

/** Reads all rows of all tables, one table after the other. */
export async function* dumpRows(
  database: Pick<ObservedDatabase, 'url' | 'query'>,
): AsyncGenerator<DumpedRow> {
  const names = (await database.query(tablesOf(database.url))).map((row) => String(Object.values(row)[0]));
  for (const table of names) {
    for (const row of await database.query(`select * from "${table}"`)) {
      yield {
        table,
        text: JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? `${value}` : value)),
      };
    }
  }
}

const tablesOf = (url: string): string => {
  if (url.startsWith('sqlite:')) return "select name from sqlite_master where type = 'table'";
  return url.startsWith('postgres')
    ? "select tablename from pg_tables where schemaname = 'public'"
    : 'select table_name from information_schema.tables where table_schema = database()';
};
