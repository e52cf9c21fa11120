import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { openPostgres } from '#adapters/persistence/postgres/open.ts';
import { memoizeAsync } from '#adapters/support/lazy.ts';
import { describeBuyers } from '#test/contracts/buyers.ts';
import { describeCollections } from '#test/contracts/collections.ts';
import { describeFilters } from '#test/contracts/filters.ts';
import { type Open, rejectionOf, storeFor } from '#test/contracts/harness.ts';
import { describePages } from '#test/contracts/pages.ts';
import { describeRaces } from '#test/contracts/races.ts';
import { describeRoundTrips } from '#test/contracts/round-trips.ts';
import { aPurchase } from '#test/contracts/samples.ts';
import { describeSeveral } from '#test/contracts/several.ts';
import { type Database, freshDatabase, migratedDatabase } from '#test/support/postgres.ts';

const script = new URL('../../../../docs/scaling/orders-by-month.sql', import.meta.url);

/** Migrated, and partitioned by the script of docs/scaling.md. */
const parted = async (): Promise<Database> => {
  const database = await migratedDatabase();
  await database.query(await readFile(script, 'utf8'));
  return database;
};

/** Copies a database that is made once. */
const copiesOf = (make: () => Promise<Database>): (() => Promise<Database>) => {
  const template = memoizeAsync(make);
  let isMade = false;
  after(async () => {
    if (isMade) await (await template()).drop();
  });
  return async () => {
    isMade = true;
    return freshDatabase(await template());
  };
};

const partedDatabase = copiesOf(parted);

const openFrom =
  (make: () => Promise<Database>): Open =>
  async () => {
    const database = await make();
    const store = await openPostgres({ url: database.url });
    return {
      ...store,
      close: async () => {
        await store.close();
        await database.drop();
      },
    };
  };

const suites = [
  describeRaces,
  describeCollections,
  describeSeveral,
  describeFilters,
  describeRoundTrips,
  describePages,
  describeBuyers,
];
for (const suite of suites) suite('PostgreSQL with orders by month', openFrom(partedDatabase));

describe('External ids of orders by month', () => {
  const store = storeFor(openFrom(partedDatabase));

  it('are unique over all months, and free again once they are given up', async () => {
    const [{ user, order }, other] = [aPurchase(), aPurchase()];
    const january = {
      ...order,
      id: '018c0000-0000-7000-8000-000000000001' as typeof order.id,
      externalId: 'A-1',
    };
    const second = { ...other.order, userId: user.id, externalId: 'A-1' };
    await store.unitOfWork.run(async ({ users, orders }) => {
      await users.add(user);
      await orders.add(january);
    });
    const rejection = await rejectionOf(store.unitOfWork.run(({ orders }) => orders.add(second)));
    expect(rejection).to.have.deep.property('fieldErrors', [
      { field: 'externalId', message: 'is taken already' },
    ]);
    await store.unitOfWork.run(({ orders }) =>
      orders.save({ ...january, externalId: null, version: january.version + 1 }),
    );
    await store.unitOfWork.run(({ orders }) => orders.add(second));
    await store.unitOfWork.run(({ orders }) => orders.remove(second.id));
    await store.unitOfWork.run(({ orders }) =>
      orders.save({ ...january, externalId: 'A-1', version: january.version + 2 }),
    );
  });
});

describe('Orders by month', () => {
  let database: Database;
  before(async () => {
    database = await partedDatabase();
  });
  after(() => database.drop());

  const ada = '01900000-0000-7000-8000-000000000001';

  /** Twenty orders for each hour of a month. */
  const fill = (month: string) =>
    database.query(`
      insert into orders
        select (left(first_id(at)::text, 24) || lpad(to_hex(n), 12, '0'))::uuid, 1, at, at, '${ada}', '', 'pending', 1, 'EUR', 1, false
        from generate_series('${month}-01Z'::timestamptz, '${month}-28Z'::timestamptz, '1 hour') at, generate_series(1, 20) n
    `);
  const count = async (where: string): Promise<number> =>
    (await database.query(`select from orders where ${where}`)).length;

  it('are dropped a month at a time, and nothing else with them', async () => {
    await database.query(
      `insert into users values ('${ada}', 1, now(), now(), 'ada@example.com', 'Ada', 'customer')`,
    );
    for (const month of ['2031-01', '2031-02', '2031-03']) {
      await database.query(`select add_month('${month}-15Z')`);
      await fill(month);
    }
    expect(await count('true')).to.equal(3 * 20 * (27 * 24 + 1));
    await database.query('alter table orders detach partition orders_2031_01');
    await database.query('drop table orders_2031_01');
    expect(await count('true')).to.equal(2 * 20 * (27 * 24 + 1));
    expect(await count("id < first_id('2031-02-01Z')")).to.equal(0);
  });

  it('are looked up by id in the partition of their month only', async () => {
    const plan = await database.query("explain select * from orders where id = first_id('2031-02-10Z')");
    const text = JSON.stringify(plan);
    expect(text).to.include('orders_2031_02');
    expect(text).to.not.include('orders_2031_03');
    expect(text).to.include('Index Scan');
  });

  it('stay complete where a month has no partition', async () => {
    await fill('2040-01');
    expect(await count("id >= first_id('2040-01-01Z')")).to.equal(20 * (27 * 24 + 1));
  });
});
