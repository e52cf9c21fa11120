import { expect } from 'chai';
import type { Caller } from '#application/preconditions.ts';
import type { ChangeOrder } from '#application/use-cases/orders.ts';
import type { Order, OrderId } from '#domain/order.ts';
import type { OrderDetails } from '#domain/order-details.ts';
import { Quantity } from '#domain/quantity.ts';
import { TaxRate } from '#domain/tax.ts';
import { ofEachTest } from '../support/of-each-test.ts';
import { invalidFieldsOf, kindOf } from './error-kind.ts';
import { euros, nowhere } from './fixture.ts';
import { aWorld } from './world.ts';

const home = { name: 'Ada Hill', line1: 'Herrengasse 1', city: 'Wien', country: 'AT' };

describe('The details of orders', () => {
  const world = ofEachTest(aWorld);
  let order: Order;
  beforeEach(async () => {
    order = await world.order(world.ada, await world.product({ price: euros(500) }), 2);
  });

  const change = (caller: Caller, details: OrderDetails, more: Partial<ChangeOrder> = {}): Promise<Order> =>
    world.run(world.useCases.orders.change, caller, {
      id: order.id,
      expectedVersions: undefined,
      details,
      ...more,
    });

  const place = async (caller: Caller, details: OrderDetails): Promise<Order> => {
    const { id: productId } = await world.product({ price: euros(500), taxRate: TaxRate.of(20) });
    return world.run(world.useCases.orders.place, caller, { productId, quantity: Quantity.of(1), details });
  };

  it('are kept when an order is placed', async () => {
    const placed = await place(world.ada, { shippingAddress: home, note: 'Ring twice.' });
    expect(placed).to.deep.include({ note: 'Ring twice.', billingAddress: null, version: 1 });
    expect(placed.shippingAddress).to.include(home);
    expect(placed.taxedItems).to.deep.equal([{ rate: 20_000, gross: 500 }]);
    expect(await world.current('orders', placed)).to.deep.equal(placed);
    const priced = await place(world.staff, { shipping: euros(100), discount: { amount: 600 } });
    expect(priced).to.deep.include({ total: euros(0), discount: euros(600) });
  });

  it('of staff are forbidden to customers, together with ownership', async () => {
    const missing: Partial<ChangeOrder> = { id: nowhere<OrderId>() };
    const stale: Partial<ChangeOrder> = { expectedVersions: [9] };
    for (const details of [
      { externalId: 'a' },
      { metadata: {} },
      { shipping: {} },
      { shippingTaxRate: null },
    ]) {
      expect(await kindOf(place(world.ada, details))).to.equal('forbidden');
      expect(await kindOf(change(world.ada, details, missing))).to.equal('not-found');
      expect(await kindOf(change(world.ada, details, stale))).to.equal('forbidden');
      expect(await kindOf(change(world.staff, details, stale))).to.equal('precondition-failed');
      expect(await change(world.staff, details)).to.include({ id: order.id });
    }
  });

  it('change with the status in one version, or not at all', async () => {
    const both = await change(world.ada, { note: 'Too late.' }, { status: 'canceled' });
    expect(both).to.include({ note: 'Too late.', status: 'canceled', version: 2 });
    const { order: paid } = await world.purchase(await world.product());
    const wrong = { billingAddress: { city: 'Wien' } };
    const fulfill = { id: paid.id, status: 'fulfilled' } as const;
    expect(await invalidFieldsOf(change(world.staff, wrong, fulfill))).to.deep.equal([
      ...['billingAddress.name', 'billingAddress.line1', 'billingAddress.country'],
    ]);
    expect(await kindOf(change(world.staff, { discount: {} }, fulfill))).to.equal('invalid-state');
    expect(await world.current('orders', paid)).to.deep.equal(paid);
  });

  it('are kept by a payment that settles after they were written', async () => {
    world.provider.fails();
    expect(await kindOf(world.pay(world.ada, order))).to.equal('provider-failed');
    await change(world.ada, { note: 'mine', shippingAddress: home });
    await change(world.staff, { externalId: 'ERP-1', metadata: { a: '1' } });
    expect(await kindOf(change(world.staff, { discount: {} }))).to.equal('invalid-state');
    expect(await world.current('orders', order)).to.deep.include({
      ...{ paying: true, note: 'mine', externalId: 'ERP-1', metadata: { a: '1' } },
      ...{ version: 4, total: order.total },
    });
  });

  it('are unique in their external id', async () => {
    await change(world.staff, { externalId: 'ERP-1' });
    expect(await kindOf(place(world.staff, { externalId: 'ERP-1' }))).to.equal('conflict');
    expect(await place(world.staff, { externalId: 'erp-1' })).to.include({ externalId: 'erp-1' });
  });

  describe('in money', () => {
    beforeEach(async () => {
      await change(world.staff, { discount: euros(700) });
    });

    it('leave the items to staff', async () => {
      const product = await world.product({ price: euros(10) });
      const item = await world.firstItem(order);
      const place = { orderId: order.id, id: item.id, expectedVersions: undefined };
      const resize = { ...place, quantity: Quantity.of(3) };
      const { change: resizeItem, remove } = world.useCases.orderItems;
      expect(await kindOf(world.addItem(world.ada, order, product))).to.equal('invalid-state');
      expect(await kindOf(world.run(resizeItem, world.ada, resize))).to.equal('invalid-state');
      expect(await kindOf(world.run(remove, world.ada, place))).to.equal('invalid-state');
      await world.addItem(world.staff, order, product);
      await world.run(resizeItem, world.staff, resize);
      expect((await world.current('orders', order)).total).to.deep.equal(euros(810));
    });

    it('reject a change of items that the discount would exceed, which then changes no stock', async () => {
      const product = await world.product({ price: euros(500), stock: 10 });
      const counted = await world.order(world.ada, product, 2);
      await change(world.staff, { discount: euros(700) }, { id: counted.id });
      const item = await world.firstItem(counted);
      const less = {
        orderId: counted.id,
        id: item.id,
        expectedVersions: undefined,
        quantity: Quantity.of(1),
      };
      expect(await kindOf(world.run(world.useCases.orderItems.change, world.staff, less))).to.equal(
        'invalid-state',
      );
      expect(await world.stockOf(product)).to.equal(8);
    });
  });
});
