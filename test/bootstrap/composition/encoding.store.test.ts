import { writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { Client, DatabaseError } from 'pg';
import { openMariaDb } from '#adapters/persistence/mariadb/open.ts';
import { isConnectionUsable, translateError } from '#adapters/persistence/postgres/errors.ts';
import { UnavailableError } from '#application/errors.ts';
import { checkDatabase } from '#bootstrap/cli/doctor/database.ts';
import { rejectionOf } from '../../contracts/harness.ts';
import { aProduct } from '../../contracts/samples.ts';
import { describeMariaDb, freshMariaDb } from '../../support/mariadb.ts';
import { type Database, freshDatabase } from '../../support/postgres.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { runHere } from '../support/portico.ts';

describe('A PostgreSQL database that is not UTF-8', () => {
  const place = temporaryFolder();

  it('is rejected by every command, and left unchanged', async () => {
    for (const encoding of ['SQL_ASCII', 'LATIN1', 'EUC_JP']) {
      const database = await freshDatabase(undefined, encoding);
      try {
        const settings = { DATABASE_URL: database.url, PORT: '0', OPS_PORT: '0' };
        const reason = `stores texts in ${encoding}, not in UTF8, so it cannot keep every character`;
        writeFileSync(place('products.csv'), 'sku,name,price,currency\nT-1,Tea 🍵,450,EUR\n');
        for (const words of [
          ['start'],
          ['migrate', 'up'],
          ['keys', 'create', '--admin'],
          ['import', 'products', place('products.csv')],
        ]) {
          const { code, errors } = await runHere(words, settings);
          expect([code, errors], words.join(' ')).to.deep.equal([
            1,
            `portico: DATABASE_URL names a database that cannot be used: It ${reason}. Create a database with createdb --template=template0 --encoding=UTF8 --locale=C.UTF-8, restore a dump of this one there, and set DATABASE_URL to it.\n`,
          ]);
        }
        const { code, output } = await runHere(['doctor', '--json', '--production'], settings);
        expect(code).to.equal(1);
        const { host, pathname } = new URL(database.url);
        const [finding] = JSON.parse(output).filter(({ check }: { check: string }) => check === 'database');
        expect(finding).to.include({ state: 'fail', says: `${host}${pathname} ${reason}` });
        expect(finding.remedy).to.match(/^Create a database with createdb .*--encoding=UTF8/);
        expect(
          await database.query("select from pg_class where relnamespace = 'public'::regnamespace"),
        ).to.deep.equal([]);
      } finally {
        await database.drop();
      }
    }
  });

  it('reports an error of its encoding as unavailable, and its connection goes on', async () => {
    const errorIn = async (database: Database, text: string): Promise<unknown> => {
      const client = new Client({ connectionString: database.url });
      await client.connect();
      try {
        return await rejectionOf(client.query(text));
      } finally {
        await client.end();
      }
    };
    const latin = await freshDatabase(undefined, 'LATIN1');
    const unicode = await freshDatabase();
    try {
      for (const [error, code] of [
        [await errorIn(latin, `select 'Tea 🍵'`), '22P05'],
        [await errorIn(unicode, `select convert_from('\\xff', 'UTF8')`), '22021'],
      ] as const) {
        expect(error).to.be.instanceOf(DatabaseError).and.include({ code });
        const translated = translateError(error);
        expect(translated).to.be.instanceOf(UnavailableError).and.include({ reason: 'database-unavailable' });
        expect(isConnectionUsable(translated)).to.equal(true);
      }
    } finally {
      await latin.drop();
      await unicode.drop();
    }
  });
});

describeMariaDb('A MariaDB database with a table that is not utf8mb4', () => {
  it('is rejected at the start and by the doctor, whatever the character set of the database', async () => {
    const { url, query } = await freshMariaDb();
    const running = await openMariaDb({ url });
    await query('alter table products modify name text character set utf8mb3 not null');
    const reason = `stores texts of the table products in utf8mb3, not in utf8mb4, so it cannot keep every character`;
    const remedy =
      'Back it up, and run alter table products convert to character set utf8mb4 collate utf8mb4_nopad_bin.';

    const add = () =>
      running.unitOfWork.run(({ products }) => products.add({ ...aProduct(), name: 'Tea 🍵' }));
    const error = await rejectionOf(add());
    expect(error).to.be.instanceOf(UnavailableError).and.include({ reason: 'database-unavailable' });
    await running.close();

    const atStart = (await rejectionOf(openMariaDb({ url }))) as UnavailableError;
    expect(atStart).to.be.instanceOf(UnavailableError);
    expect((atStart.cause as Error).message).to.equal(`It ${reason}. ${remedy}`);
    const [finding] = await checkDatabase({ kind: 'mariadb', url });
    const { host, pathname } = new URL(url);
    expect(finding).to.deep.equal({
      ...{ check: 'database', state: 'fail', message: `${host}${pathname} ${reason}`, remedy },
    });

    await query(
      'alter table products modify name text character set utf8mb4 collate utf8mb4_nopad_bin not null',
    );
    const fixed = await openMariaDb({ url });
    await fixed.unitOfWork.run(({ products }) => products.add({ ...aProduct(), name: 'Tea 🍵' }));
    await fixed.close();
  });
});
