import { rename, rm, writeFile } from 'node:fs/promises';
import { mock } from 'node:test';
import BetterSqlite3 from 'better-sqlite3';
import { expect } from 'chai';
import { builderOf } from '#adapters/persistence/sql/builder.ts';
import { compileRepositories } from '#adapters/persistence/sql/repositories.ts';
import { sqlSandboxLedger } from '#adapters/persistence/sql/sandbox-ledger.ts';
import { connect, sqliteOrm } from '#adapters/persistence/sqlite/connect.ts';
import { SqliteConnection, sqliteSession } from '#adapters/persistence/sqlite/connection.ts';
import { sqliteDialect } from '#adapters/persistence/sqlite/dialect.ts';
import { noFiles } from '#adapters/persistence/sqlite/files/file-identity.ts';
import { openSqlite } from '#adapters/persistence/sqlite/open.ts';
import { sqliteUnitOfWork } from '#adapters/persistence/sqlite/unit-of-work.ts';
import { WriteQueue } from '#adapters/persistence/sqlite/write-queue.ts';
import type { Work } from '#application/ports/unit-of-work.ts';
import { rejectionOf } from '#test/contracts/harness.ts';
import { aProduct, aUser } from '#test/contracts/samples.ts';
import { SimulatedTime } from '#test/support/simulated-time.ts';
import { migratedFile } from '#test/support/sqlite.ts';
import { temporaryDatabases } from '#test/support/temporary.ts';
import { turnsUntil } from '#test/support/turns.ts';
import { describeClosing, describeTransactions, unavailable } from '../transactions.ts';

