import { readFileSync } from 'node:fs';
import type { DatabaseName } from '#adapters/persistence/schema/migrate.ts';
import type { ObservedDatabase } from '../../../lab/databases.ts';
import { mariadbCatalog } from './mariadb.ts';
import { postgresCatalog } from './postgres.ts';
import { sqliteCatalog } from './sqlite.ts';

const listings: Readonly<
  Record<DatabaseName, (database: ObservedDatabase) => readonly string[] | Promise<readonly string[]>>
> = {
  sqlite: ({ url }) => sqliteCatalog(url.slice('sqlite:'.length)),
  postgres: ({ query }) => postgresCatalog(query),
  mariadb: ({ query }) => mariadbCatalog(query),
};

/** Lists what a database has besides rows. */
export const catalogOf = async (kind: DatabaseName, database: ObservedDatabase): Promise<readonly string[]> =>
  listings[kind](database);

/** The catalog that the last build with the steps before the baseline made: the record of what a new database must be. */
export const recordedCatalog = (kind: DatabaseName): readonly string[] =>
  readFileSync(new URL(`${kind}.txt`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');
