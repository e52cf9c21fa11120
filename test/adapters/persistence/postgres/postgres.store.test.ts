import { createServer } from 'node:net';
import { expect } from 'chai';
import { Client } from 'pg';
import { openPostgres } from '#adapters/persistence/postgres/open.ts';
import type { Store } from '#adapters/persistence/store.ts';
import { atOnce, rejectionOf } from '#test/contracts/harness.ts';
import { aProduct, aUser } from '#test/contracts/samples.ts';
import { type Database, migratedDatabase } from '#test/support/postgres.ts';
import { SimulatedTime } from '#test/support/simulated-time.ts';
import { until } from '#test/support/until.ts';
import {
  describeClosing,
  describeLockTimeout,
  describeTransactions,
  describeTurns,
  unavailable,
} from '../transactions.ts';

describe('PostgreSQL', () => {
  let database: Database;
  let store: Store;
  before(async () => {
    database = await migratedDatabase();
    store = await openPostgres({ url: database.url });
  });
  after(async () => {
    await store.close();
    await database.drop();
  });

  describeTransactions('a database', () => openPostgres({ url: database.url }));
  describeClosing(() => openPostgres({ url: database.url }));
  describeTurns(() => openPostgres({ url: database.url, poolSize: 3, timeout: 1_000 }));

  const add = (product = aProduct()) => store.unitOfWork.run(({ products }) => products.add(product));

  const cutConnections = () =>
    database.query(
      'select pg_terminate_backend(pid) from pg_stat_activity ' +
        'where datname = current_database() and pid <> pg_backend_pid()',
    );

  /** Each broken connection of the pool fails one unit of work. */
  const noticed = async (): Promise<void> => {
    for (let count = 0; count < 10; count += 1) await store.now().catch(unavailable);
  };

  it('is unavailable, once, to a unit of work whose connection breaks, and commits nothing of it', async () => {
    const [before, behind] = [aProduct(), aProduct()];
    let runs = 0;
    const rejection = await rejectionOf(
      store.unitOfWork.run(async ({ products }) => {
        runs += 1;
        await products.add(before);
        await products.lock(before.id);
        await cutConnections();
        await products.add(behind);
      }),
    );
    unavailable(rejection);
    expect(runs).to.equal(1);
    await noticed();
    await add(behind);
    const { rows } = await store.unitOfWork.read(({ products }) => products.page({}, { limit: 5 }));
    expect(rows).to.deep.equal([behind]);
  });

  it('recovers by itself when all connections broke while idle', async () => {
    await Promise.all(Array.from({ length: 5 }, () => store.now()));
    await cutConnections();
    await noticed();
    await store.now();
    await add();
  });

  it('is unavailable to writers while it is read-only after a failover, and connects anew then', async () => {
    await database.set('default_transaction_read_only = on');
    await cutConnections();
    await noticed();
    unavailable(await rejectionOf(add()));
    await store.now();
    await database.set('default_transaction_read_only = off');
    await cutConnections();
    await noticed();
    await add();
  });

  describeLockTimeout(
    () => store,
    () => openPostgres({ url: database.url, poolSize: 1, timeout: 1_000 }),
  );

  it('cancels the statements of a request whose deadline has passed, and keeps all its connections', async () => {
    const product = aProduct();
    await add(product);
    const backends = async () => {
      const rows = await database.query(
        "select pid, state from pg_stat_activity where datname = current_database() and application_name = '' " +
          "and backend_type = 'client backend' and pid <> pg_backend_pid() order by pid",
      );
      return rows;
    };
    const own = await openPostgres({ url: database.url });
    const holder = new Client({ connectionString: database.url, application_name: 'holder' });
    // The server cancels in real time, and has as much of it as it needs.
    const time = new SimulatedTime();
    try {
      const others = (await backends()).length;
      const hold = () =>
        own.unitOfWork.run(({ products }) => products.lock(product.id), {
          actor: aUser().id,
          deadline: performance.now() + 300,
        });
      await Promise.all(atOnce(10, () => own.now()));
      await holder.connect();
      await holder.query(`begin; select from products where id = '${product.id}' for update`);
      const before = await backends();
      for (let round = 0; round < 5; round += 1) {
        const rejections = time.settle(Promise.all(atOnce(10, () => rejectionOf(hold()))), 400, 5);
        for (const rejection of await rejections) unavailable(rejection);
        expect((await backends()).length).to.be.at.most(others + 10);
        await until(
          async () => (await backends()).every(({ state }) => state === 'idle'),
          (areIdle) => areIdle,
        );
      }
      expect(await backends()).to.deep.equal(before);
      await holder.end();
      expect(await own.unitOfWork.run(({ products }) => products.lock(product.id))).to.deep.equal(product);
    } finally {
      time.end();
      await holder.end();
      await own.close();
    }
  });

  it('begins no commit in the last quarter of a second before the deadline: nothing of a failed request is committed', async () => {
    const [late, early] = [aProduct(), aProduct()];
    const time = new SimulatedTime();
    try {
      const addAfter = (product: typeof late, milliseconds: number) =>
        store.unitOfWork.run(
          async ({ products }) => {
            await products.add(product);
            time.work(milliseconds);
          },
          { actor: aUser().id, deadline: performance.now() + 10_000 },
        );
      unavailable(await rejectionOf(addAfter(late, 9_760)));
      // The server measures the remaining time by its own clock, which goes on.
      await addAfter(early, 5_000);
    } finally {
      time.end();
    }
    expect(await store.unitOfWork.read(({ products }) => products.find(late.id))).to.equal(undefined);
    expect(await store.unitOfWork.read(({ products }) => products.find(early.id))).to.deep.equal(early);
  });

  it('is unavailable when the port is closed, and when the server does not respond', async () => {
    const silent = createServer((socket) => socket.resume().on('error', () => undefined));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const address = silent.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    const open = () => openPostgres({ url: `postgres://portico@127.0.0.1:${port}/nothing`, timeout: 200 });
    unavailable(await rejectionOf(open()));
    await new Promise((resolve) => silent.close(resolve));
    unavailable(await rejectionOf(open()));
  });

  it('returns the time of the server', async () => {
    const atServer = async (): Promise<number> => {
      const [{ now } = {}] = await database.query(
        'select extract(epoch from clock_timestamp()) * 1000 as now',
      );
      return Number(now);
    };
    const before = await atServer();
    const now = await store.now();
    expect(now).to.satisfy(Number.isInteger);
    expect(now).to.be.within(before - 1, (await atServer()) + 1);
  });

  it('returns instants in UTC though the database has another time zone and date style', async () => {
    const other = await migratedDatabase();
    await other.set("timezone = 'Asia/Kolkata'");
    await other.set("datestyle = 'German'");
    const abroad = await openPostgres({ url: other.url });
    const product = aProduct();
    await abroad.unitOfWork.run(({ products }) => products.add(product));
    expect(await abroad.unitOfWork.read(({ products }) => products.find(product.id))).to.deep.equal(product);
    await abroad.close();
    await other.drop();
  });
});
