import { expect } from 'chai';
import { openPostgres } from '#adapters/persistence/postgres/open.ts';
import type { Store } from '#adapters/persistence/store.ts';
import type { Work } from '#application/ports/unit-of-work.ts';
import { Product } from '#domain/product.ts';
import { Quantity } from '#domain/quantity.ts';
import { atOnce, rejectionOf } from '#test/contracts/harness.ts';
import { addPurchase, aProduct, aPurchase, aUser, later } from '#test/contracts/samples.ts';
import { Network } from '#test/support/network.ts';
import { type Database, freshDatabase } from '#test/support/postgres.ts';

describe('Group commit on PostgreSQL', () => {
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

  /** How many transactions inserted or updated the products with this name. */
  const transactions = async (name = 'Tea') => {
    const rows = await database.query(`select distinct xmin::text from products where name = '${name}'`);
    return rows.length;
  };

  it('commits units of work that arrive together in one transaction', async () => {
    await Promise.all(atOnce(20, () => run(({ products }) => products.add(aProduct()))));
    expect(await transactions()).to.equal(1);
  });

  it('sends the reads of a unit with its begin, and the commit in a second exchange', async () => {
    const product = aProduct();
    const user = aUser();
    await store.unitOfWork.run(async ({ products, users }) => {
      await products.add(product);
      await users.add(user);
    });
    const look: Work<unknown> = ({ products, users }) =>
      Promise.all([products.find(product.id), users.find(user.id)]);
    await run(look);
    const before = network.sent;
    await run(look);
    expect(network.sent - before).to.equal(2);
  });

  it('still commits the others in one transaction when one of them throws', async () => {
    const failing = run(async ({ products }) => {
      await products.add(aProduct());
      throw new Error('changed my mind');
    });
    await Promise.all([
      ...atOnce(5, () => run(({ products }) => products.add(aProduct()))),
      rejectionOf(failing),
    ]);
    expect(await transactions()).to.equal(1);
  });

  it('writes a row once that many units of a group change one after the other', async () => {
    const product = aProduct({ stock: Quantity.zero });
    await store.unitOfWork.run(({ products }) => products.add(product));
    const addOne: Work<void> = async ({ products }) => {
      const held = await products.lock(product.id);
      if (held !== undefined) await products.save(Product.release(held, Quantity.of(1), later(1)));
    };
    await Promise.all(atOnce(20, () => run(addOne)));
    // The second place of the first page: the row was inserted, then updated once.
    expect(await database.query('select ctid::text from products')).to.deep.equal([{ ctid: '(0,2)' }]);
  });

  it('commits inserts, updates and deletes of many units in one transaction', async () => {
    const purchases = Array.from({ length: 10 }, () => aPurchase());
    await Promise.all(
      purchases.map((purchase) => run((repositories) => addPurchase(repositories, purchase))),
    );
    await Promise.all(
      purchases.map(({ product, review }) =>
        run(async ({ products, reviews }) => {
          await products.save(Product.change(product, { name: 'Green tea' }, later(1)));
          await reviews.remove(review.id);
        }),
      ),
    );
    expect(await transactions('Green tea')).to.equal(1);
  });

  it('falls back to a transaction for each unit when the group cannot be committed', async () => {
    await database.query(
      'create function together() returns trigger language plpgsql as ' +
        "'begin if (select count(distinct id) from products where xmin::text = pg_current_xact_id()::text) > 1 then " +
        "raise exception serialization_failure; end if; return null; end'; " +
        'create constraint trigger together after insert on products deferrable initially deferred ' +
        'for each row execute function together()',
    );
    await Promise.all(atOnce(5, () => run(({ products }) => products.add(aProduct()))));
    expect(await transactions()).to.equal(5);
  });
});
