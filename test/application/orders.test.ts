import { expect } from 'chai';
import type { Caller } from '#application/preconditions.ts';
import type { OrderId, OrderStatus } from '#domain/order.ts';
import type { ProductId } from '#domain/product.ts';
import { Quantity } from '#domain/quantity.ts';
import { ofEachTest } from '../support/of-each-test.ts';
import { kindOf } from './error-kind.ts';
import { euros, nowhere, page } from './fixture.ts';
import { aWorld } from './world.ts';

describe('Orders', () => {
  const world = ofEachTest(aWorld);

  describe('that are placed', () => {
    const placeFor = (caller: Caller, userId: Caller['userId'], productId: ProductId) =>
      world.run(world.useCases.orders.place, caller, { productId, userId, quantity: Quantity.of(1) });

    it('belong to the caller, and contain the ordered product', async () => {
      const product = await world.product({ name: 'Tea', price: euros(333) });
      const order = await world.order(world.ada, product, 1.5);
      expect(order).to.deep.include({
        userId: world.ada.userId,
        status: 'pending',
        total: euros(500),
        itemCount: 1,
        version: 1,
      });
      expect(await world.current('orders', order)).to.deep.equal(order);
      const [item] = await world.itemsOf(order);
      expect(item).to.deep.include({
        orderId: order.id,
        productId: product.id,
        productName: 'Tea',
        unitPrice: euros(333),
        quantity: Quantity.of(1.5),
        total: euros(500),
      });
    });

    it('can be placed for another user by staff, and then belong to that user', async () => {
      const { id } = await world.product();
      const order = await placeFor(world.staff, world.ada.userId, id);
      expect(order.userId).to.equal(world.ada.userId);
      expect(await world.read(world.useCases.orders.get, world.ada, order.id)).to.deep.equal(order);
    });

    it('cannot be placed for another user by a customer', async () => {
      const { id } = await world.product();
      expect(await kindOf(placeFor(world.ada, world.bob.userId, id))).to.equal('forbidden');
      expect(await placeFor(world.ada, world.ada.userId, id)).to.include({ userId: world.ada.userId });
    });

    it('need an existing product and user, before ownership is checked', async () => {
      const { id } = await world.product({ status: 'draft' });
      expect(await kindOf(placeFor(world.ada, nowhere(), nowhere()))).to.equal('product-not-found');
      expect(await kindOf(placeFor(world.ada, nowhere(), id))).to.equal('not-found');
      expect(await kindOf(placeFor(world.ada, world.bob.userId, id))).to.equal('forbidden');
    });

    for (const status of ['draft', 'archived'] as const) {
      it(`contain no product that is not active (${status})`, async () => {
        const product = await world.product({ status, stock: 5 });
        expect(await kindOf(world.order(world.ada, product))).to.equal('product-unavailable');
        expect(await kindOf(world.order(world.staff, product))).to.equal('product-unavailable');
        expect(await world.stockOf(product)).to.equal(5);
      });
    }

    it('are rejected when their total would exceed the maximum, and reserve nothing', async () => {
      const product = await world.product({ price: euros(Number.MAX_SAFE_INTEGER), stock: 5 });
      expect(await kindOf(world.order(world.ada, product, 2))).to.equal('validation');
      expect(await world.stockOf(product)).to.equal(5);
    });
  });

  describe('that are read', () => {
    it('are read by their owner and staff only', async () => {
      const { get } = world.useCases.orders;
      const order = await world.order(world.ada, await world.product());
      for (const reader of [world.ada, world.staff, world.admin]) {
        expect(await world.read(get, reader, order.id)).to.deep.equal(order);
      }
      expect(await kindOf(world.read(get, world.bob, order.id))).to.equal('forbidden');
      expect(await kindOf(world.read(get, world.bob, nowhere<OrderId>()))).to.equal('not-found');
    });

    describe('in a list', () => {
      const ownersFor = async (caller: Caller, filter = {}): Promise<Caller['userId'][]> => {
        const { rows } = await world.read(world.useCases.orders.list, caller, { filter, page });
        return rows.map(({ userId }) => userId);
      };

      beforeEach(async () => {
        const product = await world.product();
        await world.order(world.ada, product);
        await world.become(world.ada, await world.order(world.ada, product), 'canceled');
        await world.order(world.bob, product);
      });

      it('are those of all users for staff', async () => {
        const [ada, bob] = [world.ada.userId, world.bob.userId];
        expect(await ownersFor(world.staff)).to.deep.equal([ada, ada, bob]);
        expect(await ownersFor(world.staff, { userId: bob })).to.deep.equal([bob]);
        expect(await ownersFor(world.staff, { status: 'pending' })).to.deep.equal([ada, bob]);
        expect(await ownersFor(world.staff, { status: 'canceled', userId: bob })).to.deep.equal([]);
      });

      it('are only their own for a customer, whatever the filter', async () => {
        const [ada, bob] = [world.ada.userId, world.bob.userId];
        expect(await ownersFor(world.ada)).to.deep.equal([ada, ada]);
        expect(await ownersFor(world.ada, { userId: ada })).to.deep.equal([ada, ada]);
        const ofBob = { filter: { userId: bob }, page };
        const nothing = { rows: [], hasMore: false };
        expect(await world.read(world.useCases.orders.list, world.ada, ofBob)).to.deep.equal(nothing);
        expect(await ownersFor(world.ada, { status: 'canceled' })).to.deep.equal([ada]);
      });

      it('of one user are readable by that user and staff', async () => {
        const { listOfUser } = world.useCases.orders;
        const { userId } = world.ada;
        const ofAda = { userId, filter: {}, page };
        expect((await world.read(listOfUser, world.ada, ofAda)).rows).to.have.lengthOf(2);
        expect((await world.read(listOfUser, world.staff, ofAda)).rows).to.have.lengthOf(2);
        const canceled = { ...ofAda, filter: { status: 'canceled' as const } };
        expect((await world.read(listOfUser, world.ada, canceled)).rows).to.have.lengthOf(1);
        expect(await kindOf(world.read(listOfUser, world.bob, ofAda))).to.equal('forbidden');
        const ofNobody = { ...ofAda, userId: nowhere<Caller['userId']>() };
        expect(await kindOf(world.read(listOfUser, world.bob, ofNobody))).to.equal('not-found');
      });
    });
  });

  describe('that change', () => {
    const change = (
      caller: Caller,
      id: OrderId,
      status?: OrderStatus,
      expectedVersions?: readonly number[],
    ) =>
      world.run(world.useCases.orders.change, caller, {
        id,
        expectedVersions,
        ...(status === undefined ? {} : { status }),
      });

    it('are canceled by their owner or staff only', async () => {
      const product = await world.product();
      const order = await world.order(world.ada, product);
      expect(await kindOf(change(world.bob, order.id, 'canceled'))).to.equal('forbidden');
      expect(await change(world.ada, order.id, 'canceled')).to.include({ status: 'canceled', version: 2 });
      const another = await world.order(world.ada, product);
      expect(await change(world.staff, another.id, 'canceled')).to.include({ status: 'canceled' });
    });

    it('are fulfilled by staff once they are paid, and not by their owner', async () => {
      const { order } = await world.purchase(await world.product());
      expect(await kindOf(change(world.ada, order.id, 'fulfilled'))).to.equal('forbidden');
      expect(await change(world.staff, order.id, 'fulfilled')).to.include({ status: 'fulfilled' });
    });

    it('are not fulfilled before they are paid', async () => {
      const order = await world.order(world.ada, await world.product());
      expect(await kindOf(change(world.staff, order.id, 'fulfilled'))).to.equal('invalid-state');
    });

    it('are not canceled once they are paid', async () => {
      const { order } = await world.purchase(await world.product());
      expect(await kindOf(change(world.ada, order.id, 'canceled'))).to.equal('invalid-state');
      expect(await world.current('orders', order)).to.deep.equal(order);
    });

    for (const status of ['pending', 'paid', 'refunded'] as const) {
      it(`cannot be set to ${status}`, async () => {
        const product = await world.product();
        const unpaid = await world.order(world.ada, product);
        const { order: paid } = await world.purchase(product);
        expect(await kindOf(change(world.admin, unpaid.id, status))).to.equal('invalid-state');
        expect(await kindOf(change(world.admin, paid.id, status))).to.equal('invalid-state');
      });
    }

    it('do not change when nothing is given, in any status', async () => {
      const unpaid = await world.order(world.ada, await world.product());
      expect(await change(world.ada, unpaid.id)).to.deep.equal(unpaid);
      const canceled = await change(world.ada, unpaid.id, 'canceled');
      expect(await change(world.ada, unpaid.id)).to.deep.equal(canceled);
      expect(await world.current('orders', unpaid)).to.deep.equal(canceled);
    });

    it('require an expected version', async () => {
      const { id } = await world.order(world.ada, await world.product());
      expect(await kindOf(change(world.ada, id, 'canceled', [2]))).to.equal('precondition-failed');
      expect(await kindOf(change(world.ada, id, undefined, []))).to.equal('precondition-failed');
      expect(await change(world.ada, id, 'canceled', [1])).to.include({ status: 'canceled' });
    });

    it('must exist, then belong to the caller, then have an expected version', async () => {
      const { order } = await world.purchase(await world.product());
      expect(await kindOf(change(world.bob, nowhere(), 'canceled', [9]))).to.equal('not-found');
      expect(await kindOf(change(world.bob, order.id, 'canceled', [9]))).to.equal('forbidden');
      expect(await kindOf(change(world.ada, order.id, 'canceled', [9]))).to.equal('precondition-failed');
      expect(await kindOf(change(world.ada, order.id, 'canceled'))).to.equal('invalid-state');
    });

    it('cannot while a payment is pending', async () => {
      const order = await world.order(world.ada, await world.product());
      world.provider.fails();
      expect(await kindOf(world.pay(world.ada, order))).to.equal('provider-failed');
      expect(await kindOf(change(world.ada, order.id, 'canceled'))).to.equal('invalid-state');
      expect(await kindOf(change(world.staff, order.id, 'fulfilled'))).to.equal('invalid-state');
    });
  });
});
