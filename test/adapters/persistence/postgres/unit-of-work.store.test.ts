import { expect } from 'chai';
import type { Client } from 'pg';
import { openPostgres } from '#adapters/persistence/postgres/open.ts';
import type { Repositories } from '#application/ports/repositories.ts';
import { Product } from '#domain/product.ts';
import { atOnce, existing, rejectionOf } from '#test/contracts/harness.ts';
import { aProduct, later } from '#test/contracts/samples.ts';
import { lockWaitsIn } from '#test/support/lock-waits.ts';
import { newId } from '#test/support/machine.ts';
import { SimulatedTime } from '#test/support/simulated-time.ts';
import { until } from '#test/support/until.ts';
import { unavailable } from '../transactions.ts';
import { postgresBehindNetwork } from './opened.ts';

describe('A unit of work in PostgreSQL', () => {
  const postgres = postgresBehindNetwork({ poolSize: 3 });

  const run: typeof postgres.run = (...work) => postgres.run(...work);

  const added = async (product = aProduct()): Promise<Product> => {
    await run(({ products }) => products.add(product));
    return product;
  };

  /** Another client, in a transaction that has locked the product. */
  const holding = ({ id }: Product): Promise<Client> =>
    postgres.holding(`select from products where id = '${id}' for update`);

  const untilLocked = () =>
    until(
      () => lockWaitsIn('postgres', postgres.database.url),
      (waits) => waits > 0,
    );

  const renamed = (product: Product) => Product.change(product, { name: 'Mate' }, later(1));

  /** As many of each kind as there are connections: some fail when one is lost, or is left in a transaction. */
  const expectAllConnections = async (): Promise<void> => {
    const product = await added();
    const hold = () => run(async ({ products }) => existing(await products.lock(product.id)));
    const read = () => postgres.store.now();
    await Promise.all([
      ...atOnce(6, hold),
      ...atOnce<unknown>(6, read),
      ...atOnce<unknown>(6, () => added()),
    ]);
  };

  it('whose commit is abandoned returns its connection in no transaction, though a write fails later', async () => {
    const product = await added();
    const holder = await holding(product);
    for (let count = 0; count < 3; count += 1) {
      const rejection = await rejectionOf(run(({ products }) => products.save(renamed(product)), 200));
      expect(rejection).to.include({ kind: 'unavailable', reason: 'deadline-exceeded' });
    }
    await holder.query(`update products set version = 7 where id = '${product.id}'; commit`);
    await expectAllConnections();
    const found = await postgres.store.unitOfWork.read(({ products }) => products.find(product.id));
    expect(found).to.include({ name: 'Tea', version: 7 });
  });

  it('whose deadline passes during its commit is not canceled: it may be committed', async () => {
    await postgres.database.query(
      'create function linger() returns trigger language plpgsql as ' +
        "'begin perform pg_advisory_xact_lock(1); return null; end'; " +
        'create constraint trigger linger after insert on products deferrable initially deferred ' +
        'for each row execute function linger()',
    );
    const holder = await holding(await added());
    await holder.query('select pg_advisory_xact_lock(1)');
    const time = new SimulatedTime();
    try {
      const adding = run(async ({ products }) => {
        // With a lock it shares no commit, so that it waits alone.
        await products.lock(newId());
        await products.add(aProduct());
      }, 4_000);
      const rejection = rejectionOf(adding);
      await untilLocked();
      await time.pass(4_300);
      expect(await rejection).to.include({ kind: 'unavailable', reason: 'deadline-exceeded' });
    } finally {
      time.end();
    }
    // A request to cancel it would arrive meanwhile.
    for (let count = 0; count < 5; count += 1)
      expect(await lockWaitsIn('postgres', postgres.database.url)).to.equal(1);
    await holder.query('rollback');
    await until(
      () => postgres.database.query('select from products'),
      ({ length }) => length === 2,
    );
    await postgres.database.query('drop function linger cascade');
    await expectAllConnections();
  });

  const failures: Readonly<Record<string, (product: Product) => Promise<unknown>>> = {
    'throws at once': () =>
      run(() => {
        throw new RangeError('changed my mind');
      }),
    'throws behind a lock, while a read that it does not await is under way': ({ id }) =>
      run(async ({ products }) => {
        await products.lock(id);
        await products.add(aProduct({ name: 'Behind' }));
        products.find(id).catch(() => undefined);
        throw new RangeError('changed my mind');
      }),
    'violates a constraint': (product) => run(({ products }) => products.add(product)),
    'violates a constraint, catches the error and goes on': (product) =>
      run(async ({ products }) => {
        await products.add(product);
        await products.find(product.id).catch(() => undefined);
        await products.add(aProduct({ name: 'Behind' }));
      }),
    'is always too late for a version': (product) =>
      run(({ products }) => products.save({ ...renamed(product), version: 7 })),
    'waits for a lock until its deadline': async (product) => {
      const holder = await holding(product);
      const failing = run(({ products }) => products.lock(product.id), 100);
      await failing.finally(() => holder.query('rollback'));
    },
    'waits for its turn until its deadline': async ({ id }) => {
      const isLate = Promise.withResolvers<void>();
      const first = run(async ({ products }) => {
        await products.lock(id);
        await isLate.promise;
      });
      const failing = run(({ products }) => products.lock(newId()), 100);
      await failing.finally(() => isLate.resolve()).finally(() => first);
    },
    'loses its connection': ({ id }) =>
      run(async ({ products }) => {
        await products.lock(id);
        postgres.network.reset();
        await products.add(aProduct({ name: 'Behind' }));
      }),
    'loses its connection while a lock is awaited': async (product) => {
      const holder = await holding(product);
      const failing = rejectionOf(run(({ products }) => products.lock(product.id)));
      await untilLocked();
      postgres.network.reset();
      unavailable(await failing);
      await holder.query('rollback');
    },
    'finds no server': async ({ id }) => {
      await postgres.network.refuse();
      const failing = rejectionOf(run(({ products }) => products.lock(id)));
      await failing.finally(() => postgres.network.pass());
    },
    'is terminated by the server': ({ id }) =>
      run(async ({ products }) => {
        await products.lock(id);
        await postgres.database.query(
          'select pg_terminate_backend(pid) from pg_stat_activity ' +
            "where datname = current_database() and state = 'idle in transaction'",
        );
        await products.add(aProduct({ name: 'Behind' }));
      }),
  };

  for (const [how, fail] of Object.entries(failures)) {
    it(`that does not end well commits nothing, and returns its connection and its turn (${how})`, async () => {
      const product = await added();
      for (let count = 0; count < 4; count += 1) await fail(product).catch(() => undefined);
      // Broken connections that were idle are noticed by the next to use them.
      await Promise.all(atOnce(3, () => postgres.store.now().catch(() => undefined)));
      await expectAllConnections();
      expect(await postgres.database.query("select from products where name = 'Behind'")).to.deep.equal([]);
    });
  }

  it('that catches the error of a change fails with that error all the same, and is not run again', async () => {
    const { sku } = await added(aProduct({ sku: newId() }));
    let runs = 0;
    const catching = run(async ({ products }) => {
      runs += 1;
      await products.add(aProduct({ sku }));
      await products.findBy('sku', ['other']).catch(() => undefined);
    });
    expect(await rejectionOf(catching)).to.include({ kind: 'conflict' });
    expect(runs).to.equal(1);
    await expectAllConnections();
  });

  it('rejects everything that is called after its end, and sends nothing', async () => {
    const product = await added();
    let late: Repositories['products'] | undefined;
    await run(async ({ products }) => {
      late = products;
      await products.lock(product.id);
    });
    const to = existing(late);
    const calls = [
      () => to.find(product.id),
      () => to.lock(product.id),
      () => to.findBy('sku', ['a']),
      () => to.page({}, { limit: 1 }),
      () => to.add(aProduct()),
      () => to.addAll([aProduct()]),
      () => to.save(renamed(product)),
      () => to.saveAll([renamed(product)]),
      () => to.remove(product.id),
    ];
    for (const call of calls) {
      expect(await rejectionOf(call())).to.include({ message: 'The unit of work has ended.' });
    }
    expect(
      await postgres.store.unitOfWork.read(({ products }) => products.page({}, { limit: 5 })),
    ).to.deep.equal({
      ...{ rows: [product], hasMore: false },
    });
  });

  it('that the store closes under is committed, or is unavailable; nothing else, and the store closes', async () => {
    const product = await added();
    const names = new Set<string>();
    const change = async (index: number): Promise<void> => {
      const made = aProduct({ name: `made ${index}` });
      await run(async ({ products }) => {
        if (index % 3 === 0) await products.lock(product.id);
        await products.add(made);
        if (index % 3 === 1) await products.find(made.id);
      });
      names.add(made.name);
    };
    const all = atOnce(60, (index) => change(index));
    const reading = atOnce(20, () =>
      postgres.store.unitOfWork.read(({ products }) => products.find(product.id)),
    );
    const settled = Promise.allSettled([...all, ...reading]);
    await until(
      async () => names.size,
      (committed) => committed > 0,
    );
    await postgres.store.close();
    for (const one of await settled) if (one.status === 'rejected') unavailable(one.reason);
    const kept = await postgres.database.query('select name from products');
    expect(kept.map(({ name }) => name)).to.include.members([...names]);
  });

  it('that never ends keeps the store from closing for two seconds at most', async () => {
    const product = await added();
    const isLocked = Promise.withResolvers<void>();
    const own = await openPostgres({ url: postgres.database.url });
    const endless = own.unitOfWork.run(async ({ products }) => {
      await products.lock(product.id);
      isLocked.resolve();
      await new Promise(() => undefined);
    });
    endless.catch(() => undefined);
    await isLocked.promise;
    const time = new SimulatedTime();
    try {
      let isClosed = false;
      const closing = own.close().then(() => {
        isClosed = true;
      });
      await time.pass(1_990, 5);
      expect(isClosed).to.equal(false);
      await time.pass(20, 5);
      expect(isClosed).to.equal(true);
      await closing;
    } finally {
      time.end();
    }
  });
});
