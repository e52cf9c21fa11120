import { expect } from 'chai';
import { earlierSteps } from '#adapters/persistence/schema/history.ts';
import { createDatabase } from '../../lab/databases.ts';
import { asEarlier, listRecords } from './earlier-builds.ts';
import { inProcesses } from './in-processes.ts';

for (const kind of ['sqlite', 'postgres'] as const)
  describe(`A database of an earlier build on ${kind}`, () => {
    it('gets the record of the baseline once, by one of several processes', async () => {
      const database = await createDatabase(kind);
      await asEarlier(kind, database);
      const place = database.url.replace(/^sqlite:/, '');
      expect(await inProcesses(3, place)).to.deep.equal(['old', 'old', 'old']);
      const records = (await database.query(listRecords)).map(({ name }) => name);
      expect(records).to.deep.equal([...earlierSteps[kind], '0001-baseline']);
      await database.remove();
    });
  });
