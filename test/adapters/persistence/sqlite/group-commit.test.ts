import BetterSqlite3 from 'better-sqlite3';
import { expect } from 'chai';
import type { SqlSession } from '#adapters/persistence/sql/session.ts';
import type { Statement } from '#adapters/persistence/sql/sql-table.ts';
import type { Product } from '#domain/product.ts';
import { rejectionOf } from '#test/contracts/harness.ts';
import { aProduct, aUser } from '#test/contracts/samples.ts';
import { SimulatedTime } from '#test/support/simulated-time.ts';
import { migratedFile } from '#test/support/sqlite.ts';
import { temporaryDatabases } from '#test/support/temporary.ts';
import { unavailable } from '../transactions.ts';
import { openParts } from './opened-parts.ts';

describe('Group commit on SQLite', () => {
  const inFolder = temporaryDatabases();
  let files = 0;
  let opened: Awaited<ReturnType<typeof open>>;

  const open = async () => {
    files += 1;
    const file = await migratedFile(inFolder(`${files}.db`));
    const parts = await openParts(file);
    const other = new BetterSqlite3(file, { readonly: true });
    const count = other.prepare<[], number>('select count(*) from products').pluck();
    const close = async () => {
      await parts.close();
      other.close();
    };
    return { ...parts, seen: () => count.get(), close };
  };

  beforeEach(async () => {
    opened = await open();
  });
  afterEach(() => opened.close());

  const add = (product: Product) => opened.unitOfWork.run(({ products }) => products.add(product));
  const find = ({ id }: Product) => opened.unitOfWork.read(({ products }) => products.find(id));
  const several = (count: number): Product[] => Array.from({ length: count }, () => aProduct());

  it('acknowledges writes once all of the batch is visible to other connections', async () => {
    const seen = await Promise.all(several(10).map((product) => add(product).then(opened.seen)));
    expect(seen).to.deep.equal(Array.from({ length: 10 }, () => 10));
  });

  it('bounds the size of a batch, and commits the rest in the next', async () => {
    const seen = await Promise.all(several(100).map((product) => add(product).then(opened.seen)));
    expect(seen[0]).to.be.lessThan(100);
    expect(seen.at(-1)).to.equal(100);
  });

  const turns = async (count: number): Promise<void> => {
    for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  };

  it('commits a lone write without waiting for later ones', async () => {
    const one = add(aProduct()).then(opened.seen);
    const later = turns(2).then(() => add(aProduct()).then(opened.seen));
    expect(await Promise.all([one, later])).to.deep.equal([1, 2]);
  });

  it('commits all writes of one turn together, however many came in the turn before', async () => {
    await add(aProduct());
    await turns(1);
    const seen = await Promise.all(several(3).map((product) => add(product).then(opened.seen)));
    expect(seen).to.deep.equal([4, 4, 4]);
  });

  it('does not wait for a unit of work that waits for something else, which then runs again alone', async () => {
    const [before, slow, behind] = [aProduct(), aProduct(), aProduct()];
    const gate = Promise.withResolvers<void>();
    let runs = 0;
    const first = add(before);
    const waiting = opened.unitOfWork.run(async ({ products }) => {
      runs += 1;
      await products.add(slow);
      await gate.promise;
      return products.find(slow.id);
    });
    const last = add(behind);
    await Promise.all([first, last]);
    expect(opened.seen()).to.equal(2);
    await add(aProduct());
    expect(opened.writes.stats.waiting).to.equal(1);
    gate.resolve();
    expect(await waiting).to.deep.equal(slow);
    expect(runs).to.equal(2);
    expect(opened.seen()).to.equal(4);
  });

  it('accepts no statement from an evicted run that goes on', async () => {
    const [slow, late] = [aProduct(), aProduct()];
    const gate = Promise.withResolvers<void>();
    let runs = 0;
    const waiting = opened.unitOfWork.run(async ({ products }) => {
      runs += 1;
      if (runs > 1) return products.add(slow);
      await gate.promise;
      await rejectionOf(products.add(late));
    });
    await add(aProduct());
    gate.resolve();
    await waiting;
    expect(await find(late)).to.equal(undefined);
    expect(await find(slow)).to.deep.equal(slow);
  });

  it('runs a unit of work that fails after a change again alone, because another one may have caused its error', async () => {
    const same = { sku: 'same' };
    let runs = 0;
    const first = opened.unitOfWork.run(({ products }) => {
      runs += 1;
      return products.add(aProduct(runs === 1 ? same : {}));
    });
    const second = opened.unitOfWork.run(async ({ products }) => {
      await products.add(aProduct());
      await products.add(aProduct(same));
    });
    await Promise.all([first, second]);
    expect(runs).to.equal(2);
    expect(opened.seen()).to.equal(3);
  });

  /** SQLite's numbers of what a commit waits for: https://www.sqlite.org/pragma.html#pragma_synchronous */
  const [normal, full] = [1, 2];
  const synchronous: Statement = { name: 'synchronous', text: 'pragma synchronous' };
  const waitsFor = async (session: SqlSession): Promise<number | undefined> =>
    (await session.query<{ readonly synchronous: number }>(synchronous, []))[0]?.synchronous;

  it('commits nothing that must survive a power loss together with what does not wait for the disk', async () => {
    const { writes } = opened;
    const durabilities = [false, true, true, false, false, true];
    const units = durabilities.map((isDurable) => writes.run(waitsFor, { isDurable }));
    expect(await Promise.all(units)).to.deep.equal(
      durabilities.map((isDurable) => (isDurable ? full : normal)),
    );
  });

  it('waits for the disk for a unit that runs again alone, right behind one that does not wait for it', async () => {
    const { writes } = opened;
    const gate = Promise.withResolvers<void>();
    const evicted = writes.run(async (session) => {
      await gate.promise;
      return waitsFor(session);
    });
    await turns(2);
    const before = writes.run(
      async (session) => {
        gate.resolve();
        await turns(2);
        return waitsFor(session);
      },
      { isDurable: false },
    );
    expect(await Promise.all([before, evicted])).to.deep.equal([normal, full]);
  });

  it('loses no write when the disk is too full for one of the batch', async () => {
    const { writer, unitOfWork } = opened;
    const [before, behind] = [aProduct(), aProduct()];
    writer.pragma(`max_page_count = ${Number(writer.pragma('page_count', { simple: true })) + 4}`);
    const first = add(before);
    const tooLarge = rejectionOf(
      unitOfWork.run(async ({ products }) => {
        for (let count = 0; count < 50; count += 1)
          await products.add(aProduct({ description: 'x'.repeat(5000) }));
      }),
    );
    const last = add(behind);
    unavailable(await tooLarge);
    await Promise.all([first, last]);
    expect(opened.seen()).to.equal(2);
  });

  it('leaves out units of work that expire before the commit, and commits the others', async () => {
    const [late, slow] = [aProduct(), aProduct()];
    const time = new SimulatedTime();
    const context = { actor: aUser().id, deadline: performance.now() + 50 };
    const tooLate = rejectionOf(opened.unitOfWork.run(({ products }) => products.add(late), context));
    let runs = 0;
    await opened.unitOfWork.run(async ({ products }) => {
      runs += 1;
      await products.add(slow);
      // As other work that blocks the event loop would.
      if (runs === 1) time.work(50);
    });
    time.end();
    unavailable(await tooLate);
    expect(runs).to.equal(2);
    expect(await find(late)).to.equal(undefined);
    expect(await find(slow)).to.deep.equal(slow);
  });

  it('rejects the whole batch when the commit fails, including units of work that had failed already', async () => {
    const { writer, unitOfWork } = opened;
    const prepare = writer.prepare.bind(writer);
    let isBroken = true;
    const breaking = (text: string) => {
      const statement = prepare(text);
      const run = statement.run.bind(statement);
      statement.run = (...values: unknown[]) => {
        if (isBroken && text === 'commit') throw new BetterSqlite3.SqliteError('disk', 'SQLITE_IOERR');
        return run(...values);
      };
      return statement;
    };
    Object.assign(writer, { prepare: breaking });
    const same = { sku: 'same' };
    const rejections = [aProduct(same), aProduct(same), aProduct()].map((product) =>
      rejectionOf(add(product)),
    );
    for (const rejection of await Promise.all(rejections)) unavailable(rejection);
    expect(opened.seen()).to.equal(0);
    isBroken = false;
    await unitOfWork.run(({ products }) => products.add(aProduct(same)));
    expect(opened.seen()).to.equal(1);
  });
});
