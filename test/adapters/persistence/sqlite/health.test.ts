import { closeSync, copyFileSync, openSync, readFileSync, writeSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { expect } from 'chai';
import { SqliteConnection } from '#adapters/persistence/sqlite/connection.ts';
import { SqliteHealth } from '#adapters/persistence/sqlite/files/health.ts';
import { inspectSqlite } from '#adapters/persistence/sqlite/inspect.ts';
import { openSqlite } from '#adapters/persistence/sqlite/open.ts';
import { checkDatabase } from '#bootstrap/cli/doctor/database.ts';
import { readiness } from '#bootstrap/composition/listeners/readiness.ts';
import { rejectionOf } from '#test/contracts/harness.ts';
import { aProduct } from '#test/contracts/samples.ts';
import { migratedFile } from '#test/support/sqlite.ts';
import { temporaryDatabases } from '#test/support/temporary.ts';

const diskFull = 'the disk of the database is full. Free some space';
const cannotWrite = (code: string): string =>
  `the database file cannot be written (${code}). Check its disk and its permissions`;

describe('Damage and a full disk of a SQLite database', () => {
  const inFolder = temporaryDatabases();
  let files = 0;
  const aFile = (): string => {
    files += 1;
    return inFolder(`${files}.db`);
  };

  /** A database whose WAL remains, as after a kill; one leaf page of a table is overwritten. */
  const leftBehind = async (overwrite: string | undefined, size = 100): Promise<string> => {
    const file = aFile();
    const { unitOfWork, close } = await openSqlite({ file: await migratedFile(file) });
    const many = Array.from({ length: 200 }, (_, index) =>
      aProduct({ sku: `S-${index}-`.padEnd(60, 'x'), description: 'x'.repeat(1_000) }),
    );
    await unitOfWork.run(({ products }) => products.addAll(many));
    const copy = aFile();
    const checkpoint = new BetterSqlite3(file);
    checkpoint.pragma('wal_checkpoint(truncate)');
    checkpoint.close();
    await unitOfWork.run(({ products }) => products.add(aProduct({ sku: 'z' })));
    for (const suffix of ['', '-wal']) copyFileSync(`${file}${suffix}`, `${copy}${suffix}`);
    await close();
    if (overwrite !== undefined) damage(copy, overwrite, size);
    return copy;
  };

  const damage = (file: string, name: string, size: number): void => {
    const intact = new BetterSqlite3(file, { readonly: true });
    const pages = intact
      .prepare<[string], { pageno: number }>(
        "select pageno from dbstat where name = ? and pagetype = 'leaf' order by pageno",
      )
      .all(name);
    const pageSize = Number(intact.pragma('page_size', { simple: true }));
    intact.close();
    const handle = openSync(file, 'r+');
    for (const { pageno } of pages.slice(0, size))
      writeSync(handle, Buffer.alloc(pageSize, 0xa5), 0, pageSize, (pageno - 1) * pageSize);
    closeSync(handle);
  };

  it('do not stop a start after a kill when nothing is damaged', async () => {
    const file = await leftBehind(undefined);
    expect(readFileSync(`${file}-wal`).length).to.be.greaterThan(0);
    const { unitOfWork, close } = await openSqlite({ file });
    expect(
      (await unitOfWork.read(({ products }) => products.page({}, { limit: 300 }))).rows,
    ).to.have.lengthOf(201);
    await close();
  });

  for (const name of ['products', 'products_sku_unique']) {
    it(`stop a start after a kill when ${name} is damaged, and say what to do`, async () => {
      const file = await leftBehind(name, 1);
      const { cause } = (await rejectionOf(openSqlite({ file }))) as Error;
      expect((cause as Error).message)
        .to.include(`${file} is damaged: `)
        .and.include('restore a backup with portico restore')
        .and.not.include('\n');
      const settings = { kind: 'sqlite', url: `sqlite:${file}`, file } as const;
      const [finding] = await checkDatabase(settings);
      expect(finding).to.include({ check: 'database', state: 'fail' });
      expect(JSON.stringify(finding)).to.include('is damaged').and.include('portico restore');
      expect((await inspectSqlite({ file })).problem).to.match(/^is damaged: /);
    });
  }

  it('stop a start when the beginning of the file is damaged, and say what to do', async () => {
    const file = aFile();
    await (await openSqlite({ file })).close();
    const handle = openSync(file, 'r+');
    writeSync(handle, Buffer.alloc(100, 0xa5), 0, 100, 0);
    closeSync(handle);
    const { cause } = (await rejectionOf(openSqlite({ file }))) as Error;
    expect((cause as Error).message)
      .to.include(`${file} is damaged, or no SQLite database: `)
      .and.include('portico restore');
    const [finding] = await checkDatabase({ kind: 'sqlite', url: `sqlite:${file}`, file });
    expect(finding).to.include({ check: 'database', state: 'fail' });
    expect(JSON.stringify(finding)).to.include('portico restore');
  });

  it('make a server not ready when its migrations cannot be read, and say what to do', async () => {
    const file = aFile();
    await migratedFile(file);
    const store = await openSqlite({ file });
    const checkReady = readiness(
      store,
      () => false,
      () => undefined,
    );
    expect(await checkReady()).to.equal(undefined);
    damage(file, 'mikro_orm_migrations', 1);
    // After a change of another connection the pages are read again.
    const other = new BetterSqlite3(file);
    other.exec('create table other (a)');
    other.close();
    expect(await checkReady()).to.match(/^the database file is damaged\. .* portico restore$/);
    await store.close();
  });

  for (const [code, reason] of [
    ['SQLITE_FULL', diskFull],
    ['SQLITE_IOERR_WRITE', cannotWrite('SQLITE_IOERR_WRITE')],
    ['SQLITE_READONLY', cannotWrite('SQLITE_READONLY')],
    ['SQLITE_BUSY', undefined],
    ['SQLITE_CONSTRAINT_UNIQUE', undefined],
  ] as const) {
    it(`${reason === undefined ? 'are not suspected' : 'make a server not ready'} after ${code}`, () => {
      const health = new SqliteHealth();
      health.failed(new BetterSqlite3.SqliteError('', code));
      expect(health.problem).to.equal(reason);
      health.committed();
      expect(health.problem).to.equal(undefined);
    });
  }

  it('make a server not ready while its disk is full, until a change succeeds', async () => {
    const database = new BetterSqlite3(aFile());
    const health = new SqliteHealth();
    const connection = new SqliteConnection(database, health);
    const change = () => {
      connection.begin();
      try {
        connection.execute({ name: 'fill', text: 'insert into full values (zeroblob(100000))' }, []);
        connection.commit();
      } finally {
        connection.rollback();
      }
    };
    database.exec('create table full (content blob)');
    database.pragma('max_page_count = 10');
    expect(change).to.throw();
    expect(health.problem).to.equal(diskFull);
    database.pragma('max_page_count = 1000');
    change();
    expect(health.problem).to.equal(undefined);
    database.close();
  });

  it('make a running server not ready once it meets the damage, until a restart', async () => {
    const file = aFile();
    const first = await openSqlite({ file: await migratedFile(file) });
    const many = Array.from({ length: 200 }, () => aProduct({ description: 'x'.repeat(1_000) }));
    await first.unitOfWork.run(({ products }) => products.addAll(many));
    await first.close();
    damage(file, 'products', 100);
    const store = await openSqlite({ file });
    const findUnreadyReason = readiness(
      store,
      () => false,
      () => undefined,
    );
    expect(await findUnreadyReason()).to.equal(undefined);
    await rejectionOf(store.unitOfWork.read(({ products }) => products.page({}, { limit: 300 })));
    for (const _ of ['once', 'twice']) {
      expect(await findUnreadyReason()).to.match(/^the database file is damaged\. .*portico restore$/);
    }
    await store.close();
  });
});
