import Database from 'better-sqlite3';
import { expect } from 'chai';
import { Client } from 'pg';
import type { Store } from '#adapters/persistence/store.ts';
import { openStore } from '#bootstrap/composition/open-store.ts';
import { readiness } from '#bootstrap/composition/readiness.ts';
import { parseDatabase } from '#bootstrap/config/database.ts';
import { describeOnEach } from '../support/places.ts';

const change = async (url: string, statement: string): Promise<void> => {
  if (url.startsWith('sqlite:')) {
    const database = new Database(url.slice('sqlite:'.length));
    database.exec(statement);
    database.close();
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

  it('when its database answers and is as it has to be', async () => {
    expect(await obstacle()).to.equal(undefined);
  });

  it('also while a later version has added to the schema', async () => {
    await change(place.url, note('9998-gift-cards'));
    expect(await obstacle()).to.equal(undefined);
  });

  it('and while one has taken away what this one does without already', async () => {
    for (const version of ['0.3.10', '0.3.9', '0.2.11']) {
      await change(place.url, note(`9999-contract-since-${version}-orders`));
    }
    expect(await obstacle()).to.equal(undefined);
  });

  it('no longer when one has taken away what only later ones do without', async () => {
    const names = ['0.3.11', '0.10.0', '1.0.0'].map((version) => `9999-contract-since-${version}-orders`);
    for (const name of names) await change(place.url, note(name));
    expect(await obstacle()).to.equal(`the database is for a later version: ${names.join(', ')}`);
  });

  it('nor while changes of the schema are missing, as in one that was brought back from before', async () => {
    await change(place.url, "delete from mikro_orm_migrations where name = '0001-initial'");
    expect(await obstacle()).to.equal('migrations are pending: 0001-initial');
  });

  it('nor when there is nothing left of it', async () => {
    await change(place.url, 'drop table mikro_orm_migrations');
    expect(await obstacle()).to.match(/^migrations are pending: 0001-initial, /);
  });

  it('nor once it is told to stop', async () => {
    isStopping = true;
    expect(await obstacle()).to.equal('stopping');
  });
});

describe('A database that says nothing', () => {
  it('is waited for a little, and asked by one of those who want to know', async () => {
    let asked = 0;
    const never = () => {
      asked += 1;
      return new Promise<never>(() => undefined);
    };
    const obstacle = readiness(
      { schema: never },
      () => false,
      () => undefined,
    );
    const begun = performance.now();
    const said = await Promise.all(Array.from({ length: 20 }, obstacle));
    expect(performance.now() - begun).to.be.below(2_000);
    expect(new Set(said)).to.deep.equal(new Set(['the database does not answer']));
    expect(asked).to.equal(1);
  });
});
