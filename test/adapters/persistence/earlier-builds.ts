import { earlierSteps } from '#adapters/persistence/schema/history.ts';
import type { DatabaseName } from '#adapters/persistence/schema/migrate.ts';
import type { ObservedDatabase } from '../../lab/databases.ts';
import { storeAt } from '../../support/store-at.ts';

export const listRecords = 'select name from mikro_orm_migrations order by id';

/**
 * Makes an empty database one of a build before the baseline: the tables are the same, as the recorded catalogs show, and only the
 * records differ.
 * @param fill adds rows to it
 * @param names of the migrations that it records
 */
export const asEarlier = async (
  kind: DatabaseName,
  { url, execute }: Pick<ObservedDatabase, 'url' | 'execute'>,
  { names = earlierSteps[kind], fill = async (_url: string) => {} } = {},
): Promise<void> => {
  await (await storeAt(url)).close();
  await fill(url);
  await execute('delete from mikro_orm_migrations');
  for (const name of names) await execute(`insert into mikro_orm_migrations (name) values ('${name}')`);
};
