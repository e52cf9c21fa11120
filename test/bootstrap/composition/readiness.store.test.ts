import Database from 'better-sqlite3';
import { expect } from 'chai';
import { Client } from 'pg';
import type { Store } from '#adapters/persistence/store.ts';
import { readiness } from '#bootstrap/composition/listeners/readiness.ts';
import { openStore } from '#bootstrap/composition/ports/open-store.ts';
import { parseDatabase } from '#bootstrap/config/database.ts';
import { runStatement } from '#test/support/mariadb-server.ts';
import { describeOnEach } from '../support/places.ts';

const change = async (url: string, statement: string): Promise<void> => {
  if (url.startsWith('sqlite:')) {
    const database = new Database(url.slice('sqlite:'.length));
    database.exec(statement);
    database.close();
    return;
  }
  if (url.startsWith('mariadb:')) {
    await runStatement(url, statement);
    return;
  }
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(statement);
  await client.end();
};

const note = (name: string): string => `insert into mikro_orm_migrations (name) values ('${name}')`;

describeOnEach('A service is ready', (place) => {
  let store: Store;
  let isStopping = false;
  let obstacle: () => Promise<string | undefined>;

  before(async () => {
    const database = parseDatabase(place.url);
    if (database === undefined) throw new Error('There is no such database.');
    store = await openStore(database);
    obstacle = readiness(
      store,
      () => isStopping,
      () => undefined,
      '0.3.10',
    );
  });
  after(() => store.close());

  it('when its database responds and has the current schema', async () => {
    expect(await obstacle()).to.equal(undefined);
  });

  it('when a later version has added to the schema', async () => {
    await change(place.url, note('9998-gift-cards'));
    expect(await obstacle()).to.equal(undefined);
  });

  it('when a later version has removed what this one does not need', async () => {
    for (const version of ['0.3.10', '0.3.9', '0.2.11']) {
      await change(place.url, note(`9999-contract-since-${version}-orders`));
    }
    expect(await obstacle()).to.equal(undefined);
  });

  it('not when a later version has removed what this one needs', async () => {
    const names = ['0.3.11', '0.10.0', '1.0.0'].map(
      (version) => `2099-12-31-contract-since-${version}-orders`,
    );
    for (const name of names) await change(place.url, note(name));
    expect(await obstacle()).to.equal(`the database is for a later version: ${names.join(', ')}`);
  });

  it('not while migrations are pending, as after restoring an old backup', async () => {
    await change(place.url, "delete from mikro_orm_migrations where name = '0001-baseline'");
    expect(await obstacle()).to.equal('migrations are pending: 0001-baseline');
  });

  it('not when the database is gone', async () => {
    await change(place.url, 'drop table mikro_orm_migrations');
    expect(await obstacle()).to.match(/^migrations are pending: 0001-baseline(, |$)/);
  });

  it('not once the shutdown has begun', async () => {
    isStopping = true;
    expect(await obstacle()).to.equal('stopping');
  });
});
