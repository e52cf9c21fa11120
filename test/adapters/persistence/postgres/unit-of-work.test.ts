import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { Client } from 'pg';
import { openPostgres } from '#adapters/persistence/postgres/open.ts';
import type { Store } from '#adapters/persistence/store.ts';
import type { Work } from '#application/ports/unit-of-work.ts';
import { Product } from '#domain/product.ts';
import { atOnce, existing, rejectionOf } from '#test/contracts/harness.ts';
import { aProduct, aUser, later } from '#test/contracts/samples.ts';
import { type Database, freshDatabase } from '#test/support/postgres.ts';

describe('A unit of work in PostgreSQL', () => {
  let database: Database;
  let store: Store;
  const holders: Client[] = [];
  beforeEach(async () => {
    database = await freshDatabase();
    store = await openPostgres({ url: database.url, poolSize: 3 });
  });
  afterEach(async () => {
    await Promise.all(holders.splice(0).map((holder) => holder.end()));
    await store.close();
    await database.drop();
  });

  const run = <T>(work: Work<T>, milliseconds = 60_000): Promise<T> =>
    store.unitOfWork.run(work, { actor: aUser().id, deadline: performance.now() + milliseconds });

  const added = async (product = aProduct()): Promise<Product> => {
    await run(({ products }) => products.add(product));
    return product;
  };

  /** Another client, in a transaction that has locked the product. */
  const holding = async ({ id }: Product): Promise<Client> => {
    const holder = new Client({ connectionString: database.url });
    holders.push(holder);
    await holder.connect();
    await holder.query(`begin; select from products where id = '${id}' for update`);
    return holder;
  };

  const renamed = (product: Product) => Product.change(product, { name: 'Mate' }, later(1));

  /** More units of work and reads than there are connections; they fail when one is lost, or is left in a transaction. */
  const expectAllConnections = async (): Promise<void> => {
    const product = await added();
    const hold = () => run(async ({ products }) => existing(await products.lock(product.id)));
    const read = () => store.now();
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
    // Its response is still on the way.
    await pause(50);
    await expectAllConnections();
    const found = await store.unitOfWork.read(({ products }) => products.find(product.id));
    expect(found).to.include({ name: 'Tea', version: 7 });
  });
});
