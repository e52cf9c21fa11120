import { readFileSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { expect } from 'chai';
import { backupSqlite } from '#adapters/persistence/sqlite/files/backup.ts';
import { Product } from '#domain/product.ts';
import { aProduct, later } from '../../../contracts/samples.ts';
import { inStoreAt } from '../../../support/store-at.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { createMigrated, type TestDatabase } from '../../../support/test-databases.ts';

const planted = 'Wolpertinger-7391';

describe('A backup of SQLite', () => {
  const place = temporaryFolder();
  let database: TestDatabase;
  const fileOf = ({ url }: TestDatabase): string => url.slice('sqlite:'.length);
  const has = (file: string): boolean => readFileSync(file, 'latin1').includes(planted);

  before(async () => {
    database = await createMigrated('sqlite');
  });
  after(() => database.remove());

  it('has nothing of what was erased before, although free pages of the database have', async () => {
    const product = aProduct({ description: `${planted} ${'x'.repeat(4_000)}` });
    const others = Array.from({ length: 50 }, () => aProduct({ description: planted.repeat(100) }));
    await inStoreAt(database.url, async ({ unitOfWork }) => {
      await unitOfWork.run(({ products }) => products.addAll([product, ...others]));
      await unitOfWork.run(async ({ products }) => {
        await products.save(Product.change(product, { description: null }, later(1)));
        for (const { id } of others) await products.remove(id);
      });
    });
    const file = fileOf(database);
    const source = new BetterSqlite3(file);
    source.pragma('wal_checkpoint(truncate)');
    source.close();
    expect(has(file), 'the database itself').to.equal(true);
    const to = place('one.backup');
    const signal = new AbortController().signal;
    expect(await backupSqlite({ from: file, to, signal, show: () => undefined })).to.be.greaterThan(0);
    expect(has(to), 'the backup').to.equal(false);
    await inStoreAt(`sqlite:${to}`, async ({ unitOfWork }) => {
      const found = await unitOfWork.read(({ products }) => products.find(product.id));
      expect(found).to.include({ version: 2, description: null });
    });
  });
});
