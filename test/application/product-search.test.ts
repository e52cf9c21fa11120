import { expect } from 'chai';
import { reindexer, reindexIntervalMs } from '#application/jobs/product-index.ts';
import type { ListProducts } from '#application/use-cases/products.ts';
import { Product } from '#domain/product.ts';
import { Search } from '#domain/search.ts';
import { aProduct } from '../contracts/samples.ts';
import { ofEachTest } from '../support/of-each-test.ts';
import { invalidFieldsOf } from './error-kind.ts';
import { page } from './fixture.ts';
import { aWorld } from './world.ts';

describe('A search for products', () => {
  const world = ofEachTest(aWorld);

  const find = async (filter: ListProducts['filter'], caller = world.staff): Promise<string[]> => {
    const { rows } = await world.read(world.useCases.products.list, caller, { filter, page });
    return rows.map(({ name }) => name);
  };
  const everyWord = () => world.unitOfWork.read(({ productWords }) => productWords.between({}));

  it('finds products by the words of name, SKU, description and tags', async () => {
    await world.product({ name: 'Tea', sku: 'GRN-500', description: 'From Kyōto', tags: ['single-origin'] });
    await world.product({ name: 'Teapot' });
    expect(await find({ q: 'tea' })).to.deep.equal(['Tea', 'Teapot']);
    for (const q of ['tea grn', 'KYOTO', '500', 'origin tea'])
      expect(await find({ q }), q).to.deep.equal(['Tea']);
    expect(await find({ q: 'tea coffee' })).to.deep.equal([]);
  });

  it('finds products by a tag, and by all at once', async () => {
    await world.product({ name: 'Tea', tags: ['green', 'loose'] });
    await world.product({ name: 'Tea', tags: ['green-tea'], sku: 'B' });
    await world.product({ name: 'Mate', tags: ['green'], status: 'draft' });
    expect(await find({ tag: 'green' })).to.deep.equal(['Tea', 'Mate']);
    expect(await find({ tag: 'green', status: 'draft' })).to.deep.equal(['Mate']);
    expect(await find({ tag: 'green', q: 'te' })).to.deep.equal(['Tea']);
    expect(await find({ tag: 'green-tea', q: 'te', sku: 'B', status: 'active' })).to.deep.equal(['Tea']);
  });

  it('shows customers active products only', async () => {
    await world.product({ name: 'Tea 1' });
    await world.product({ name: 'Tea 2', status: 'draft' });
    expect(await find({ q: 'tea' }, world.ada)).to.deep.equal(['Tea 1']);
    expect(await find({ q: 'tea', status: 'draft' }, world.ada)).to.deep.equal([]);
  });

  it('rejects what has no word, or too many', async () => {
    for (const q of ['', '%', 'a b c d e f g h i'])
      expect(await invalidFieldsOf(find({ q })), q).to.deep.equal(['q']);
    expect(await invalidFieldsOf(find({ tag: 'Green' }))).to.deep.equal(['tag']);
  });

  it('follows what changes', async () => {
    const tea = await world.product({ name: 'Tea', tags: ['green'] });
    await world.changeProduct(tea, { name: 'Mate', tags: ['dry'], description: 'Smoked' });
    expect(await find({ q: 'tea' })).to.deep.equal([]);
    expect(await find({ tag: 'green' })).to.deep.equal([]);
    for (const q of ['mate', 'smoked', 'dry']) expect(await find({ q })).to.deep.equal(['Mate']);
    await world.removeProduct(tea);
    expect(await everyWord()).to.deep.equal([]);
  });

  it('follows imports', async () => {
    const imported = (name: string, sku: string) => ({ name, sku, price: { amount: 1, currency: 'EUR' } });
    const upsert = (...list: ReturnType<typeof imported>[]) =>
      world.run(world.useCases.products.upsert, world.staff, list);
    await upsert(imported('Tea', 'A'), imported('Mate', 'B'));
    await upsert(imported('Green tea', 'A'), imported('Cocoa', 'C'));
    await world.run(world.useCases.products.insertMissing, world.staff, [imported('Teapot', 'D')]);
    expect(await find({ q: 'tea' })).to.deep.equal(['Green tea', 'Teapot']);
    expect(await find({ q: 'green' })).to.deep.equal(['Green tea']);
    expect(await find({ q: 'co' })).to.deep.equal(['Cocoa']);
  });

  it('costs an order and a change of other fields no write of words', async () => {
    const tea = await world.product({ name: 'Tea', stock: 5 });
    // Other words than those of the texts would be replaced.
    const words = { productId: tea.id, words: new Set(['x']) };
    await world.unitOfWork.run(({ productWords }) => productWords.replace([words]));
    await world.order(world.ada, tea);
    await world.changeProduct(tea, { status: 'archived', price: { amount: 2, currency: 'EUR' } });
    expect(await everyWord()).to.deep.equal([words]);
  });

  describe('of products without words', () => {
    const job = () => world.backgroundJobs.reindexProducts();
    /** As a process of an earlier release adds and changes products. */
    const addUnindexed = async (count: number): Promise<readonly Product[]> => {
      const products = Array.from({ length: count }, (_, index) => aProduct({ name: `Tea ${index}` }));
      await world.unitOfWork.run((repositories) => repositories.products.addAll(products));
      return products;
    };
    const indexed = async () => {
      const { rows } = await world.unitOfWork.read(({ products }) => products.page({}, { limit: 5_000 }));
      expect(await everyWord()).to.deep.equal(
        rows.map((product) => ({ productId: product.id, words: Search.wordsOf(product) })),
      );
    };

    it('is made good by the job, and only of those', async () => {
      await world.product({ name: 'Mate' });
      const [first] = await addUnindexed(120);
      if (first === undefined) throw new Error('There are some.');
      expect(await find({ q: 'tea' })).to.deep.equal([]);
      expect(await job()).to.deep.equal({ done: 120, errors: [] });
      await indexed();
    });

    it('is made good by the job after a start where an earlier release had other words', async () => {
      const shirt = await world.product({ name: 'Men’s Øre-shirt' });
      const earlier = new Set(['men', 's', 'øre', 'shirt']);
      await world.unitOfWork.run(({ productWords }) =>
        productWords.replace([{ productId: shirt.id, words: earlier }]),
      );
      expect(await find({ q: 'mens' })).to.deep.equal([]);
      expect((await job()).done).to.equal(1);
      for (const q of ['mens', 'ore', 'oreshirt']) expect(await find({ q }), q).to.have.lengthOf(1);
    });

    it('is made good again for what an earlier release changes and removes, an hour later', async () => {
      const [first, second] = await addUnindexed(2);
      if (first === undefined || second === undefined) throw new Error('There are two.');
      await job();
      await world.unitOfWork.run(async ({ products }) => {
        await products.save(Product.change(first, { name: 'Mate' }, world.clock.now()));
        await products.remove(second.id);
      });
      world.clock.pass(reindexIntervalMs - 1);
      expect((await job()).done).to.equal(0);
      world.clock.pass(1);
      expect((await job()).done).to.equal(2);
      await indexed();
      expect((await job()).done).to.equal(0);
    });

    it('goes on in the next run where there are many, and stops early when it is told to', async () => {
      await addUnindexed(2_300);
      expect((await world.backgroundJobs.reindexProducts(AbortSignal.abort())).done).to.equal(0);
      expect((await job()).done).to.equal(2_000);
      expect((await job()).done).to.equal(300);
      await indexed();
    });

    it('loses no change that comes between the comparison and the lock', async () => {
      const [tea] = await addUnindexed(1);
      if (tea === undefined) throw new Error('There is one.');
      const { unitOfWork } = world;
      await reindexer({
        read: unitOfWork.read.bind(unitOfWork),
        run: async (work) => {
          await world.changeProduct(tea, { name: 'Mate' });
          return unitOfWork.run(work);
        },
      })(undefined);
      await indexed();
      expect(await find({ q: 'mate' })).to.deep.equal(['Mate']);
    });
  });
});
