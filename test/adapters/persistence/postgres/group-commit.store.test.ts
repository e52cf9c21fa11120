import { expect } from 'chai';
import { openPostgres } from '#adapters/persistence/postgres/open.ts';
import type { Product } from '#domain/product.ts';
import { atOnce, rejectionOf } from '#test/contracts/harness.ts';
import { aProduct, aPurchase, aRecord } from '#test/contracts/samples.ts';
import { lockWaitsIn } from '#test/support/lock-waits.ts';
import { newId } from '#test/support/machine.ts';
import { SimulatedTime } from '#test/support/simulated-time.ts';
import { until } from '#test/support/until.ts';
import { unavailable } from '../transactions.ts';
import { postgresBehindNetwork } from './opened.ts';

describe('Units of work in PostgreSQL that only add rows', () => {
  const postgres = postgresBehindNetwork();

  const run: typeof postgres.run = (...work) => postgres.run(...work);
  const add = (product: Product = aProduct(), milliseconds?: number) =>
    run(({ products }) => products.add(product), milliseconds);

  const names = async (): Promise<unknown[]> =>
    (await postgres.database.query('select name from products order by name')).map(({ name }) => name);

  /** How many transactions inserted the products with this name. */
  const transactions = async (name = 'Tea'): Promise<number> =>
    (await postgres.database.query(`select distinct xmin::text from products where name = '${name}'`)).length;

  const inserting = ({ id, sku }: Product): string =>
    'insert into products (id, version, created_at, updated_at, name, price_amount, price_currency, status, sku) ' +
    `select '${id}', 1, now(), now(), 'Held', 1, 'EUR', 'active', '${sku}'`;

  it('are committed in one transaction when they end together', async () => {
    await Promise.all(atOnce(20, () => add()));
    expect(await transactions()).to.equal(1);
  });

  it('are committed in one transaction although another of them throws', async () => {
    const failing = run(async ({ products }) => {
      await products.add(aProduct());
      throw new Error('changed my mind');
    });
    await Promise.all([...atOnce(5, () => add()), rejectionOf(failing)]);
    expect(await names()).to.have.lengthOf(5);
    expect(await transactions()).to.equal(1);
  });

  it('are committed one by one when they cannot be together', async () => {
    await postgres.database.query(
      'create function together() returns trigger language plpgsql as ' +
        "'begin if (select count(distinct id) from products where xmin::text = pg_current_xact_id()::text) > 1 then " +
        "raise exception serialization_failure; end if; return null; end'; " +
        'create constraint trigger together after insert on products deferrable initially deferred ' +
        'for each row execute function together()',
    );
    await Promise.all(atOnce(5, () => add()));
    expect(await transactions()).to.equal(5);
  });

  it('fail each for its own reason only', async () => {
    const [sku, key] = [String(newId()), aRecord({ response: 'done' })];
    await add(aProduct({ sku }));
    await run(({ idempotencyKeys }) => idempotencyKeys.add(key));
    const { order } = aPurchase();
    const [good, taken, twice, lost, ...others] = await Promise.allSettled([
      add(aProduct({ name: 'Mate' })),
      add(aProduct({ sku })),
      run(({ idempotencyKeys }) => idempotencyKeys.add(key)),
      run(({ orders }) => orders.add(order)),
      ...atOnce(5, () => add()),
    ]);
    expect(good).to.include({ status: 'fulfilled' });
    expect(taken).to.have.nested.property('reason.kind', 'conflict');
    for (const one of [twice, lost])
      expect(one).to.have.nested.property('reason.name', 'ConstraintViolation');
    for (const other of others) expect(other).to.include({ status: 'fulfilled' });
    expect(await names()).to.have.lengthOf(7);
  });

  it('leave a deadline that has passed to the one whose it is', async () => {
    const products = Array.from({ length: 8 }, () => aProduct());
    await Promise.all(products.map((product) => add(product)));
    // All connections are open, so that none is opened later.
    await Promise.all(atOnce(10, () => postgres.store.now()));
    // Those that lock use every connection that is not kept for reads.
    const released = Promise.withResolvers<void>();
    const locking = products.map(({ id }) =>
      run(async (to) => {
        await to.products.lock(id);
        await released.promise;
      }),
    );
    await until(
      () =>
        postgres.database.query(
          "select from pg_stat_activity where datname = current_database() and state = 'idle in transaction'",
        ),
      ({ length }) => length >= 8,
    );
    const time = new SimulatedTime();
    const adding = [];
    const hurried = [];
    try {
      // Two groups are on their way, and one is behind them, which leaves out the late one from the start.
      for (const name of ['Mate', 'Mate', 'Last']) {
        adding.push(...atOnce(2, () => add(aProduct({ name }))));
        hurried.push(rejectionOf(add(aProduct({ name: 'Late' }), 200)));
        // A commit that found a connection would be made meanwhile.
        await names();
        await time.pass(10);
      }
      await time.pass(300);
      released.resolve();
      await Promise.all(locking);
      for (const rejection of await Promise.all(hurried))
        expect(rejection).to.include({ kind: 'unavailable', reason: 'deadline-exceeded' });
      await Promise.all(adding);
    } finally {
      time.end();
    }
    expect(await names())
      .to.include('Mate')
      .and.not.include('Late');
    expect(await transactions('Last')).to.equal(1);
  });

  /** So late that a busy machine commits by then, and before anything that waits for a lock ends in a patient store. */
  const beforeTimeoutMs = 5_000;

  /** Opens the store with a longer timeout, so that those that wait go on doing so while others are committed. */
  const openPatient = async (): Promise<void> => {
    await postgres.store.close();
    postgres.store = await openPostgres({
      url: postgres.network.through(postgres.database.url),
      timeout: 10_000,
    });
  };
  const untilWaiting = (count: number) =>
    until(
      () => lockWaitsIn('postgres', postgres.database.url),
      (waits) => waits >= count,
    );

  /** @returns the rejection, or undefined until there is one */
  const rejected = (adding: Promise<void>): (() => unknown) => {
    let rejection: unknown;
    void rejectionOf(adding).then((error) => {
      rejection = error;
    });
    return () => rejection;
  };
  const known = (rejection: () => unknown) =>
    until(
      async () => rejection(),
      (error) => error !== undefined,
    );

  it('do not wait for others that wait for a lock', async () => {
    await openPatient();
    const [one, two] = [aProduct({ sku: newId() }), aProduct({ sku: newId() })];
    const holder = await postgres.holding(
      `${inserting({ ...one, id: newId() })}; ${inserting({ ...two, id: newId() })}`,
    );
    // Two groups, as many as may be on their way.
    const first = rejected(add(one));
    await untilWaiting(1);
    const second = rejected(add(two));
    await untilWaiting(2);
    for (let count = 0; count < 3; count += 1)
      await Promise.all(atOnce(3, () => add(aProduct(), beforeTimeoutMs)));
    expect([first(), second()]).to.deep.equal([undefined, undefined]);
    await holder.query('commit');
    for (const rejection of [first, second]) expect(await known(rejection)).to.include({ kind: 'conflict' });
  });

  it('wait together with none for a row that is being removed', async () => {
    await openPatient();
    const { user, order } = aPurchase();
    await run(({ users }) => users.add(user));
    const holder = await postgres.holding(`delete from users where id = '${user.id}'`);
    const referring = rejected(run(({ orders }) => orders.add(order)));
    await Promise.all(atOnce(5, () => add(aProduct(), beforeTimeoutMs)));
    await untilWaiting(1);
    expect(referring()).to.equal(undefined);
    await holder.query('commit');
    expect(await known(referring)).to.include({ name: 'ConstraintViolation' });
  });

  it('wait together for a lock for a twentieth of a second, and alone for as long as the store does', async () => {
    await postgres.database.query(
      'create table waits (of text); create function record() returns trigger language plpgsql as ' +
        "'begin insert into waits values (current_setting(''lock_timeout'')); return new; end'; " +
        'create trigger record before insert on products for each row execute function record()',
    );
    const product = aProduct();
    await add(product);
    await run(async ({ products }) => {
      await products.lock(product.id);
      await products.add(aProduct());
    });
    expect(await postgres.database.query('select of from waits')).to.deep.equal([
      { of: '50ms' },
      { of: '4s' },
    ]);
  });

  it('are unavailable, and are not tried again, when the connection breaks during their commit', async () => {
    const holder = await postgres.holding('select pg_advisory_xact_lock(1)');
    await postgres.database.query(
      'create function linger() returns trigger language plpgsql as ' +
        // No wait for a lock, which a group would give up.
        "'begin while not pg_try_advisory_xact_lock(1) loop perform pg_sleep(0.01); end loop; return null; end'; " +
        'create constraint trigger linger after insert on products deferrable initially deferred ' +
        'for each row execute function linger()',
    );
    const adding = atOnce(2, () => rejectionOf(add()));
    await until(
      () =>
        postgres.database.query(
          "select from pg_stat_activity where datname = current_database() and query = 'commit' and state = 'active'",
        ),
      ({ length }) => length === 1,
    );
    postgres.network.reset();
    // The server commits all the same: it was not asked to stop. A second try would meet the same rows.
    await holder.query('rollback');
    for (const rejection of await Promise.all(adding)) unavailable(rejection);
    await until(names, ({ length }) => length === 2);
  });
});