describe('SQLite', () => {
  const inFolder = temporaryDatabases();
  let files = 0;

  const aFile = (): string => {
    files += 1;
    return inFolder(`${files}.db`);
  };

  const aMigratedFile = (): Promise<string> => migratedFile(aFile());

  /** The parts that `openSqlite` puts together, with a shorter wait for the write lock. */
  const openParts = async () => {
    const file = await aMigratedFile();
    const orm = sqliteOrm(file, 1000);
    const { writer, reader } = await connect(orm, file);
    if (reader === undefined) throw new Error('A file has a reader.');
    const writes = new WriteQueue(new SqliteConnection(writer), noFiles, 500);
    const close = async () => {
      reader.close();
      await orm.close();
    };
    const builder = builderOf(orm);
    return {
      file,
      builder,
      writer,
      reader,
      writes,
      unitOfWork: sqliteUnitOfWork(
        compileRepositories(builder, sqliteDialect),
        writes,
        sqliteSession(new SqliteConnection(reader)),
      ),
      close,
    };
  };

  describeTransactions('a file', () => aMigratedFile().then((file) => openSqlite({ file })));
  describeClosing(() => aMigratedFile().then((file) => openSqlite({ file })));

  it('creates the file and its folder once', async () => {
    const file = inFolder('not', 'there', 'portico.db');
    const first = await openSqlite({ file });
    await first.close();
    const second = await openSqlite({ file });
    await second.close();
    expect([first.isNew, second.isNew]).to.deep.equal([true, false]);
  });

  /** Opens a new file in simulated time while another connection keeps it from WAL, and waits until that was tried. */
  const openHeldFile = async () => {
    const file = aFile();
    const other = new BetterSqlite3(file);
    other.exec('begin immediate');
    const time = new SimulatedTime();
    const pragmas = mock.method(BetterSqlite3.prototype, 'pragma').mock;
    const opening = openSqlite({ file });
    opening.catch(() => undefined);
    await turnsUntil(() => pragmas.calls.some(({ arguments: [text] }) => text === 'journal_mode = wal'));
    return { other, time, opening };
  };

  it('enables WAL on a new file once another process has ended its transaction', async () => {
    const { other, time, opening } = await openHeldFile();
    try {
      await time.pass(9_900, 25);
      other.close();
      const store = await time.settle(opening, 100, 5);
      await store.close();
      expect(store.isNew).to.equal(true);
    } finally {
      time.end();
    }
  });

  it('is unavailable after ten seconds in which another process keeps a new file from WAL', async () => {
    const { other, time, opening } = await openHeldFile();
    try {
      await time.pass(9_900, 25);
      unavailable(await time.settle(rejectionOf(opening), 200, 5));
    } finally {
      time.end();
      other.close();
    }
  });

  it('uses WAL, waits for the disk, enforces foreign keys, and reads from a read-only connection', async () => {
    const { writer, reader, close } = await openParts();
    expect(writer.pragma('journal_mode', { simple: true })).to.equal('wal');
    expect(writer.pragma('synchronous', { simple: true })).to.equal(2);
    expect(writer.pragma('foreign_keys', { simple: true })).to.equal(1);
    expect(writer.pragma('busy_timeout', { simple: true })).to.equal(0);
    expect(writer.pragma('wal_autocheckpoint', { simple: true })).to.equal(2_000);
    expect(reader.readonly).to.equal(true);
    expect(reader.pragma('cache_size', { simple: true })).to.equal(-12_288);
    expect(writer.pragma('cache_size', { simple: true })).to.equal(-2048);
    await close();
  });

  it('is unavailable to writers while the disk is full, serves reads, and recovers when there is room', async () => {
    const { writer, unitOfWork, close } = await openParts();
    const [kept, large] = [aProduct(), aProduct({ description: 'x'.repeat(5000) })];
    await unitOfWork.run(({ products }) => products.add(kept));
    const addMany = () =>
      unitOfWork.run(async ({ products }) => {
        for (let count = 0; count < 50; count += 1) await products.add({ ...large, id: aProduct().id });
      });
    writer.pragma(`max_page_count = ${writer.pragma('page_count', { simple: true })}`);
    unavailable(await rejectionOf(addMany()));
    const { rows } = await unitOfWork.read(({ products }) => products.page({}, { limit: 10 }));
    expect(rows).to.deep.equal([kept]);
    writer.pragma('max_page_count = 100000');
    await addMany();
    await close();
  });

  for (const [what, act] of [
    ['removed', (file: string) => rm(file, { force: true })],
    ['replaced', (file: string) => writeFile(`${file}.new`, '').then(() => rename(`${file}.new`, file))],
    ['left without its WAL', (file: string) => rm(`${file}-wal`, { force: true })],
  ] as const) {
    it(`acknowledges no write once its file has been ${what}`, async () => {
      const file = await aMigratedFile();
      const store = await openSqlite({ file });
      const add = () => store.unitOfWork.run(({ products }) => products.add(aProduct()));
      await add();
      await store.schema();
      const during = store.unitOfWork.run(async ({ products }) => {
        await products.add(aProduct());
        await act(file);
      });
      unavailable(await rejectionOf(during));
      unavailable(await rejectionOf(add()));
      unavailable(await rejectionOf(store.sandboxLedger.keep('charge', 'done')));
      unavailable(await rejectionOf(store.schema()));
      await store.close();
    });

    it(`acknowledges no write when its file has been ${what} since the last check`, async () => {
      const file = await aMigratedFile();
      const store = await openSqlite({ file });
      await store.unitOfWork.run(({ products }) => products.add(aProduct()));
      await act(file);
      unavailable(await rejectionOf(store.unitOfWork.run(({ products }) => products.add(aProduct()))));
      await store.close();
    });
  }

  it('is unavailable to writers while another process holds the write lock, serves reads, and recovers', async () => {
    const { file, builder, writes, unitOfWork, close } = await openParts();
    const other = new BetterSqlite3(file);
    other.exec('begin immediate');
    const add = () => unitOfWork.run(({ products }) => products.add(aProduct()));
    const ledger = sqlSandboxLedger(builder, sqliteDialect, writes.autocommit());
    const time = new SimulatedTime();
    try {
      const waiting = Promise.all([
        rejectionOf(add()),
        rejectionOf(add()),
        rejectionOf(ledger.keep('charge', 'done')),
      ]);
      const first = await Promise.race([
        waiting.then(() => 'the writers'),
        unitOfWork.read(({ products }) => products.page({}, { limit: 1 })).then(() => 'a reader'),
      ]);
      expect(first).to.equal('a reader');
      await time.pass(510, 5);
      (await waiting).forEach(unavailable);
    } finally {
      time.end();
    }
    other.exec('rollback');
    other.close();
    await add();
    expect(await ledger.keep('charge', 'declined')).to.equal('declined');
    await close();
  });

  /** Begins a write while another process holds the write lock, and expects it to be rejected after so long, before it has run. */
  const expectRejectedAfter = async (waitMs: number, reason: string, deadlineMs?: number): Promise<void> => {
    const file = await aMigratedFile();
    const store = await openSqlite({ file });
    const other = new BetterSqlite3(file);
    other.exec('begin immediate');
    const time = new SimulatedTime();
    try {
      let runs = 0;
      let rejected: unknown;
      const add: Work<void> = ({ products }) => {
        runs += 1;
        return products.add(aProduct());
      };
      const deadline = deadlineMs === undefined ? {} : { deadline: time.now + deadlineMs };
      const rejection = rejectionOf(store.unitOfWork.run(add, { actor: aUser().id, ...deadline }));
      void rejection.then((error) => {
        rejected = error;
      });
      await time.pass(waitMs - 10, 5);
      expect(rejected).to.equal(undefined);
      await time.pass(20, 1);
      expect(rejected, `after ${waitMs} ms`).to.include({ kind: 'unavailable', reason });
      expect(runs, 'work that has begun without the lock').to.equal(0);
    } finally {
      other.close();
      await time.settle(store.close());
      time.end();
    }
  };

  it('by default waits three seconds for the write lock of another process', () =>
    expectRejectedAfter(3_000, 'conflict'));

  it('waits for the write lock of another process until its deadline, and no longer', () =>
    expectRejectedAfter(500, 'deadline-exceeded', 500));

  it('returns the time of the machine, in a file and in memory, whatever the clock of this process says', async () => {
    const { now } = Date;
    for (const file of [aFile(), ':memory:']) {
      const store = await openSqlite({ file });
      const before = now();
      try {
        Date.now = () => now() + 25 * 3_600_000;
        const time = await store.now();
        expect(time).to.satisfy(Number.isInteger);
        expect(time).to.be.within(before - 1, now() + 1);
      } finally {
        Date.now = now;
        await store.close();
      }
    }
  });

  it('is unavailable when the file is not a database', async () => {
    const file = aFile();
    await writeFile(file, 'This is no database, though it is long enough for the header of one.'.repeat(20));
    const error = await rejectionOf(openSqlite({ file }));
    unavailable(error);
    expect(error).to.have.nested.property('cause.cause.code', 'SQLITE_NOTADB');
  });
});
