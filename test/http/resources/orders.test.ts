import { expect } from 'chai';
import type { Json } from '../support/client.ts';
import {
  expectCreated,
  expectError,
  expectInvalid,
  expectList,
  expectOne,
  idsOf,
} from '../support/expectations.ts';
import { describeLimits, describeReadOnly, orderedLimit } from '../support/limits.ts';
import { describeService, registered } from '../support/service.ts';
import {
  euros,
  firstItem,
  newOrder,
  newPaidOrder,
  newProduct,
  nowhere,
  offered,
  order,
  orderNow,
} from '../support/shop.ts';

describeService('Orders', {}, (service) => {
  const customer = registered(service, 'customer');
  const other = registered(service, 'customer');
  const staff = registered(service, 'staff');
  const product = offered(service);

  describe('placed', () => {
    it('hold one item and are pending', async () => {
      const placed = await newOrder(customer, product, 2);
      const { id, version, created_at, updated_at, number, ...fields } = placed;
      expect(number).to.match(/^[0-9A-Z]{4}(-[0-9A-Z]{4}){2}$/);
      expect(fields).to.deep.equal({
        user_id: customer.userId,
        status: 'pending',
        currency: 'EUR',
        items_total: euros(700),
        shipping: euros(0),
        discount: euros(0),
        total: euros(700),
        shipping_tax_rate: null,
        taxes: [],
        item_count: 1,
        paid_at: null,
        shipping_address: null,
        billing_address: null,
        note: null,
        external_id: null,
        metadata: {},
      });
      expect(await orderNow(customer, placed)).to.deep.equal(placed);
      const item = await firstItem(customer, placed);
      expect(item).to.include({ order_id: id, product_id: product.id, product_name: 'Tea', quantity: 2 });
    });

    it('need a product and a quantity', async () => {
      expectInvalid(await customer.post('/v1/orders', {}), 'product_id', 'quantity');
    });

    it('need an existing product', async () => {
      const unknown = { product_id: nowhere, quantity: 1 };
      expectError(await customer.post('/v1/orders', unknown), 'PRODUCT_NOT_FOUND');
      for (const id of ['tea', '', 7, null, `${nowhere}0`]) {
        expectInvalid(await customer.post('/v1/orders', { product_id: id, quantity: 1 }), 'product_id');
      }
    });

    it('need an active product', async () => {
      for (const status of ['draft', 'archived']) {
        const unsold = await newProduct(service, { status });
        expectError(await order(customer, unsold), 'PRODUCT_UNAVAILABLE');
      }
    });

    it('report every invalid field at once', async () => {
      const bad = { product_id: 'tea', quantity: 0, user_id: 'me', colour: 'red' };
      const response = await customer.post('/v1/orders', bad);
      expectInvalid(response, 'product_id', 'quantity', 'user_id', 'colour');
    });

    it('belong to their creator, or to the user that staff name', async () => {
      const placed = { product_id: product.id, quantity: 1, user_id: customer.userId };
      expect(expectCreated(await staff.post('/v1/orders', placed), '/v1/orders').user_id).to.equal(
        customer.userId,
      );
      expect((await newOrder(staff, product)).user_id).to.equal(staff.userId);
      expectError(await other.post('/v1/orders', placed), 'FORBIDDEN');
      expectError(await staff.post('/v1/orders', { ...placed, user_id: nowhere }), 'NOT_FOUND');
      expectInvalid(await staff.post('/v1/orders', { ...placed, user_id: 'unknown' }), 'user_id');
    });

    const whole = { product_id: nowhere, quantity: 1 };
    const send = (body: Json) => customer.post('/v1/orders', body);
    describeReadOnly(
      ['number', 'currency', 'items_total', 'total', 'taxes', 'item_count', 'status'],
      whole,
      send,
    );
    describe('with their first item', () => {
      const ordered = async (body: Json) => {
        const response = await send({ ...body, product_id: product.id });
        if (response.status !== 201) return response;
        return { ...response, body: { data: await firstItem(customer, response.body.data) } };
      };
      describeLimits({ quantity: orderedLimit }, whole, ordered);
    });
  });

  describe('read', () => {
    it('by their owner and by staff only', async () => {
      const placed = await newOrder(customer, product);
      expect(await orderNow(staff, placed)).to.deep.equal(placed);
      expectError(await other.get(`/v1/orders/${placed.id}`), 'FORBIDDEN');
    });
  });

  describe('in a list', () => {
    const mine = registered(service, 'customer');
    let pending: Json;
    let canceled: Json;

    before(async () => {
      pending = await newOrder(mine, product);
      const { id } = await newOrder(mine, product);
      canceled = expectOne(await mine.patch(`/v1/orders/${id}`, { status: 'canceled' }));
      await newOrder(other, product);
    });

    it('are the customer’s own, and all orders for staff', async () => {
      expect(expectList(await mine.get('/v1/orders'))).to.deep.equal([pending, canceled]);
      const all = idsOf(expectList(await staff.get('/v1/orders?limit=100')));
      expect(all).to.include.members([pending.id, canceled.id]).and.have.length.above(2);
    });

    it('are filtered by status, by user and by both', async () => {
      expect(expectList(await mine.get('/v1/orders?status=canceled'))).to.deep.equal([canceled]);
      expect(expectList(await mine.get('/v1/orders?status=fulfilled'))).to.deep.equal([]);
      const byUser = `/v1/orders?user_id=${mine.userId}`;
      expect(expectList(await staff.get(byUser))).to.deep.equal([pending, canceled]);
      expect(expectList(await staff.get(`${byUser}&status=pending`))).to.deep.equal([pending]);
      expect(expectList(await staff.get(`/v1/orders?user_id=${nowhere}`))).to.deep.equal([]);
    });

    it('never include another customer’s orders', async () => {
      expect(expectList(await mine.get(`/v1/orders?user_id=${other.userId}`))).to.deep.equal([]);
      const own = await mine.get(`/v1/orders?user_id=${mine.userId}`);
      expect(expectList(own)).to.deep.equal([pending, canceled]);
    });

    it('are listed under their user too, for the user and for staff', async () => {
      const path = `/v1/users/${mine.userId}/orders`;
      expect(expectList(await mine.get(path))).to.deep.equal([pending, canceled]);
      expect(expectList(await staff.get(`${path}?status=pending`))).to.deep.equal([pending]);
      expectError(await other.get(path), 'FORBIDDEN');
      expectInvalid(await mine.get(`${path}?status=open`), 'status');
      expectInvalid(await mine.get(`${path}?user_id=${mine.userId}`), 'user_id');
      expectError(await staff.get(`/v1/users/${nowhere}/orders`), 'NOT_FOUND');
    });
  });

  it('show paid orders as paid to customers', async () => {
    expect((await newPaidOrder(customer, product)).status).to.equal('paid');
  });
});
