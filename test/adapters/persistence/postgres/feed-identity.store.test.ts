import { expect } from 'chai';
import { Client } from 'pg';
import { openPostgres } from '#adapters/persistence/postgres/open.ts';
import { migratedDatabase } from '#test/support/postgres.ts';

/** Opens the store as a start does, which checks whether the feed was restored. */
const feedIdOf = async (url: string): Promise<string> => {
  const store = await openPostgres({ url });
  const { id } = await store.unitOfWork.read(({ events }) => events.feed());
  await store.close();
  return id;
};

describe('The feed of a PostgreSQL database', () => {
  it('is the same after a restart, and another one once its table was restored in place', async () => {
    const database = await migratedDatabase();
    const before = await feedIdOf(database.url);
    expect(await feedIdOf(database.url)).to.equal(before);
    const client = new Client({ connectionString: database.url });
    await client.connect();
    // As `pg_restore --clean` does: another table with the same rows.
    await client.query(`create table restored (like event_feed including all);
      insert into restored select * from event_feed; drop table event_feed; alter table restored rename to event_feed`);
    await client.end();
    const after = await feedIdOf(database.url);
    expect(after).not.to.equal(before);
    expect(await feedIdOf(database.url)).to.equal(after);
    await database.drop();
  });
});
