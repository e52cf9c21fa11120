import { expect } from 'chai';
import type { Client, Json } from '../support/client.ts';
import {
  expectCreated,
  expectError,
  expectInvalid,
  expectList,
  expectNoContent,
  expectOne,
} from '../support/expectations.ts';
import { describeLimits, describeReadOnly, type Limits, orNull, textLimit } from '../support/limits.ts';
import { describeService, registered } from '../support/service.ts';
import {
  firstItem,
  newOrder,
  newPaidOrder,
  newProduct,
  nowhere,
  offered,
  paymentsOf,
  refund,
} from '../support/shop.ts';

const limits: Limits = {
  rating: { accepts: [1, 2, 3, 4, 5], rejects: [0, 6, -1, 4.5, 1e300, '5', true, null, [5]] },
  title: orNull(textLimit(0, 120)),
  body: orNull(textLimit(0, 5000)),
};

const readOnly = ['product_id', 'user_id'];

describeService('Reviews', {}, (service) => {
  const buyer = registered(service, 'customer');
  const other = registered(service, 'customer');
  const neighbour = registered(service, 'customer');
  const staff = registered(service, 'staff');
  const product = offered(service);

  /** Creates a paid order of a product, by default a new one. @returns its item */
  const bought = async (product?: Json): Promise<Json> =>
    firstItem(buyer, await newPaidOrder(buyer, product ?? (await newProduct(service))));

  const write = (writer: Client, { id }: Json, fields: object = {}) =>
    writer.post('/v1/reviews', { item_id: id, rating: 5, ...fields });

  const newReview = async (fields: object = {}): Promise<Json> =>
    expectCreated(await write(buyer, await bought(), fields), '/v1/reviews');

  describe('written', () => {
    it('refer to an item, its product and its buyer', async () => {
      const item = await bought(product);
      const review = expectCreated(await write(buyer, item), '/v1/reviews');
      const { id, version, created_at, updated_at, ...fields } = review;
      expect({ version, updated_at }).to.deep.equal({ version: 1, updated_at: created_at });
      expect(fields).to.deep.equal({
        item_id: item.id,
        product_id: product.id,
        user_id: buyer.userId,
        rating: 5,
        title: null,
        body: null,
      });
      expect(expectOne(await other.get(`/v1/reviews/${id}`))).to.deep.equal(review);
    });

    it('need an existing item, and a rating', async () => {
      expectInvalid(await buyer.post('/v1/reviews', {}), 'item_id', 'rating');
      expectInvalid(await write(buyer, { id: 'tea' }), 'item_id');
      expectError(await write(buyer, { id: nowhere }), 'NOT_FOUND');
    });

    it('need a paid order, which may be fulfilled by now, but not canceled or refunded', async () => {
      const product = await newProduct(service);
      const unpaid = await newOrder(buyer, product);
      const rejected = async (order: Json, reason: RegExp) => {
        const response = await write(buyer, await firstItem(buyer, order));
        expectError(response, 'INVALID_STATE', []);
        expect(response.body.error.message).to.match(reason);
      };
      await rejected(unpaid, /once its order is paid/);
      await buyer.patch(`/v1/orders/${unpaid.id}`, { status: 'canceled' });
      await rejected(unpaid, /order is canceled/);

      const refunded = await newPaidOrder(buyer, product);
      const [payment] = await paymentsOf(buyer, refunded);
      expectCreated(await refund(staff, payment), '/v1/refunds');
      await rejected(refunded, /order was refunded/);

      const fulfilled = await newPaidOrder(buyer, product);
      expectOne(await staff.patch(`/v1/orders/${fulfilled.id}`, { status: 'fulfilled' }));
      expectCreated(await write(buyer, await firstItem(buyer, fulfilled)), '/v1/reviews');
    });

    it('by the order’s owner only, not by staff', async () => {
      const item = await bought();
      expectError(await write(other, item), 'FORBIDDEN');
      expectError(await write(staff, item), 'FORBIDDEN');
      expectError(await write(service.operator, item), 'FORBIDDEN');
    });

    it('once for each product, even when several are sent at once through items of several orders', async () => {
      const product = await newProduct(service);
      const items: Json[] = [];
      for (let order = 0; order < 3; order += 1) items.push(await bought(product));
      const responses = await Promise.all(items.map((item) => write(buyer, item)));
      expect(responses.map(({ status }) => status)).to.have.members([201, 409, 409]);
      for (const item of items) expectError(await write(buyer, item), 'CONFLICT', ['item_id']);
      const reviewed = `product_id=${product.id}&user_id=${buyer.userId}`;
      const [review, ...others] = expectList(await buyer.get(`/v1/reviews?${reviewed}`));
      expect(others).to.deep.equal([]);
      expectNoContent(await buyer.delete(`/v1/reviews/${review?.id}`));
      expect(expectList(await buyer.get(`/v1/reviews?${reviewed}`))).to.deep.equal([]);
      expectCreated(await write(buyer, items[1] as Json), '/v1/reviews');
    });

    it('of one product by each of several users', async () => {
      const product = await newProduct(service);
      expectCreated(await write(buyer, await bought(product)), '/v1/reviews');
      const theirs = await firstItem(neighbour, await newPaidOrder(neighbour, product));
      expectCreated(await write(neighbour, theirs), '/v1/reviews');
    });

    it('again after the first was deleted', async () => {
      const item = await bought();
      const { id } = expectCreated(await write(buyer, item), '/v1/reviews');
      expectNoContent(await buyer.delete(`/v1/reviews/${id}`));
      expectCreated(await write(buyer, item), '/v1/reviews');
    });

    const send = async (body: Json) => write(buyer, await bought(), body);
    describeLimits(limits, {}, send);
    describeReadOnly(readOnly, {}, send);
  });

  describe('changed', () => {
    let path: string;

    before(async () => {
      path = `/v1/reviews/${(await newReview({ title: 'Good', body: 'Very' })).id}`;
    });

    const patch = (body: Json, headers = {}) => buyer.patch(path, body, headers);

    it('keep omitted fields, and their version when nothing changes', async () => {
      const before = expectOne(await patch({}));
      expect(before).to.include({ rating: 5, title: 'Good', body: 'Very', version: 1 });
      const after = expectOne(await patch({ rating: 2, title: null }));
      const { updated_at } = after;
      expect(after).to.deep.equal({ ...before, rating: 2, title: null, version: 2, updated_at });
    });

    it('by their author and by staff only', async () => {
      expectError(await other.patch(path, { rating: 1 }), 'FORBIDDEN');
      expect(expectOne(await staff.patch(path, { title: 'Moderated' })).title).to.equal('Moderated');
    });

    describeLimits(limits, {}, patch);
    describeReadOnly([...readOnly, 'item_id'], {}, patch);
  });

  describe('deleted', () => {
    it('by their author and by staff only', async () => {
      for (const client of [buyer, staff]) {
        const path = `/v1/reviews/${(await newReview()).id}`;
        expectError(await other.delete(path), 'FORBIDDEN');
        expectError(await client.delete(path, { 'If-Match': '"2"' }), 'PRECONDITION_FAILED');
        expectNoContent(await client.delete(path, { 'If-Match': '"1"' }));
        expectError(await client.get(path), 'NOT_FOUND');
        expectError(await client.delete(path), 'NOT_FOUND');
      }
    });
  });

  describe('read', () => {
    it('are filtered by item, by product, by user, and by all of them', async () => {
      const own = await newProduct(service, { name: 'Reviewed' });
      const order = await newPaidOrder(buyer, own);
      const review = expectCreated(await write(buyer, await firstItem(buyer, order)), '/v1/reviews');
      const { item_id, product_id, user_id } = review;
      for (const query of [`item_id=${item_id}`, `product_id=${product_id}`]) {
        expect(expectList(await other.get(`/v1/reviews?${query}`)), query).to.deep.equal([review]);
      }
      const all = `item_id=${item_id}&product_id=${product_id}&user_id=${user_id}`;
      expect(expectList(await other.get(`/v1/reviews?${all}`))).to.deep.equal([review]);
      const byUser = expectList(await other.get(`/v1/reviews?user_id=${user_id}&limit=100`));
      expect(byUser).to.deep.include(review);
      expect(byUser.every((one) => one.user_id === user_id)).to.equal(true);
    });

    it('are an empty list without reviews', async () => {
      const { id } = await bought();
      for (const query of [`item_id=${id}`, `user_id=${other.userId}`, `product_id=${nowhere}`]) {
        expect(expectList(await other.get(`/v1/reviews?${query}`)), query).to.deep.equal([]);
      }
    });

    it('stay when their product is deleted', async () => {
      const passing = await newProduct(service);
      const order = await newPaidOrder(buyer, passing);
      const review = expectCreated(await write(buyer, await firstItem(buyer, order)), '/v1/reviews');
      await service.operator.delete(`/v1/products/${passing.id}`);
      expect(expectList(await buyer.get(`/v1/reviews?product_id=${passing.id}`))).to.deep.equal([review]);
    });
  });
});
