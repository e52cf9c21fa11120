import { expect } from 'chai';
import type { Caller } from '#application/preconditions.ts';
import type { Order, OrderId, OrderItem, OrderItemId } from '#domain/order.ts';
import type { Product } from '#domain/product.ts';
import { Quantity } from '#domain/quantity.ts';
import { ofEachTest } from '../support/of-each-test.ts';
import { invalidFieldsOf, kindOf } from './error-kind.ts';
import { euros, nowhere, page } from './fixture.ts';
import { aWorld } from './world.ts';

describe('Order items', () => {
  const world = ofEachTest(aWorld);
  let tea: Product;
  let order: Order;
  let first: OrderItem;
  beforeEach(async () => {
    tea = await world.product({ price: euros(100) });
    order = await world.order(world.ada, tea, 2);
    first = await world.firstItem(order);
  });

  interface Place {
    readonly orderId?: OrderId;
    readonly id?: OrderItemId;
    readonly expectedVersions?: readonly number[];
    readonly quantity?: number;
  }

  const change = (caller: Caller, { quantity, expectedVersions, ...place }: Place): Promise<OrderItem> =>
    world.run(world.useCases.orderItems.change, caller, {
      ...{ orderId: order.id, id: first.id, expectedVersions, ...place },
      ...(quantity === undefined ? {} : { quantity: Quantity.of(quantity) }),
    });

  const remove = (caller: Caller, { expectedVersions, ...place }: Place): Promise<void> =>
    world.run(world.useCases.orderItems.remove, caller, {
      orderId: order.id,
      id: first.id,
      expectedVersions,
      ...place,
    });

  const add = (caller: Caller, to: Order, product: Product): Promise<OrderItem> =>
    world.addItem(caller, to, product);

  const total = async (): Promise<number> => (await world.current('orders', order)).total.amount;

  describe('that are added', () => {
    it('belong to the order, and increase its total and count', async () => {
      const item = await world.addItem(world.ada, order, await world.product({ price: euros(50) }), 3);
      expect(item).to.deep.include({ orderId: order.id, total: euros(150), version: 1 });
      expect(await world.itemsOf(order)).to.deep.equal([first, item]);
      expect(await world.current('orders', order)).to.deep.include({
        total: euros(350),
        itemCount: 2,
        version: 2,
      });
    });

    it('are added by the owner and staff only', async () => {
      expect(await add(world.staff, order, tea)).to.include({ orderId: order.id });
      expect(await kindOf(add(world.bob, order, tea))).to.equal('forbidden');
    });

    it('need the currency of their order', async () => {
      const dollars = await world.product({ price: { amount: 1, currency: 'USD' } });
      expect(await invalidFieldsOf(add(world.ada, order, dollars))).to.deep.equal(['productId']);
      expect(await world.itemsOf(order)).to.deep.equal([first]);
    });

    it('need an existing order, then a product, then its owner, then an open order, then an active product', async () => {
      const nothing = { ...tea, id: nowhere<Product['id']>() };
      const draft = await world.product({ status: 'draft' });
      expect(await kindOf(add(world.bob, { ...order, id: nowhere() }, nothing))).to.equal('not-found');
      expect(await kindOf(add(world.bob, order, nothing))).to.equal('product-not-found');
      expect(await kindOf(add(world.bob, order, draft))).to.equal('forbidden');
      expect(await kindOf(add(world.ada, order, draft))).to.equal('product-unavailable');
      await world.become(world.ada, order, 'canceled');
      expect(await kindOf(add(world.ada, order, draft))).to.equal('invalid-state');
    });

    it('are rejected when the total of the order would exceed the maximum', async () => {
      const dear = await world.product({ price: euros(Number.MAX_SAFE_INTEGER) });
      expect(await kindOf(add(world.ada, order, dear))).to.equal('validation');
      expect(await total()).to.equal(200);
    });
  });

  describe('that are read', () => {
    const get = (caller: Caller, place: Omit<Place, 'expectedVersions' | 'quantity'>): Promise<OrderItem> =>
      world.read(world.useCases.orderItems.get, caller, { orderId: order.id, id: first.id, ...place });

    it('are read by the owner and staff only', async () => {
      expect(await get(world.ada, {})).to.deep.equal(first);
      expect(await get(world.staff, {})).to.deep.equal(first);
      expect(await kindOf(get(world.bob, {}))).to.equal('forbidden');
    });

    it('are found in their own order only', async () => {
      const another = await world.order(world.ada, tea);
      expect(await kindOf(get(world.ada, { orderId: another.id }))).to.equal('not-found');
      expect(await kindOf(get(world.bob, { id: nowhere() }))).to.equal('not-found');
      expect(await kindOf(get(world.bob, { orderId: nowhere() }))).to.equal('not-found');
    });

    it('are listed by page, for the same callers', async () => {
      const second = await add(world.ada, order, tea);
      const { list } = world.useCases.orderItems;
      const all = { orderId: order.id, page };
      expect((await world.read(list, world.ada, all)).rows).to.deep.equal([first, second]);
      const next = { orderId: order.id, page: { limit: 1, after: first.id } };
      expect(await world.read(list, world.staff, next)).to.deep.equal({ rows: [second], hasMore: false });
      expect(await kindOf(world.read(list, world.bob, all))).to.equal('forbidden');
      const missing = { orderId: nowhere<OrderId>(), page };
      expect(await kindOf(world.read(list, world.bob, missing))).to.equal('not-found');
    });
  });

  describe('that are resized', () => {
    it('cost more or less, and so does their order', async () => {
      expect(await change(world.ada, { quantity: 3.5 })).to.deep.include({ total: euros(350), version: 2 });
      expect(await total()).to.equal(350);
      expect(await change(world.staff, { quantity: 0.5 })).to.deep.include({ total: euros(50), version: 3 });
      expect(await total()).to.equal(50);
      expect(await world.current('orders', order)).to.include({ itemCount: 1, version: 3 });
    });

    it('keep the price at which they were ordered', async () => {
      await world.changeProduct(tea, { price: euros(999) });
      expect(await change(world.ada, { quantity: 3 })).to.deep.include({ total: euros(300) });
    });

    it('keep their version when nothing changes', async () => {
      expect(await change(world.ada, {})).to.deep.equal(first);
      expect(await change(world.ada, { quantity: 2 })).to.deep.equal(first);
      expect(await world.current('orderItems', first)).to.deep.equal(first);
      expect(await world.current('orders', order)).to.deep.equal(order);
    });

    it('require the owner or staff, their own order, and an expected version', async () => {
      const another = await world.order(world.ada, tea);
      const resize = (caller: Caller, place: Place) => kindOf(change(caller, { quantity: 1, ...place }));
      expect(await resize(world.bob, { orderId: nowhere() })).to.equal('not-found');
      expect(await resize(world.bob, { orderId: another.id })).to.equal('not-found');
      expect(await resize(world.bob, { expectedVersions: [2] })).to.equal('forbidden');
      expect(await resize(world.ada, { expectedVersions: [2] })).to.equal('precondition-failed');
      expect(await change(world.ada, { quantity: 1, expectedVersions: [1] })).to.include({ version: 2 });
    });

    it('are rejected when the total of the order would exceed the maximum', async () => {
      const dear = await world.product({ price: euros(2 ** 50) });
      const item = await add(world.ada, order, dear);
      expect(await kindOf(change(world.ada, { id: item.id, quantity: 8 }))).to.equal('validation');
      expect(await world.current('orderItems', item)).to.deep.equal(item);
    });
  });

  describe('that are removed', () => {
    it('decrease the total and count of their order', async () => {
      const second = await add(world.ada, order, tea);
      await remove(world.ada, {});
      expect(await world.itemsOf(order)).to.deep.equal([second]);
      expect(await world.current('orders', order)).to.deep.include({ total: euros(100), itemCount: 1 });
    });

    it('except the last one', async () => {
      expect(await kindOf(remove(world.ada, {}))).to.equal('invalid-state');
      expect(await world.itemsOf(order)).to.deep.equal([first]);
    });

    it('require the owner or staff, their own order, and an expected version', async () => {
      const second = await add(world.ada, order, tea);
      const another = await world.order(world.ada, tea);
      expect(await kindOf(remove(world.bob, { id: nowhere() }))).to.equal('not-found');
      expect(await kindOf(remove(world.bob, { orderId: another.id }))).to.equal('not-found');
      expect(await kindOf(remove(world.bob, { expectedVersions: [2] }))).to.equal('forbidden');
      expect(await kindOf(remove(world.ada, { expectedVersions: [2] }))).to.equal('precondition-failed');
      await remove(world.staff, { expectedVersions: [1] });
      expect(await world.itemsOf(order)).to.deep.equal([second]);
    });
  });

  describe('cannot change', () => {
    const changeNothing = async (): Promise<void> => {
      const before = [await world.current('orders', order), await world.itemsOf(order)];
      expect(await kindOf(add(world.ada, order, tea))).to.equal('invalid-state');
      expect(await kindOf(change(world.staff, { quantity: 3 }))).to.equal('invalid-state');
      expect(await kindOf(remove(world.ada, {}))).to.equal('invalid-state');
      expect([await world.current('orders', order), await world.itemsOf(order)]).to.deep.equal(before);
    };

    beforeEach(async () => {
      await add(world.ada, order, tea);
    });

    it('once the order is canceled', async () => {
      await world.become(world.ada, order, 'canceled');
      await changeNothing();
    });

    it('once the order is canceled, even if their product is deleted', async () => {
      await world.become(world.ada, order, 'canceled');
      await world.removeProduct(tea);
      expect(await kindOf(change(world.ada, { quantity: 3 }))).to.equal('invalid-state');
      expect(await kindOf(change(world.ada, {}))).to.equal('invalid-state');
    });

    it('once the order is paid, fulfilled', async () => {
      await world.pay(world.ada, order);
      await changeNothing();
      await world.become(world.staff, order, 'fulfilled');
      await changeNothing();
    });

    it('once the order is refunded', async () => {
      await world.refund(world.staff, await world.pay(world.ada, order));
      await changeNothing();
    });

    it('while a payment is pending, but can after it failed', async () => {
      world.provider.fails();
      expect(await kindOf(world.pay(world.ada, order))).to.equal('provider-failed');
      await changeNothing();
      world.clock.pass(60_000);
      expect((await world.backgroundJobs.recoverAbandonedProcesses()).errors).to.deep.equal([]);
      expect(await change(world.ada, { quantity: 3 })).to.include({ version: 2 });
    });
  });
});
