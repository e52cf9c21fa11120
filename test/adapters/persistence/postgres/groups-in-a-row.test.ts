import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { Client } from 'pg';
import { openPostgres } from '#adapters/persistence/postgres/open.ts';
import type { Store } from '#adapters/persistence/store.ts';
import type { Repositories } from '#application/ports/repositories.ts';
import type { Work } from '#application/ports/unit-of-work.ts';
import { Product, type ProductId } from '#domain/product.ts';
import { Quantity } from '#domain/quantity.ts';
import { aProduct, aUser, later } from '#test/contracts/samples.ts';
import { type Database, freshDatabase } from '#test/support/postgres.ts';

describe('Units of work in PostgreSQL, in consecutive groups', () => {
  let database: Database;
  let store: Store;
  before(async () => {
    database = await freshDatabase();
    store = await openPostgres({ url: database.url });
    // A commit that adds a user takes long.
    await database.query(
      "create function nap() returns trigger language plpgsql as 'begin perform pg_sleep(0.2); return null; end'; " +
        'create constraint trigger nap after insert on users deferrable initially deferred ' +
        'for each row execute function nap()',
    );
  });
  after(async () => {
    await store.close();
    await database.drop();
  });

  const run = <T>(work: Work<T>): Promise<T> =>
    store.unitOfWork.run(work, { actor: aUser().id, deadline: performance.now() + 60_000 });

  const added = async (): Promise<ProductId> => {
    const product = aProduct({ stock: Quantity.zero });
    await store.unitOfWork.run(({ products }) => products.add(product));
    return product.id;
  };

  const addOne = async ({ products }: Repositories, id: ProductId): Promise<Product> => {
    const held = await products.lock(id);
    if (held === undefined) throw new Error('It was added before.');
    const after = Product.release(held, Quantity.of(1), later(1));
    await products.save(after);
    return after;
  };

  it('lock the row as the last group left it, though they have read an earlier state', async () => {
    const [one, other, wanted] = [await added(), await added(), await added()];
    let runs = 0;
    const holdingFirst = (id: ProductId) =>
      run(async (repositories) => {
        runs += 1;
        await repositories.products.lock(id);
        return addOne(repositories, wanted);
      });
    const all = await Promise.all([holdingFirst(one), holdingFirst(other), holdingFirst(one)]);
    expect(all.map(({ version }) => version)).to.deep.equal([2, 3, 4]);
    expect(runs).to.equal(3);
  });

  it('wait for the locks of earlier groups for as long as those take, whatever else they wait for', async () => {
    const [one, other] = [await added(), await added()];
    let runs = 0;
    const before = run(async (repositories) => {
      await repositories.users.add(aUser());
      return addOne(repositories, other);
    });
    const holdingBoth = (milliseconds: number) =>
      run(async (repositories) => {
        runs += 1;
        await addOne(repositories, one);
        await pause(milliseconds);
        return addOne(repositories, other);
      });
    await pause(5);
    const all = await Promise.all([before, holdingBoth(5), holdingBoth(0)]);
    expect(all.map(({ version }) => version)).to.deep.equal([2, 3, 4]);
    expect(runs).to.equal(2);
  });

  it('keep no earlier group in memory', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage: () => void = runInNewContext('gc');
    const holder = new Client({ connectionString: database.url });
    await holder.connect();
    await holder.query('begin; lock table products');
    const before = (() => {
      const work: Work<void> = ({ users }) => users.add(aUser());
      return { work: new WeakRef(work), done: run(work) };
    })();
    await pause(5);
    const waiting = run(({ products }) => products.add(aProduct()));
    await before.done;
    await pause(5);
    collectGarbage();
    const kept = before.work.deref();
    await holder.end();
    await waiting;
    expect(kept).to.equal(undefined);
  });
});
