import { expect } from 'chai';
import { openPostgres } from '#adapters/persistence/postgres/open.ts';
import type { Repositories } from '#application/ports/repositories.ts';
import { Product, type ProductId } from '#domain/product.ts';
import { Quantity } from '#domain/quantity.ts';
import { atOnce, existing, rejectionOf } from '#test/contracts/harness.ts';
import { aProduct, aUser, later } from '#test/contracts/samples.ts';
import { lockWaitsIn } from '#test/support/lock-waits.ts';
import { until } from '#test/support/until.ts';
import { unavailable } from '../transactions.ts';
import { postgresOfEachTest } from './opened.ts';

describe('Units of work in PostgreSQL that are committed at once', () => {
  const postgres = postgresOfEachTest();

  const run: typeof postgres.run = (...work) => postgres.run(...work);

  const add = (product: Product) => run(({ products }) => products.add(product));
  const find = (id: ProductId) => postgres.store.unitOfWork.read(({ products }) => products.find(id));

  /** The database acts before it inserts a product, or when that is committed. */
  const onInsert = async (act: string, when: 'at once' | 'at commit', condition = 'true'): Promise<void> => {
    const timing = when === 'at commit' ? 'deferrable initially deferred' : '';
    const kind = when === 'at commit' ? 'constraint trigger' : 'trigger';
    await postgres.database.query(
      `create function act() returns trigger language plpgsql as 'begin ${act}; return null; end'; ` +
        `create ${kind} act after insert on products ${timing} for each row when (${condition}) execute function act()`,
    );
  };

  for (const when of ['at once', 'at commit'] as const) {
    it(`are unavailable and run only once when the connection breaks: the outcome is unknown (${when})`, async () => {
      await onInsert('perform pg_terminate_backend(pg_backend_pid())', when);
      let runs = 0;
      const adding = atOnce(5, () =>
        run(async ({ products }) => {
          runs += 1;
          await products.add(aProduct());
        }),
      );
      for (const rejection of await Promise.all(adding.map(rejectionOf))) unavailable(rejection);
      expect(runs).to.equal(5);
      await postgres.database.query('drop function act cascade');
      expect(await postgres.database.query('select id from products')).to.deep.equal([]);
    });
  }

  it('run again when the commit of the first run fails to serialize', async () => {
    await postgres.database.query('create sequence tries');
    await onInsert(
      "if nextval(''tries'') <= 3 then raise exception serialization_failure; end if",
      'at commit',
    );
    const all = Array.from({ length: 3 }, () => aProduct());
    await Promise.all(all.map(add));
    expect(await Promise.all(all.map(({ id }) => find(id)))).to.deep.equal(all);
  });

  it('behind the lock of one whose connection breaks see nothing of it', async () => {
    const { id } = await postgres.store.unitOfWork.run(async ({ products }) => {
      const product = aProduct({ stock: Quantity.of(1) });
      await products.add(product);
      return product;
    });
    await onInsert('perform pg_terminate_backend(pg_backend_pid())', 'at commit');
    const takeOne =
      (whileLocked: (products: Repositories['products']) => Promise<void>) =>
      async ({ products }: Repositories) => {
        const held = existing(await products.lock(id));
        await whileLocked(products);
        await products.save(Product.reserve(held, Quantity.of(1), later(1)));
      };
    const { promise: behind, resolve: begin } = Promise.withResolvers<void>();
    const broken = rejectionOf(
      postgres.store.unitOfWork.run(
        takeOne(async (products) => {
          begin(postgres.store.unitOfWork.run(takeOne(async () => undefined)));
          await until(
            () => lockWaitsIn('postgres', postgres.database.url),
            (waits) => waits > 0,
          );
          await products.add(aProduct());
        }),
      ),
    );
    unavailable(await broken);
    await behind;
    expect(await find(id)).to.include({ stock: Quantity.zero, version: 2 });
  });

  it('are committed, except the one that takes too long', async () => {
    await onInsert('perform pg_sleep(60)', 'at once', "new.name = 'Slow'");
    const hasty = await openPostgres({ url: postgres.database.url, timeout: 1_000 });
    const all = ['Tea', 'Slow', 'Tea', 'Tea'].map((name) => aProduct({ name }));
    const context = { actor: aUser().id, deadline: performance.now() + 10_000 };
    const added = await Promise.allSettled(
      all.map((product) => hasty.unitOfWork.run(({ products }) => products.add(product), context)),
    );
    await hasty.close();
    const statuses = added.map(({ status }) => status);
    expect(statuses).to.deep.equal(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
  });

  it('are committed, except the one whose deadline passes while its writes wait for a lock', async () => {
    const [hurried, unhurried] = [aProduct(), aProduct()];
    const holder = await postgres.holding('lock table products');
    const rejected = rejectionOf(run(({ products }) => products.add(hurried), 300));
    const adding = add(unhurried);
    unavailable(await rejected);
    await holder.query('rollback');
    await adding;
    expect(await find(hurried.id)).to.equal(undefined);
    expect(await find(unhurried.id)).to.deep.equal(unhurried);
  });
});
