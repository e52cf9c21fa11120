import { expect } from 'chai';
import { Client } from 'pg';
import { openPostgres } from '#adapters/persistence/postgres/open.ts';
import { migrationsOf } from '#adapters/persistence/schema/migrations/all.ts';
import type { Store } from '#adapters/persistence/store.ts';
import { describeBuyers } from '#test/contracts/buyers.ts';
import { rejectionOf } from '#test/contracts/harness.ts';
import { describeIdempotency } from '#test/contracts/idempotency.ts';
import { inContext } from '#test/contracts/in-context.ts';
import { describeQuotas } from '#test/contracts/quotas.ts';
import { describeRaces } from '#test/contracts/races.ts';
import { aProduct } from '#test/contracts/samples.ts';
import { suites } from '#test/contracts/suites.ts';
import { missing, type Pooler, startPooler } from '#test/support/pgbouncer.ts';
import { type Database, freshDatabase, migratedDatabase } from '#test/support/postgres.ts';
import { inProcesses } from '../in-processes.ts';
import { describeTransactions, unavailable } from '../transactions.ts';

/** Fewer connections than a store's pool, so that stores always share them. */
const connections = 3;

describe(`PostgreSQL behind PgBouncer in transaction mode${missing ? `: ${missing}` : ''}`, () => {
  let pooler: Pooler;
  let database: Database;
  before(async function () {
    if (missing) return this.skip();
    database = await freshDatabase();
    pooler = await startPooler(database.url, connections);
  });
  after(async () => {
    await pooler?.stop();
    await database?.drop();
  });

  const open = async (): Promise<Store> => {
    const own = await migratedDatabase();
    const store = await openPostgres({ url: pooler.through(own.url) });
    return {
      ...store,
      close: async () => {
        await store.close();
        await own.drop();
      },
    };
  };

  for (const suite of suites) suite('PostgreSQL behind PgBouncer', open);
  for (const suite of [describeRaces, describeIdempotency, describeBuyers])
    suite('PostgreSQL behind PgBouncer with a deadline', inContext(open));
  describeQuotas('PostgreSQL behind PgBouncer', open);
  describeTransactions('a pooled database', open);

  it('is migrated by one of five processes that start at once, though the pooler has three connections', async () => {
    const said = await inProcesses(5, pooler.through(database.url));
    expect(said.filter((word) => word === 'new')).to.have.lengthOf(1);
    const made = await database.query('select name from mikro_orm_migrations');
    expect(made).to.deep.equal(migrationsOf('postgres').map(({ name }) => ({ name })));
  });

  it('limits statements and locks in time, and leaves no limit behind for other clients', async () => {
    const store = await openPostgres({ url: pooler.through(database.url), timeout: 300 });
    const held = aProduct();
    await store.unitOfWork.run(({ products }) => products.add(held));
    const hold = () => store.unitOfWork.run(({ products }) => products.lock(held.id));
    const blocker = new Client({ connectionString: database.url });
    await blocker.connect();
    await blocker.query(`begin; select from products where id = '${held.id}' for update`);
    const rejection = await rejectionOf(hold());
    unavailable(rejection);
    expect(rejection).to.have.nested.property('cause.code').that.is.oneOf(['55P03', '57014']);
    await blocker.query('rollback');
    await blocker.end();
    expect(await hold()).to.deep.equal(held);
    const otherClient = new Client({ connectionString: pooler.through(database.url) });
    await otherClient.connect();
    for (const setting of ['lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout']) {
      const { rows } = await otherClient.query(`show ${setting}`);
      expect(rows).to.deep.equal([{ [setting]: '0' }]);
    }
    await otherClient.end();
    await store.close();
  });

  it('returns instants in UTC though the database has another time zone and date style', async () => {
    const abroad = await migratedDatabase();
    await abroad.set("timezone = 'Asia/Kolkata'");
    await abroad.set("datestyle = 'German'");
    const store = await openPostgres({ url: pooler.through(abroad.url) });
    const product = aProduct();
    await store.unitOfWork.run(({ products }) => products.add(product));
    const reads = Array.from({ length: 20 }, () =>
      store.unitOfWork.read(({ products }) => products.find(product.id)),
    );
    for (const found of await Promise.all(reads)) expect(found).to.deep.equal(product);
    await store.close();
    await abroad.drop();
  });
});
