import { expect } from 'chai';
import { openPostgres } from '#adapters/persistence/postgres/open.ts';
import { backupSqlite } from '#adapters/persistence/sqlite/files/backup.ts';
import { openSqlite } from '#adapters/persistence/sqlite/open.ts';
import type { Store } from '#adapters/persistence/store.ts';
import { anEvent, appendTo, visibleEvents } from '../../contracts/events-support.ts';
import { freshDatabase, migratedDatabase } from '../../support/postgres.ts';
import { migratedFile } from '../../support/sqlite.ts';
import { temporaryDatabases } from '../../support/temporary.ts';

/** Appends two events. @returns the feed and all events */
const addTo = async (store: Store) => {
  await appendTo(store, [anEvent(), anEvent()]);
  const feed = await store.unitOfWork.read(({ events }) => events.feed());
  const events = await visibleEvents(store, 0);
  await store.close();
  return { feed, events };
};

const expectIdsAscend = (events: readonly { readonly id: string }[]): void => {
  const ids = events.map(({ id }) => id);
  expect([...ids].sort()).to.deep.equal(ids);
};

describe('The feed of a copied database', () => {
  const place = temporaryDatabases();

  it('is another one in each copy of a SQLite file, goes on with its sequences, and its ids ascend', async () => {
    const copy = (from: string, to: string) =>
      backupSqlite({
        ...{ from: place(from), to: place(to), show: () => undefined },
        signal: new AbortController().signal,
      });
    const source = await addTo(await openSqlite({ file: await migratedFile(place('shop.db')) }));
    await copy('shop.db', 'backup.db');
    await copy('backup.db', 'one.db');
    await copy('backup.db', 'other.db');
    const ids = [source.feed.id];
    for (const file of ['backup.db', 'one.db', 'other.db']) {
      const { feed, events } = await addTo(await openSqlite({ file: place(file) }));
      expect(feed).to.include({ first: 1, last: 4 });
      expect(events.slice(0, 2)).to.deep.equal(source.events);
      expectIdsAscend(events);
      ids.push(feed.id);
    }
    expect(new Set(ids).size, ids.join()).to.equal(4);
    expect((await addTo(await openSqlite({ file: place('shop.db') }))).feed.id).to.equal(source.feed.id);
  });

  it('is another one in a copy of a PostgreSQL database, and the same one at every start', async () => {
    const database = await migratedDatabase();
    const open = ({ url }: typeof database) => openPostgres({ url });
    const source = await addTo(await open(database));
    const again = await addTo(await open(database));
    expect(again.feed.id).to.equal(source.feed.id);
    const copy = await freshDatabase(database);
    const { feed, events } = await addTo(await open(copy));
    expect(feed.id).to.not.equal(source.feed.id);
    expect(feed.last).to.equal(6);
    expect(events.slice(0, 4)).to.deep.equal(again.events);
    expectIdsAscend(events);
    expect((await addTo(await open(copy))).feed.id).to.equal(feed.id);
    await database.drop();
    await copy.drop();
  });
});
