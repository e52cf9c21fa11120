import { expect } from 'chai';
import type { Order, OrderItem } from '#domain/order.ts';
import type { Product } from '#domain/product.ts';
import { Quantity } from '#domain/quantity.ts';
import { ofEachTest } from '../../support/of-each-test.ts';
import { kindOf } from '../error-kind.ts';
import { aWorld } from '../world.ts';

describe('The stock of a product', () => {
  const world = ofEachTest(aWorld);
  let counted: Product;
  beforeEach(async () => {
    counted = await world.product({ stock: 10 });
  });

  const resize = (order: Order, { id }: OrderItem, quantity: number): Promise<OrderItem> =>
    world.run(world.useCases.orderItems.change, world.ada, {
      orderId: order.id,
      id,
      expectedVersions: undefined,
      quantity: Quantity.of(quantity),
    });

  const removeItem = (order: Order, { id }: OrderItem): Promise<void> =>
    world.run(world.useCases.orderItems.remove, world.ada, {
      orderId: order.id,
      id,
      expectedVersions: undefined,
    });

  const cancel = (order: Order): Promise<Order> => world.become(world.ada, order, 'canceled');

  /** An order that holds another product already, so that the counted one can come and go. */
  const basket = async (): Promise<Order> => world.order(world.ada, await world.product());

  describe('is reserved', () => {
    it('when it is ordered, to the last thousandth', async () => {
      await world.order(world.ada, counted, 2.5);
      expect(await world.stockOf(counted)).to.equal(7.5);
      await world.order(world.bob, counted, 7.5);
      expect(await world.stockOf(counted)).to.equal(0);
      expect(await kindOf(world.order(world.ada, counted, 0.001))).to.equal('out-of-stock');
    });

    it('when it is added to an order', async () => {
      await world.addItem(world.ada, await basket(), counted, 4);
      expect(await world.stockOf(counted)).to.equal(6);
    });

    it('when an item grows, by the difference only', async () => {
      const order = await world.order(world.ada, counted, 4);
      await resize(order, await world.firstItem(order), 10);
      expect(await world.stockOf(counted)).to.equal(0);
    });

    it('by as many of fifty concurrent orders as it suffices for', async () => {
      const all = Array.from({ length: 50 }, () => world.order(world.ada, counted));
      const outcomes = await Promise.allSettled(all);
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).to.have.lengthOf(10);
      expect(await world.stockOf(counted)).to.equal(0);
    });
  });

  describe('is unchanged', () => {
    it('when an order exceeds it', async () => {
      const order = await basket();
      expect(await kindOf(world.order(world.ada, counted, 11))).to.equal('out-of-stock');
      expect(await kindOf(world.addItem(world.ada, order, counted, 11))).to.equal('out-of-stock');
      expect(await world.current('products', counted)).to.deep.equal(counted);
      expect(await world.current('orders', order)).to.deep.equal(order);
    });

    it('when a growing item exceeds it', async () => {
      const order = await world.order(world.ada, counted, 4);
      const item = await world.firstItem(order);
      expect(await kindOf(resize(order, item, 10.001))).to.equal('out-of-stock');
      expect(await world.stockOf(counted)).to.equal(6);
      expect(await world.current('orderItems', item)).to.deep.equal(item);
    });

    it('when an order fails for another reason', async () => {
      const dollars = await world.product({ price: { amount: 1, currency: 'USD' }, stock: 10 });
      expect(await kindOf(world.addItem(world.ada, await basket(), dollars))).to.equal('validation');
      expect(await world.stockOf(dollars)).to.equal(10);
    });

    it('when it is not counted', async () => {
      const endless = await world.product({ stock: null });
      const order = await world.order(world.ada, endless, 1_000_000);
      await cancel(order);
      expect(await world.current('products', endless)).to.deep.equal(endless);
    });

    it('when an order is fulfilled, or refunded after that', async () => {
      const { payment, order } = await world.purchase(counted, 4);
      await world.become(world.staff, order, 'fulfilled');
      expect(await world.stockOf(counted)).to.equal(6);
      await world.refund(world.staff, payment);
      expect(await world.stockOf(counted)).to.equal(6);
    });

    it('when an order is refunded in part', async () => {
      const { payment } = await world.purchase(counted, 4);
      await world.refund(world.staff, payment, { amount: { amount: 1, currency: 'EUR' } });
      expect(await world.stockOf(counted)).to.equal(6);
    });
  });

  describe('is released', () => {
    it('when the order is canceled', async () => {
      await cancel(await world.order(world.ada, counted, 4));
      expect(await world.stockOf(counted)).to.equal(10);
    });

    it('when the order is canceled, for each of its items', async () => {
      const other = await world.product({ stock: 3 });
      const order = await world.order(world.ada, counted, 4);
      await world.addItem(world.ada, order, other, 3);
      await world.addItem(world.ada, order, counted, 5);
      expect([await world.stockOf(counted), await world.stockOf(other)]).to.deep.equal([1, 0]);
      await cancel(order);
      expect([await world.stockOf(counted), await world.stockOf(other)]).to.deep.equal([10, 3]);
    });

    it('when the order is canceled, in batches of items', async () => {
      const order = await basket();
      for (let count = 0; count < 101; count += 1) await world.addItem(world.ada, order, counted, 0.05);
      expect(await world.stockOf(counted)).to.equal(4.95);
      await cancel(order);
      expect(await world.stockOf(counted)).to.equal(10);
    });

    it('when the item is removed', async () => {
      const order = await basket();
      await removeItem(order, await world.addItem(world.ada, order, counted, 4));
      expect(await world.stockOf(counted)).to.equal(10);
    });

    it('when an item shrinks, by the difference only', async () => {
      const order = await world.order(world.ada, counted, 4);
      await resize(order, await world.firstItem(order), 1.5);
      expect(await world.stockOf(counted)).to.equal(8.5);
    });

    it('when a paid order is refunded in full', async () => {
      const { payment, order } = await world.purchase(counted, 4);
      await world.refund(world.staff, payment);
      expect(await world.stockOf(counted)).to.equal(10);
      expect(await world.current('orders', order)).to.include({ status: 'refunded' });
    });

    it('once, and not again', async () => {
      const order = await world.order(world.ada, counted, 4);
      await cancel(order);
      expect(await kindOf(cancel(order))).to.equal('invalid-state');
      expect(await world.stockOf(counted)).to.equal(10);
    });

    it('to a product that was archived since', async () => {
      const order = await world.order(world.ada, counted, 4);
      await world.changeProduct(counted, { status: 'archived' });
      await cancel(order);
      expect(await world.stockOf(counted)).to.equal(10);
    });
  });

  describe('is not released', () => {
    it('when its product was deleted', async () => {
      const order = await world.order(world.ada, counted, 4);
      await world.removeProduct(counted);
      expect(await cancel(order)).to.include({ status: 'canceled' });
    });

    it('when an item of a deleted product is removed', async () => {
      const order = await basket();
      const item = await world.addItem(world.ada, order, counted, 4);
      await world.removeProduct(counted);
      expect(await resize(order, item, 1)).to.include({ quantity: Quantity.of(1) });
      await removeItem(order, item);
      expect(await world.find('orderItems', item)).to.equal(undefined);
    });

    it('when it is no longer counted', async () => {
      const order = await world.order(world.ada, counted, 4);
      const uncounted = await world.changeProduct(counted, { stock: null });
      await resize(order, await world.firstItem(order), 2);
      await cancel(order);
      expect(await world.current('products', counted)).to.deep.equal(uncounted);
    });

    it('when it was not counted as it was ordered, but is now', async () => {
      const endless = await world.product({ stock: null });
      const order = await world.order(world.ada, endless, 4);
      await world.changeProduct(endless, { stock: 10 });
      await resize(order, await world.firstItem(order), 2);
      expect(await world.stockOf(endless)).to.equal(10);
      await cancel(order);
      expect(await world.stockOf(endless)).to.equal(10);
    });
  });

  describe('that is counted since, or no longer, after an item was ordered', () => {
    it('is reserved for the whole item when it grows, and released as a whole', async () => {
      const endless = await world.product({ stock: null });
      const order = await world.order(world.ada, endless, 4);
      await world.changeProduct(endless, { stock: 10 });
      await resize(order, await world.firstItem(order), 6);
      expect(await world.stockOf(endless)).to.equal(4);
      await cancel(order);
      expect(await world.stockOf(endless)).to.equal(10);
    });

    it('sells nothing twice to an item that grows', async () => {
      const endless = await world.product({ stock: null });
      const order = await world.order(world.ada, endless, 1);
      await world.changeProduct(endless, { stock: 5 });
      const item = await world.firstItem(order);
      expect(await kindOf(resize(order, item, 6))).to.equal('out-of-stock');
      await resize(order, item, 5);
      expect(await kindOf(world.order(world.bob, endless))).to.equal('out-of-stock');
    });

    it('never gets more released than was reserved', async () => {
      const order = await world.order(world.ada, counted, 2);
      await world.changeProduct(counted, { stock: null });
      await resize(order, await world.firstItem(order), 5);
      await world.changeProduct(counted, { stock: 10 });
      await cancel(order);
      expect(await world.stockOf(counted)).to.equal(10);
    });
  });

  it('rejects a growing item of a deleted or unavailable product', async () => {
    const order = await world.order(world.ada, counted, 2);
    const item = await world.firstItem(order);
    await world.changeProduct(counted, { status: 'archived' });
    expect(await kindOf(resize(order, item, 3))).to.equal('product-unavailable');
    expect(await resize(order, item, 1)).to.include({ quantity: Quantity.of(1) });
    await world.removeProduct(counted);
    expect(await kindOf(resize(order, item, 3))).to.equal('product-unavailable');
  });
});
