import { openSqlite } from '#adapters/persistence/sqlite/open.ts';
import { createMigrated } from '../support/test-databases.ts';
import { describeQuotas } from './quotas.ts';

// Windows of quotas end by the clock of the database.
describeQuotas('SQLite', async () => {
  const { url, remove } = await createMigrated('sqlite');
  const store = await openSqlite({ file: url.replace('sqlite:', '') });
  return { ...store, close: () => store.close().then(remove) };
});
