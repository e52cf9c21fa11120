import { copyFileSync } from 'node:fs';
import BetterSqlite3, { type Database } from 'better-sqlite3';
import { expect } from 'chai';
import { aProduct } from '#test/contracts/samples.ts';
import { migratedFile } from '#test/support/sqlite.ts';
import { temporaryDatabases } from '#test/support/temporary.ts';
import { openParts } from './opened-parts.ts';

/** The checkpoint threshold of these tests, in pages. A product needs about seven. */
const length = 60;

describe('The write-ahead log (WAL) of SQLite', () => {
  const inFolder = temporaryDatabases();
  let files = 0;
  let close: () => Promise<void>;

  afterEach(() => close());

  const open = async () => {
    files += 1;
    const file = await migratedFile(inFolder(`${files}.db`));
    const { writer, unitOfWork, ...parts } = await openParts(file);
    writer.pragma('wal_checkpoint(truncate)');
    writer.pragma(`wal_autocheckpoint = ${length}`);
    const other = new BetterSqlite3(file);
    close = async () => {
      await parts.close();
      other.close();
    };
    const add = () => unitOfWork.run(({ products }) => products.add(aProduct()));
    const addMany = async (count: number) => {
      for (let added = 0; added < count; added += 1) await add();
    };
    return { file, other, add, addMany };
  };

  const logOf = (database: Database) =>
    database.prepare<[], { log: number; checkpointed: number }>('pragma wal_checkpoint(noop)').get() ?? {
      log: 0,
      checkpointed: 0,
    };
  const productsIn = (database: Database) =>
    database.prepare<[], number>('select count(*) from products').pluck().get();

  it('is restarted by checkpoints, and never grows far beyond their threshold', async () => {
    const { add, other } = await open();
    const lengths: number[] = [];
    for (let added = 0; added < 300; added += 1) {
      await add();
      lengths.push(logOf(other).log);
    }
    const begun = lengths.filter((now, place) => now < (lengths[place - 1] ?? 0));
    expect(begun.length).to.be.greaterThan(5);
    expect(Math.max(...lengths)).to.be.lessThan(5 * length);
    expect(productsIn(other)).to.equal(300);
  });

  it('keeps the pages that another connection still reads, and is restarted when that has ended', async () => {
    const { addMany, other, file } = await open();
    const late = new BetterSqlite3(file, { readonly: true });
    late.exec('begin');
    expect(productsIn(late)).to.equal(0);
    await addMany(100);
    expect(logOf(other).log).to.be.greaterThan(5 * length);
    expect(productsIn(late)).to.equal(0);
    late.exec('commit');
    late.close();
    await addMany(30);
    expect(logOf(other).log).to.be.lessThan(4 * length);
    expect(productsIn(other)).to.equal(130);
  });

  it('holds every acknowledged write since the last complete checkpoint, after a kill and after a power loss', async () => {
    const { file, add, other } = await open();
    const copy = inFolder('copy.db');
    const [onTheDisk, lost] = [`${copy}.kept`, { killed: 0, powerless: 0 }];
    copyFileSync(file, onTheDisk);
    const missing = (data: string, acknowledged: number): number => {
      copyFileSync(data, copy);
      copyFileSync(`${file}-wal`, `${copy}-wal`);
      const found = new BetterSqlite3(copy);
      const count = productsIn(found) ?? 0;
      found.close();
      return acknowledged - count;
    };
    for (let added = 1; added <= 100; added += 1) {
      await add();
      lost.killed += missing(file, added);
      // A power loss may destroy everything that SQLite has not synced itself.
      lost.powerless += missing(onTheDisk, added);
      const { log, checkpointed } = logOf(other);
      if (log === checkpointed) copyFileSync(file, onTheDisk);
    }
    expect(lost).to.deep.equal({ killed: 0, powerless: 0 });
  });
});
