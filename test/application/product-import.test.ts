import { expect } from 'chai';
import type { ListedProduct } from '#application/use-cases/product-import.ts';
import type { Product } from '#domain/product.ts';
import { Quantity } from '#domain/quantity.ts';
import { kindOf } from './refused.ts';
import { euros, page } from './stage.ts';
import { aWorld, type World } from './world.ts';

describe('Products brought in from a list', () => {
  let world: World;
  beforeEach(async () => {
    world = await aWorld();
  });

  const bringIn = (...list: readonly ListedProduct[]) =>
    world.run(world.useCases.products.bringIn, world.staff, list);

  const all = async (): Promise<readonly Product[]> =>
    (await world.read(world.useCases.products.list, world.staff, { filter: {}, page })).rows;

  const tea: ListedProduct = { sku: 'T', name: 'Tea', price: euros(350) };
  const mate: ListedProduct = { sku: 'M', name: 'Mate', price: euros(400), status: 'draft' };
  const none = { added: 0, changed: 0, unchanged: 0, refused: new Map() };

  it('are added where they are not known, with what is usual where the list says nothing', async () => {
    expect(await bringIn(tea, mate)).to.deep.equal({ ...none, added: 2 });
    const [first, second] = await all();
    const usual = { description: null, stock: null, version: 1 };
    expect(first).to.deep.include({ ...tea, ...usual, status: 'active' });
    expect(second).to.deep.include({ ...mate, ...usual });
  });

  it('change what is known by its sku, and leave alone what the list says nothing of', async () => {
    const product = await world.product({
      ...{ sku: 'T', description: 'Green', status: 'archived', stock: Quantity.of(3) },
    });
    expect(await bringIn({ ...tea, name: 'Green tea' })).to.deep.equal({ ...none, changed: 1 });
    const renamed = { name: 'Green tea', price: euros(350), version: 2 };
    expect(await world.current('products', product)).to.deep.equal({ ...product, ...renamed });
    await bringIn({ ...tea, name: 'Green tea', description: null, status: 'active', stock: null });
    const after = await world.current('products', product);
    expect(after).to.deep.include({ description: null, status: 'active', stock: null, version: 3 });
  });

  it('change nothing when they are brought in again', async () => {
    await bringIn(tea, mate);
    const before = await all();
    expect(await bringIn(tea, mate)).to.deep.equal({ ...none, unchanged: 2 });
    expect(await all()).to.deep.equal(before);
  });

  it('leave alone whatever is there when they are to fill up only', async () => {
    const product = await world.product({ sku: 'T', name: 'Mine', stock: Quantity.of(3) });
    const { fillUp } = world.useCases.products;
    const filled = await world.run(fillUp, world.staff, [tea, mate]);
    expect(filled).to.deep.equal({ ...none, added: 1, unchanged: 1 });
    expect(await world.current('products', product)).to.deep.equal(product);
    expect((await all()).map(({ sku }) => sku)).to.deep.equal(['T', 'M']);
  });

  it('keep nothing else out when one breaks a rule', async () => {
    await bringIn(tea);
    const list = [{ ...tea, name: '' }, mate, { ...mate, sku: 'N', name: 'x'.repeat(201) }];
    const { refused, ...counts } = await bringIn(...list);
    expect(counts).to.deep.equal({ added: 1, changed: 0, unchanged: 0 });
    expect([...refused.keys()]).to.deep.equal(['T', 'N']);
    expect([...refused.values()].map(({ faults }) => faults.map(({ field }) => field))).to.deep.equal([
      ['name'],
      ['name'],
    ]);
    expect((await all()).map(({ name }) => name)).to.deep.equal(['Tea', 'Mate']);
  });

  it('notice each single difference', async () => {
    const whole = { ...tea, description: null, status: 'active', stock: null } as const;
    await bringIn(whole);
    const differences = [
      { name: 'Green' },
      { price: euros(351) },
      { price: { amount: 351, currency: 'USD' } },
      { description: '' },
      { status: 'draft' },
      { stock: Quantity.none },
    ] as const;
    for (const difference of differences) {
      const { changed } = await bringIn({ ...tea, ...difference });
      expect(changed, JSON.stringify(difference)).to.equal(1);
    }
  });

  it('are for staff to bring in', async () => {
    const { bringIn: useCase } = world.useCases.products;
    expect(await kindOf((async () => world.run(useCase, world.ada, [tea]))())).to.equal('forbidden');
  });
});
