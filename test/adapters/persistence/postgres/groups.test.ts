import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { Client } from 'pg';
import { openPostgres } from '#adapters/persistence/postgres/open.ts';
import type { Store } from '#adapters/persistence/store.ts';
import { readAll } from '#application/pages.ts';
import type { Repositories } from '#application/ports/repositories.ts';
import type { Work } from '#application/ports/unit-of-work.ts';
import { DomainError } from '#domain/errors.ts';
import { Product, type ProductId } from '#domain/product.ts';
import { Quantity } from '#domain/quantity.ts';
import { atOnce, rejectionOf } from '#test/contracts/harness.ts';
import { addPurchase, aProduct, aPurchase, aUser, later } from '#test/contracts/samples.ts';
import { Network } from '#test/support/network.ts';
import { type Database, freshDatabase } from '#test/support/postgres.ts';
import { unavailable } from '../transactions.ts';

describe('Units of work in PostgreSQL that arrive together', () => {
  let database: Database;
  let network: Network;
  let store: Store;
  beforeEach(async () => {
    database = await freshDatabase();
    network = await Network.to(database.url);
    store = await openPostgres({ url: network.through(database.url) });
  });
  afterEach(async () => {
    await store.close();
    await network.close();
    await database.drop();
  });

  const run = <T>(work: Work<T>, milliseconds = 60_000): Promise<T> =>
    store.unitOfWork.run(work, { actor: aUser().id, deadline: performance.now() + milliseconds });

  const added = async (product = aProduct()): Promise<Product> => {
    await store.unitOfWork.run(({ products }) => products.add(product));
    return product;
  };
  const find = (id: ProductId) => store.unitOfWork.read(({ products }) => products.find(id));

  const addOne = async ({ products }: Repositories, id: ProductId): Promise<void> => {
    const held = await products.lock(id);
    if (held === undefined) throw new Error('It was added before.');
    await products.save(Product.release(held, Quantity.of(1), later(1)));
  };

  it('are all committed', async () => {
    const all = Array.from({ length: 20 }, () => aProduct());
    await Promise.all(all.map((product) => run(({ products }) => products.add(product))));
    expect(await Promise.all(all.map(({ id }) => find(id)))).to.deep.equal(all);
  });

  it('run reads side by side that the work issues side by side', async () => {
    const product = await added();
    const user = aUser();
    await store.unitOfWork.run(({ users }) => users.add(user));
    const look: Work<unknown> = ({ products, users }) =>
      Promise.all([products.find(product.id), users.find(user.id)]);
    expect(await run(look)).to.deep.equal([product, user]);
  });

  it('are committed, except the one that takes too long', async () => {
    await database.query(
      "create function nap() returns trigger language plpgsql as 'begin perform pg_sleep(5); return new; end'; " +
        'create trigger nap before insert on products for each row ' +
        "when (new.name = 'Slow') execute function nap()",
    );
    const hasty = await openPostgres({ url: database.url, timeout: 300 });
    const all = ['Tea', 'Slow', 'Tea', 'Tea'].map((name) => aProduct({ name }));
    const context = { actor: aUser().id, deadline: performance.now() + 10_000 };
    const added = await Promise.allSettled(
      all.map((product) => hasty.unitOfWork.run(({ products }) => products.add(product), context)),
    );
    await hasty.close();
    expect(added.map(({ status }) => status)).to.deep.equal([
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
    ]);
  });

  it('are committed when another one throws', async () => {
    const cause = new DomainError('out-of-stock', 'No.');
    const gone = aProduct();
    const rejected = run(async ({ products }) => {
      await products.add(gone);
      throw cause;
    });
    await Promise.all([
      ...atOnce(5, () => run(({ products }) => products.add(aProduct()))),
      rejectionOf(rejected),
    ]);
    expect(await rejectionOf(rejected)).to.equal(cause);
    expect(await find(gone.id)).to.equal(undefined);
  });

  it('are committed, except the one that violates a constraint, whose error names it', async () => {
    await added(aProduct({ name: 'Coffee', sku: 'taken' }));
    const all = Array.from({ length: 5 }, () => aProduct());
    const rejected = rejectionOf(run(({ products }) => products.add(aProduct({ sku: 'taken' }))));
    await Promise.all([...all.map((product) => run(({ products }) => products.add(product))), rejected]);
    expect(await rejected).to.include({ kind: 'conflict' });
    expect(await Promise.all(all.map(({ id }) => find(id)))).to.deep.equal(all);
  });

  it('hold a lock one after the other', async () => {
    const { id } = await added(aProduct({ stock: Quantity.zero }));
    await Promise.all(atOnce(20, () => run((repositories) => addOne(repositories, id))));
    expect(await find(id)).to.include({ stock: Quantity.of(20), version: 21 });
  });

  it('pass a row on unchanged when they throw', async () => {
    const { id } = await added(aProduct({ stock: Quantity.zero }));
    const failing = run(async (repositories) => {
      await addOne(repositories, id);
      throw new Error('changed my mind');
    });
    await Promise.all([
      rejectionOf(failing),
      ...atOnce(3, () => run((repositories) => addOne(repositories, id))),
    ]);
    expect(await find(id)).to.include({ stock: Quantity.of(3), version: 4 });
  });

  it('read the writes of the one that held the lock before, in lists too', async () => {
    const { user, product, order, item } = aPurchase();
    await store.unitOfWork.run(async ({ users, products, orders }) => {
      await users.add(user);
      await products.add(product);
      await orders.add(order);
    });
    const adding = run(async ({ orders, orderItems }) => {
      await orders.lock(order.id);
      await orderItems.add(item);
    });
    const listing = run(async ({ orders, orderItems }) => {
      await orders.lock(order.id);
      const items = [];
      for await (const each of readAll(orderItems, { orderId: order.id })) items.push(each);
      return { items, one: await orderItems.find(item.id) };
    });
    await adding;
    expect(await listing).to.deep.equal({ items: [item], one: item });
  });

  it('wait for a lock outside the group only if they need that row', async () => {
    const { id } = await added(aProduct({ stock: Quantity.zero }));
    const holder = new Client({ connectionString: database.url });
    await holder.connect();
    await holder.query(`begin; select from products where id = '${id}' for update`);
    let isDone = false;
    const waiting = run((repositories) => addOne(repositories, id)).then(() => {
      isDone = true;
    });
    await Promise.all(atOnce(10, () => run(({ products }) => products.add(aProduct()))));
    expect(isDone).to.equal(false);
    await holder.query('commit');
    await holder.end();
    await waiting;
    expect(await find(id)).to.include({ stock: Quantity.of(1) });
  });

  it('all succeed though two lock the same two rows in opposite order', async () => {
    const [one, other] = [
      await added(aProduct({ stock: Quantity.zero })),
      await added(aProduct({ stock: Quantity.zero })),
    ];
    const inOrder = (ids: readonly ProductId[]) =>
      run(async (repositories) => {
        for (const id of ids) await addOne(repositories, id);
      });
    const begun = performance.now();
    await Promise.all([
      inOrder([one.id, other.id]),
      inOrder([other.id, one.id]),
      inOrder([one.id, other.id]),
    ]);
    expect(performance.now() - begun).to.be.below(2_000);
    for (const { id } of [one, other]) expect(await find(id)).to.include({ stock: Quantity.of(3) });
  });

  it('do not wait for one that waits outside the database', async () => {
    const gate = Promise.withResolvers<void>();
    const late = aProduct();
    const waiting = run(async ({ products }) => {
      await products.add(late);
      await gate.promise;
    });
    await Promise.all(atOnce(10, () => run(({ products }) => products.add(aProduct()))));
    expect(await find(late.id)).to.equal(undefined);
    gate.resolve();
    await waiting;
    expect(await find(late.id)).to.deep.equal(late);
  });

  it('are committed, except the one whose deadline has passed and those that have read its writes', async () => {
    const { id } = await added(aProduct({ stock: Quantity.zero }));
    const others = Array.from({ length: 3 }, () => aProduct());
    const hurried = rejectionOf(run((repositories) => addOne(repositories, id), 12));
    const behind = run((repositories) => addOne(repositories, id));
    const slow = run(async ({ products }) => {
      await products.add(aProduct());
      await pause(15);
    });
    await Promise.all([
      hurried,
      behind,
      slow,
      ...others.map((product) => run(({ products }) => products.add(product))),
    ]);
    unavailable(await hurried);
    expect(await find(id)).to.include({ stock: Quantity.of(1), version: 2 });
    expect(await Promise.all(others.map((product) => find(product.id)))).to.deep.equal(others);
  });

  it('are committed, except the one whose deadline passes while its writes wait for a lock', async () => {
    const [hurried, patient] = [aProduct(), aProduct()];
    const holder = new Client({ connectionString: database.url });
    await holder.connect();
    await holder.query('begin; lock table products');
    const adding = Promise.all([
      rejectionOf(run(({ products }) => products.add(hurried), 300)),
      run(({ products }) => products.add(patient)),
    ]);
    await pause(400);
    await holder.end();
    const [rejection] = await adding;
    unavailable(rejection);
    expect(await find(hurried.id)).to.equal(undefined);
    expect(await find(patient.id)).to.deep.equal(patient);
  });

  it('all fail as unavailable when the connection breaks in the middle, and nothing is committed', async () => {
    const all = Array.from({ length: 5 }, () => aProduct());
    const adding = all.map((product, index) =>
      run(async ({ products }) => {
        await products.find(product.id);
        await products.add(product);
        if (index === 3) network.reset();
      }),
    );
    for (const rejection of await Promise.all(adding.map(rejectionOf))) unavailable(rejection);
    for (const { id } of all) expect(await find(id)).to.equal(undefined);
  });

  it('do not fail for the writes of another one that are not committed', async () => {
    const { id } = await added(aProduct({ stock: Quantity.of(1) }));
    await database.query(
      'create function cut() returns trigger language plpgsql as ' +
        "'begin perform pg_terminate_backend(pg_backend_pid()); return null; end'; " +
        'create constraint trigger cut after update on products deferrable initially deferred ' +
        'for each row execute function cut()',
    );
    const takeOne = async ({ products }: Repositories) => {
      const held = await products.lock(id);
      if (held !== undefined) await products.save(Product.reserve(held, Quantity.of(1), later(1)));
    };
    for (const rejection of await Promise.all(atOnce(3, () => rejectionOf(run(takeOne)))))
      unavailable(rejection);
    await database.query('drop function cut cascade');
    expect(await find(id)).to.include({ stock: Quantity.of(1) });
  });

  for (const [when, timing] of [
    ['while it is written', ''],
    ['during the commit', 'deferrable initially deferred'],
  ]) {
    it(`all fail as unavailable when the connection breaks ${when}, and run only once`, async () => {
      const kind = timing === '' ? 'trigger' : 'constraint trigger';
      await database.query(
        'create function cut() returns trigger language plpgsql as ' +
          "'begin perform pg_terminate_backend(pg_backend_pid()); return null; end'; " +
          `create ${kind} cut after insert on products ${timing} for each row execute function cut()`,
      );
      let runs = 0;
      const adding = atOnce(5, () =>
        run(async ({ products }) => {
          runs += 1;
          await products.add(aProduct());
        }),
      );
      for (const rejection of await Promise.all(adding.map(rejectionOf))) unavailable(rejection);
      expect(runs).to.equal(5);
      await database.query('drop function cut cascade');
      expect(await database.query('select id from products')).to.deep.equal([]);
    });
  }

  it('run in transactions of their own when their group cannot commit', async () => {
    await database.query(
      'create function together() returns trigger language plpgsql as ' +
        "'begin if (select count(distinct id) from products where xmin::text = pg_current_xact_id()::text) > 1 then " +
        "raise exception serialization_failure; end if; return null; end'; " +
        'create constraint trigger together after insert on products deferrable initially deferred ' +
        'for each row execute function together()',
    );
    const all = Array.from({ length: 5 }, () => aProduct());
    await Promise.all(all.map((product) => run(({ products }) => products.add(product))));
    expect(await Promise.all(all.map(({ id }) => find(id)))).to.deep.equal(all);
  });

  it('are counted while they wait for a group', async () => {
    const gate = Promise.withResolvers<void>();
    const all = atOnce(200, () => run(() => gate.promise));
    await pause(5);
    store.queueDelay('change');
    await pause(5);
    expect(store.queueDelay('change')).to.be.above(0);
    gate.resolve();
    await Promise.all(all);
  });

  it('may add, change and remove the same rows', async () => {
    const purchases = Array.from({ length: 10 }, () => aPurchase());
    await Promise.all(
      purchases.map((purchase) => run((repositories) => addPurchase(repositories, purchase))),
    );
    await Promise.all(
      purchases.map(({ product, review, refund }) =>
        run(async ({ products, reviews, refunds }) => {
          await products.save(Product.change(product, { name: 'Green tea' }, later(1)));
          await reviews.remove(review.id);
          expect(await reviews.find(review.id)).to.equal(undefined);
          expect(await refunds.lock(refund.id)).to.deep.equal(refund);
        }),
      ),
    );
    for (const { product, order, review } of purchases) {
      const now = await store.unitOfWork.read(async ({ products, orders, reviews }) => ({
        name: (await products.find(product.id))?.name,
        order: await orders.find(order.id),
        review: await reviews.find(review.id),
      }));
      expect(now).to.deep.equal({ name: 'Green tea', order, review: undefined });
    }
  });
});
