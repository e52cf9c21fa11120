import { expect } from 'chai';
import type { Caller } from '#application/preconditions.ts';
import type { Product } from '#domain/product.ts';
import { Quantity } from '#domain/quantity.ts';
import type { StockChange } from '#domain/stock-change.ts';
import { ofEachTest } from '../support/of-each-test.ts';
import { invalidFieldsOf, kindOf } from './error-kind.ts';
import { nowhere, page } from './fixture.ts';
import { aWorld } from './world.ts';

describe('Changes of a stock', () => {
  const world = ofEachTest(aWorld);
  let counted: Product;
  beforeEach(async () => {
    counted = await world.product({ stock: 10 });
  });

  const change = (
    { id: productId }: Pick<Product, 'id'>,
    by: number,
    reason: string | null = null,
    caller: Caller = world.staff,
  ): Promise<StockChange> =>
    world.run(world.useCases.stockChanges.create, caller, { productId, change: Quantity.of(by), reason });

  const changes = async (filter: { readonly productId?: Product['id'] } = {}) =>
    (await world.read(world.useCases.stockChanges.list, world.staff, { filter, page })).rows;

  it('add to what is left, or remove from it, and are recorded with the product’s next version', async () => {
    const broken = await change(counted, -2.5, 'Broken');
    expect(broken).to.deep.include({
      ...{ productId: counted.id, change: -2500, reason: 'Broken', stockAfter: 7500, version: 1 },
    });
    expect(await world.current('products', counted)).to.include({ stock: 7500, version: 2 });
    expect(await world.find('stockChanges', broken)).to.deep.equal(broken);
    const delivered = await change(counted, 20);
    expect(await world.stockOf(counted)).to.equal(27.5);
    expect(await changes()).to.deep.equal([broken, delivered]);
    expect(await world.read(world.useCases.stockChanges.get, world.staff, broken.id)).to.deep.equal(broken);
  });

  it('are found by product', async () => {
    const other = await world.product({ stock: 1 });
    const [one] = [await change(counted, 1), await change(other, 1)];
    expect(await changes({ productId: counted.id })).to.deep.equal([one]);
    expect(await changes({ productId: nowhere() })).to.deep.equal([]);
  });

  it('are made and read by staff and administrators, and by no customer', async () => {
    const { id } = await change(counted, 1, null, world.admin);
    const { list, get } = world.useCases.stockChanges;
    expect(await kindOf(change(counted, 1, null, world.ada))).to.equal('forbidden');
    expect(await kindOf(world.read(list, world.ada, { filter: {}, page }))).to.equal('forbidden');
    expect(await kindOf(world.read(get, world.ada, id))).to.equal('forbidden');
  });

  it('need a product that exists, then a counted stock, then enough of it', async () => {
    expect(await kindOf(change({ id: nowhere() }, 1))).to.equal('product-not-found');
    expect(await kindOf(change(await world.product(), 1))).to.equal('invalid-state');
    expect(await kindOf(change(counted, -10.001))).to.equal('out-of-stock');
    expect(await invalidFieldsOf(change(counted, 999_990.001))).to.deep.equal(['change']);
    expect(await changes()).to.deep.equal([]);
    expect(await world.current('products', counted)).to.deep.equal(counted);
  });

  it('cannot take what orders have reserved', async () => {
    await world.order(world.ada, counted, 8);
    expect(await kindOf(change(counted, -3))).to.equal('out-of-stock');
    await change(counted, -2);
    expect(await world.stockOf(counted)).to.equal(0);
  });

  it('outlive their product', async () => {
    const made = await change(counted, 1);
    await world.removeProduct(counted);
    expect(await changes({ productId: counted.id })).to.deep.equal([made]);
    expect(await kindOf(change(counted, 1))).to.equal('product-not-found');
  });

  it('are recorded by nothing else: not by orders, refunds, changes of the product and imports', async () => {
    const { payment } = await world.purchase(counted, 2);
    await world.refund(world.staff, payment);
    await world.become(world.ada, await world.order(world.ada, counted, 1), 'canceled');
    const sold = await world.changeProduct(counted, { stock: 3, sku: 'tea' });
    const imported = { sku: 'tea', name: sold.name, price: sold.price, stock: Quantity.of(5) };
    await world.run(world.useCases.products.upsert, world.staff, [imported]);
    expect(await world.stockOf(counted)).to.equal(5);
    expect(await changes()).to.deep.equal([]);
  });

  it('are made once for a key, and a shortage is stored with it', async () => {
    const { create } = world.useCases.stockChanges;
    const input = { productId: counted.id, change: Quantity.of(-10), reason: null };
    await world.send(create, world.staff, input, 'k-1');
    expect(await world.send(create, world.staff, input, 'k-1')).to.have.property('replayed');
    expect(await world.stockOf(counted)).to.equal(0);
    await world.send(create, world.staff, input, 'k-2');
    await change(counted, 100);
    expect(await world.send(create, world.staff, input, 'k-2')).to.deep.equal({ replayed: 'out-of-stock' });
    expect(await world.stockOf(counted)).to.equal(100);
  });
});
