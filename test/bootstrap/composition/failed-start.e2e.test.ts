import BetterSqlite3 from 'better-sqlite3';
import { expect } from 'chai';
import { freshDatabase } from '../../support/postgres.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { ending, portico } from '../support/portico.ts';

/** `failed-migrations.store.test.ts` and `encoding.store.test.ts` have every reason. */
describe('A server whose database cannot be used', () => {
  const place = temporaryFolder();

  const start = (url: string) => {
    const settings = { DATABASE_URL: url, PORT: '0', OPS_PORT: '0', SEED_DEMO: '0' };
    return ending(portico(['start'], { settings, folder: place() }));
  };

  it('exits with 1 and one line when a migration cannot be applied', async () => {
    const taken = new BetterSqlite3(place('taken.db'));
    taken.exec('create table products (id int)');
    taken.close();
    const { code, output, errors } = await start(`sqlite:${place('taken.db')}`);
    expect([code, output]).to.deep.equal([1, '']);
    expect(errors).to.match(
      /^portico: The migration 0001-baseline cannot be applied: table products already exists\. [^\n]*\.\n$/,
    );
  });

  it('exits with 1 and one line when the encoding is not UTF-8', async () => {
    const database = await freshDatabase(undefined, 'LATIN1');
    try {
      const { code, output, errors } = await start(database.url);
      expect([code, output]).to.deep.equal([1, '']);
      expect(errors).to.match(/^portico: DATABASE_URL [^\n]*stores texts in LATIN1, not in UTF8[^\n]*\.\n$/);
    } finally {
      await database.drop();
    }
  });
});
