import { copyFileSync } from 'node:fs';
import BetterSqlite3, { type Database } from 'better-sqlite3';
import { expect } from 'chai';
import { connect } from '#adapters/persistence/sqlite/connect.ts';
import { Connection } from '#adapters/persistence/sqlite/connection.ts';
import { openDataFile } from '#adapters/persistence/sqlite/data-file.ts';
import { sqliteOrm } from '#adapters/persistence/sqlite/orm.ts';
import { SqliteUnitOfWork } from '#adapters/persistence/sqlite/unit-of-work.ts';
import { Writer } from '#adapters/persistence/sqlite/wal-checkpointer.ts';
import { aProduct } from '#test/contracts/samples.ts';
import { temporaryFolder } from '#test/support/temporary.ts';

/** When it is full, in pages; a product takes some seven. */
const length = 60;

describe('SQLite, its log', () => {
  const inFolder = temporaryFolder();
  let files = 0;
  let close: () => Promise<void>;

  afterEach(() => close());

  /** @param sync instead of what waits for the disk */
  const open = async (sync?: () => Promise<void>) => {
    files += 1;
    const file = inFolder(`${files}.db`);
    const orm = sqliteOrm(file, 1000);
    const { writer, reader } = await connect(orm, file);
    if (reader === undefined) throw new Error('A file has a reader.');
    writer.pragma('wal_checkpoint(truncate)');
    const dataFile = await openDataFile(file);
    const reading = new Connection(reader);
    const unitOfWork = new SqliteUnitOfWork(
      new Writer(writer, reading, sync ?? dataFile.sync, length),
      reading,
    );
    const other = new BetterSqlite3(file);
    close = async () => {
      await unitOfWork.end();
      other.close();
      reader.close();
      await orm.close();
      await dataFile.close();
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

  it('begins again and again, and never grows much longer than it is when it is full', async () => {
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

  it('is not begun again before the disk has what was written, for which nobody waits', async () => {
    const disk = Promise.withResolvers<void>();
    let asked = 0;
    const { addMany, other } = await open(() => {
      asked += 1;
      return disk.promise;
    });
    await addMany(40);
    const before = logOf(other);
    expect(asked).to.equal(1);
    expect(before.log).to.be.greaterThan(2 * length);
    expect(before.checkpointed).to.be.within(length, before.log - 1);
    disk.resolve();
    await addMany(2);
    expect(logOf(other).log).to.be.lessThan(length);
    expect(productsIn(other)).to.equal(42);
  });

  it('is begun again though the disk was not to be waited for', async () => {
    const { addMany, other } = await open(() => Promise.reject(new Error('The disk is at fault.')));
    await addMany(100);
    expect(logOf(other).log).to.be.lessThan(4 * length);
  });

  it('keeps what somebody else still reads, and is begun again when they have ended', async () => {
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

  it('has all that was acknowledged since the file was last on the disk, be it killed or without power', async () => {
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
      // Without power, whatever SQLite has not waited for itself may be gone.
      lost.powerless += missing(onTheDisk, added);
      const { log, checkpointed } = logOf(other);
      if (log === checkpointed) copyFileSync(file, onTheDisk);
    }
    expect(lost).to.deep.equal({ killed: 0, powerless: 0 });
  });
});
