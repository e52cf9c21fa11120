import { openMemory } from '#adapters/persistence/memory/open.ts';
import { openSqlite } from '#adapters/persistence/sqlite/open.ts';
import { createMigrated } from '../support/test-databases.ts';
import { expectRejection } from './failures.ts';
import { describeStoreWait } from './queue-delay.ts';
import { describeQuotas } from './quotas.ts';
import { wrongQuotas } from './wrong/quota-stores.ts';

// What waits: windows end by the clock of the database, and a queue is not empty until it is served.

const openFile = async () => {
  const { url, remove } = await createMigrated('sqlite');
  const store = await openSqlite({ file: url.replace('sqlite:', '') });
  return { ...store, close: () => store.close().then(remove) };
};

describeQuotas('SQLite', openFile);
describeStoreWait('memory', openMemory, false);
describeStoreWait('SQLite', openFile, false);
describeStoreWait('SQLite in memory', () => openSqlite({ file: ':memory:' }), true);

describe('The contract suite of quotas', () => {
  for (const [fault, open, ...promises] of wrongQuotas) {
    it(`rejects those that ${fault}`, () =>
      expectRejection((runner) => describeQuotas('wrong', open, runner), promises));
  }
});
