import { type AddressInfo, connect, createServer } from 'node:net';
import { expect } from 'chai';
import { inspectMariaDb } from '#adapters/persistence/mariadb/inspect.ts';
import { openMariaDb } from '#adapters/persistence/mariadb/open.ts';
import { tables } from '#adapters/persistence/schema/entities/all.ts';
import { idempotencyKeys } from '#adapters/persistence/schema/entities/idempotency-key.ts';
import type { Store } from '#adapters/persistence/store.ts';
import { type Constraints, collectionNames, constraints } from '#application/ports/repositories.ts';
import { atOnce, rejectionOf } from '#test/contracts/harness.ts';
import { aProduct, aUser } from '#test/contracts/samples.ts';
import {
  describeMariaDb,
  freshMariaDb,
  type MariaDbDatabase,
  migratedMariaDb,
} from '#test/support/mariadb.ts';
import { until } from '#test/support/until.ts';
import {
  describeClosing,
  describeLockTimeout,
  describeTransactions,
  describeTurns,
  unavailable,
} from '../transactions.ts';

describeMariaDb('MariaDB', () => {
  let database: MariaDbDatabase;
  let store: Store;
  before(async () => {
    database = await migratedMariaDb();
    store = await openMariaDb({ url: database.url });
  });
  after(() => store.close());

  describeTransactions('a database', () => openMariaDb({ url: database.url }));
  describeClosing(() => openMariaDb({ url: database.url }));
  describeTurns(() => openMariaDb({ url: database.url, poolSize: 3, timeout: 1_000 }));

  const add = (product = aProduct()) => store.unitOfWork.run(({ products }) => products.add(product));
  const others = 'from information_schema.processlist where db = database() and id <> connection_id()';

  const cutConnections = async (): Promise<void> => {
    for (const { id } of await database.query(`select id ${others}`)) await database.query(`kill ${id}`);
  };

  it('is migrated by one of several processes that start at once, and says that it was empty to one', async () => {
    const { url, query } = await freshMariaDb();
    const stores = await Promise.all(atOnce(5, () => openMariaDb({ url, poolSize: 2 })));
    expect(stores.filter(({ isNew }) => isNew)).to.have.lengthOf(1);
    expect(await query('select count(*) as count from migration_lock')).to.deep.equal([{ count: 0 }]);
    await Promise.all(stores.map(({ close }) => close()));
  });

  it('is migrated after a process died that was migrating it', async () => {
    const { url, query } = await freshMariaDb();
    await query('create table migration_lock (id int primary key, holder char(36), until datetime(3))');
    await query("insert into migration_lock values (1, 'dead', utc_timestamp() - interval 1 second)");
    const opened = await openMariaDb({ url });
    expect(opened.isNew).to.equal(true);
    await opened.close();
  });

  it('has exactly the columns and constraints of the entities, and compares texts as they are', async () => {
    const columns = await database.query(
      `select table_name as t, column_name as c, collation_name as collation from information_schema.columns
        where table_schema = database()`,
    );
    for (const table of [...Object.values(tables), idempotencyKeys]) {
      const own = columns.filter(({ t }) => t === table.name).map(({ c }) => c);
      // A unique index has no condition in MariaDB, so these columns have the order of a live payment, as releases know one.
      const live = table.name === 'payments' ? ['live_order_id', 'unended_order_id'] : [];
      const expected = [...table.columns, ...live];
      expect(own, table.name).to.have.members(expected);
    }
    const collations = columns.filter(({ t }) => t !== 'mikro_orm_migrations' && t !== 'migration_lock');
    expect(new Set(collations.map(({ collation }) => collation))).to.deep.equal(
      new Set([null, 'utf8mb4_nopad_bin']),
    );
    const keys = await database.query(
      `select table_name as t, column_name as c, constraint_name as k, referenced_table_name as r
        from information_schema.key_column_usage where table_schema = database() and constraint_name <> 'PRIMARY'`,
    );
    for (const collection of collectionNames) {
      const { unique = [], reference }: Constraints = constraints[collection];
      const { name, filters }: { name: string; filters: Readonly<Record<string, string>> } =
        tables[collection];
      const own = keys.filter(({ t, k }) => t === name && k !== 'payments_order_id_unique');
      expect(own, name).to.have.deep.members([
        ...unique.map((field) => ({
          ...{ t: name, c: filters[field], k: `${name}_${filters[field]}_unique`, r: null },
        })),
        ...(reference
          ? [
              {
                ...{ t: name, c: filters[reference[0]], r: tables[reference[1]].name },
                k: `${name}_${filters[reference[0]]}_foreign`,
              },
            ]
          : []),
      ]);
    }
  });

  it('is unavailable, once, to a unit of work whose connection breaks, and commits nothing of it', async () => {
    const [before, behind] = [aProduct(), aProduct()];
    let runs = 0;
    const rejection = await rejectionOf(
      store.unitOfWork.run(async ({ products }) => {
        runs += 1;
        await products.add(before);
        await cutConnections();
        await products.add(behind);
      }),
    );
    unavailable(rejection);
    expect(runs).to.equal(1);
    await add(behind);
    const found = await store.unitOfWork.read(({ products }) => products.find(before.id));
    expect(found).to.equal(undefined);
  });

  it('recovers by itself when all connections broke while idle', async () => {
    await Promise.all(atOnce(5, () => store.now()));
    await cutConnections();
    await until(
      () =>
        store.now().then(
          () => true,
          () => false,
        ),
      (works) => works,
    );
    await add();
  });

  describeLockTimeout(
    () => store,
    () => openMariaDb({ url: database.url, poolSize: 1, timeout: 1_000 }),
  );

  it('cancels the statements of a request whose deadline has passed, and keeps its connections', async () => {
    const product = aProduct();
    await add(product);
    const own = await openMariaDb({ url: database.url });
    const connections = async () => (await database.query(`select id ${others}`)).map(({ id }) => id);
    const waiting = async () =>
      database.query(`select id ${others} and info like '%for update%' and info not like '%processlist%'`);
    await Promise.all(atOnce(10, () => own.now()));
    const before = await connections();
    await store.unitOfWork.run(async ({ products }) => {
      await products.lock(product.id);
      const context = () => ({ actor: aUser().id, deadline: performance.now() + 200 });
      const hold = () => own.unitOfWork.run((all) => all.products.lock(product.id), context());
      for (const rejection of await Promise.all(atOnce(10, () => rejectionOf(hold()))))
        unavailable(rejection);
      await until(waiting, (queries) => queries.length === 0);
    });
    expect(await connections()).to.include.members(before);
    expect(await own.unitOfWork.run(({ products }) => products.lock(product.id))).to.deep.equal(product);
    await own.close();
  });

  it('is unavailable when the port is closed, when the server does not respond, and without a password', async () => {
    const silent = createServer((socket) => socket.resume().on('error', () => undefined));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const address = silent.address();
    const port = typeof address === 'object' ? address?.port : 0;
    for (const url of [
      'mariadb://portico@127.0.0.1:1/portico',
      `mariadb://portico@127.0.0.1:${port}/portico`,
      database.url.replace('portico@', 'stranger:wrong@'),
      `${database.url}_missing`,
    ]) {
      unavailable(await rejectionOf(openMariaDb({ url, timeout: 500 })));
      unavailable(await rejectionOf(inspectMariaDb({ url, timeout: 500 })));
    }
    await new Promise((resolve) => silent.close(resolve));
  });

  it('is unavailable when a server no longer responds once it has let a connection in', async () => {
    const { port } = new URL(database.url);
    const relay = createServer((client) => {
      const server = connect(Number(port), '127.0.0.1');
      let packets = 0;
      // The greeting, and the end of the authentication.
      server.on('data', (packet) => {
        packets += 1;
        if (packets <= 2) client.write(packet);
      });
      client.on('data', (packet) => server.write(packet)).on('close', () => server.destroy());
      for (const socket of [client, server]) socket.on('error', () => socket.destroy());
    });
    await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
    const url = database.url.replace(`:${port}/`, `:${(relay.address() as AddressInfo).port}/`);
    unavailable(await rejectionOf(openMariaDb({ url, timeout: 500 })));
    unavailable(await rejectionOf(inspectMariaDb({ url, timeout: 500 })));
    relay.close();
  });

  it('describes a database without changing it', async () => {
    const { url, query } = await freshMariaDb();
    expect(await inspectMariaDb({ url })).to.deep.include({ exists: false, applied: [], mayCreate: true });
    expect(await query('show tables')).to.deep.equal([]);
    const { product, pending } = await inspectMariaDb({ url: database.url });
    expect(product).to.match(/^MariaDB \d+\.\d+\.\d+$/);
    expect(pending).to.deep.equal([]);
  });
});
