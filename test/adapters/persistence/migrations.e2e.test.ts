import { expect } from 'chai';
import { type Database, freshDatabase } from '../../support/postgres.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { inProcesses } from './in-processes.ts';
import { type OlderDatabase, olderDatabase, olderFile, refundsOfThese } from './older-databases.ts';

const describeMigrations = (name: string, make: () => Promise<OlderDatabase>) =>
  describe(`An older ${name}`, () => {
    it('is brought up to date once, by one of several processes', async () => {
      const { place, open, steps, applied } = await make();
      expect(await inProcesses(3, place)).to.deep.equal(['old', 'old', 'old']);
      expect(await applied()).to.deep.equal(steps.map(({ name }) => ({ name })));
      const store = await open();
      const { rows } = await store.unitOfWork.read(({ refunds }) => refunds.page({}, { limit: 5 }));
      await store.close();
      expect(rows).to.deep.equal(refundsOfThese);
    });
  });

describe('SQLite', () => {
  const inFolder = temporaryFolder();
  describeMigrations('file', () => olderFile(inFolder('portico.db')));
});

describe('PostgreSQL', () => {
  let database: Database;
  before(async () => {
    database = await freshDatabase();
  });
  after(() => database.drop());
  describeMigrations('database', () => olderDatabase(database));
});
