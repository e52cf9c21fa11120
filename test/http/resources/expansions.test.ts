import { expect } from 'chai';
import type { ApiResponse, Json } from '../support/client.ts';
import { expectCreated, expectOne, idsOf } from '../support/expectations.ts';
import { expectProblem } from '../support/protocol.ts';
import { describeService } from '../support/service.ts';
import {
  addItem,
  firstItem,
  newOrder,
  newPaidOrder,
  newPayment,
  newProduct,
  nowhere,
  once,
  pay,
  paymentsOf,
  refund,
} from '../support/shop.ts';

describeService('An expanded resource', {}, (service) => {
  const get = (path: string): Promise<ApiResponse> => service.operator.get(path);
  const dataOf = async (response: Promise<ApiResponse>): Promise<Json> => {
    const { status, body, text } = await response;
    expect(status, text).to.be.below(300);
    return body.data;
  };

  it('holds what each GET shows: of an order its items, its payments and its user', async () => {
    const buyer = await service.person('customer');
    const product = await newProduct(service);
    const order = await newOrder(buyer, product);
    await addItem(buyer, order, product, 3);
    await pay(buyer, order, 'tok_declined');
    await newPayment(buyer, order);
    const plain = await dataOf(buyer.get(`/v1/orders/${order.id}`));
    const { expanded, ...rest } = await dataOf(
      buyer.get(`/v1/orders/${order.id}?expand=items,payments,user`),
    );
    expect(rest).to.deep.equal(plain);
    expect(expanded).to.deep.equal({
      items: (await buyer.get(`/v1/orders/${order.id}/items`)).body.data,
      payments: await paymentsOf(buyer, order),
      user: await dataOf(buyer.get(`/v1/users/${buyer.userId}`)),
    });
    expect(expanded.items).to.have.lengthOf(2);
    expect(
      Object.keys((await dataOf(get(`/v1/orders/${order.id}?expand=user,items`))).expanded),
    ).to.deep.equal(['user', 'items']);
  });

  it('holds the order and the refunds of a payment, the payment of a refund, and the product of a review', async () => {
    const buyer = await service.person('customer');
    const product = await newProduct(service);
    const order = await newOrder(buyer, product);
    const payment = await newPayment(buyer, order);
    const part = { amount: { amount: 100, currency: 'EUR' } };
    const refunds = [await dataOf(refund(service.operator, payment, part))];
    refunds.push(await dataOf(refund(service.operator, payment, part)));
    const item = await firstItem(buyer, order);
    const review = await dataOf(buyer.post('/v1/reviews', { item_id: item.id, rating: 5 }, once()));
    const expandedOf = async (path: string) => (await dataOf(buyer.get(path))).expanded;
    expect(await expandedOf(`/v1/payments/${payment.id}?expand=refunds,order`)).to.deep.equal({
      refunds,
      order: await dataOf(buyer.get(`/v1/orders/${order.id}`)),
    });
    expect(await expandedOf(`/v1/refunds/${refunds[0]?.id}?expand=payment`)).to.deep.equal({
      payment: await dataOf(buyer.get(`/v1/payments/${payment.id}`)),
    });
    expect(await expandedOf(`/v1/reviews/${review.id}?expand=product`)).to.deep.equal({
      product: await dataOf(buyer.get(`/v1/products/${product.id}`)),
    });
  });

  it('holds null for what its GET rejects', async () => {
    const buyer = await service.person('customer');
    const [draft, gone] = [await newProduct(service), await newProduct(service)];
    const reviews: Json[] = [];
    for (const product of [draft, gone]) {
      const item = await firstItem(buyer, await newPaidOrder(buyer, product));
      reviews.push(await dataOf(buyer.post('/v1/reviews', { item_id: item.id, rating: 1 }, once())));
    }
    await service.operator.patch(`/v1/products/${draft.id}`, { status: 'draft' });
    await service.operator.delete(`/v1/products/${gone.id}`);
    const path = `/v1/reviews?user_id=${buyer.userId}&expand=product`;
    const products = async (client = buyer) =>
      (await dataOf(client.get(path))).map(({ expanded }: Json) => expanded.product?.id ?? null);
    expect(await products()).to.deep.equal([null, null]);
    expect(await products((await service.person('staff')) as typeof buyer)).to.deep.equal([draft.id, null]);
    const [first] = reviews;
    const one = await dataOf(buyer.get(`/v1/reviews/${first?.id}?expand=product`));
    expect(one.expanded).to.deep.equal({ product: null });
  });

  it('is not there for a caller without the scope of a name', async () => {
    const buyer = await service.person('customer', ['orders:read', 'orders:write', 'users:read']);
    const product = await newProduct(service);
    const order = await newOrder(buyer, product);
    for (const path of [`/v1/orders/${order.id}`, '/v1/orders', `/v1/orders/${nowhere}`]) {
      const response = await buyer.get(`${path}?expand=items,payments`);
      expectProblem(response, '403 FORBIDDEN');
      expect(response.body.error.message).to.include('payments:read');
    }
    expect((await dataOf(buyer.get(`/v1/orders/${order.id}?expand=items,user`))).expanded.user.id).to.equal(
      buyer.userId,
    );
    // What is wrong with the query string comes first.
    expectProblem(await buyer.get('/v1/orders?expand=payments&limit=0'), '422 VALIDATION_ERROR', ['limit']);
  });

  it('is rejected as its GET without expansions is', async () => {
    const [buyer, other] = [await service.person('customer'), await service.person('customer')];
    const order = await newOrder(buyer, await newProduct(service));
    expectProblem(await other.get(`/v1/orders/${order.id}?expand=items`), '403 FORBIDDEN');
    expectProblem(await get(`/v1/orders/${nowhere}?expand=items`), '404 NOT_FOUND');
  });

  for (const expand of [
    '',
    ',',
    'items,',
    ',items',
    'items,items',
    'items, user',
    'Items',
    'order',
    'product',
    'items.product',
    '*',
    '__proto__',
    'constructor',
    '%00',
    'null',
  ]) {
    it(`cannot be expanded by “${expand}”`, async () => {
      for (const path of ['/v1/orders', `/v1/orders/${nowhere}`]) {
        const response = await get(`${path}?expand=${encodeURIComponent(decodeURIComponent(expand))}`);
        expectProblem(response, '422 VALIDATION_ERROR', ['expand']);
      }
    });
  }
});

describeService('A list of expanded resources', {}, (service) => {
  it('has at most twenty on a page, whose links keep the names', async () => {
    const buyer = await service.person('customer');
    const product = await newProduct(service);
    const orders: Json[] = [];
    for (let count = 0; count < 22; count += 1) orders.push(await newOrder(buyer, product));
    const first = await buyer.get('/v1/orders?expand=user,items&limit=100&status=pending');
    expect(first.body.pagination.limit).to.equal(20);
    expect(idsOf(first.body.data)).to.deep.equal(idsOf(orders.slice(0, 20)));
    for (const { id, expanded } of first.body.data) {
      expect(expanded.items.map((item: Json) => item.order_id)).to.deep.equal([id]);
      expect(expanded.user.id).to.equal(buyer.userId);
    }
    const { next_cursor: cursor } = first.body.pagination;
    expect(first.body.links.next).to.equal(
      `/v1/orders?status=pending&expand=user,items&limit=20&cursor=${cursor}`,
    );
    const rest = await buyer.get(first.body.links.next);
    expect(rest.body.data.map(({ expanded }: Json) => Object.keys(expanded))).to.deep.equal([
      ['user', 'items'],
      ['user', 'items'],
    ]);
    for (const query of [`cursor=${cursor}`, `cursor=${cursor}&expand=payments&limit=3`]) {
      const other = await buyer.get(`/v1/orders?status=pending&${query}`);
      expect(idsOf(other.body.data)).to.deep.equal(idsOf(orders.slice(20)));
    }
    const few = await buyer.get('/v1/orders?expand=items&limit=7&sort=-id');
    expect(few.body.pagination.limit).to.equal(7);
    const ofUser = await buyer.get(`/v1/users/${buyer.userId}/orders?expand=payments&limit=21`);
    expect(ofUser.body.data[19].expanded).to.deep.equal({ payments: [] });
    expect((await buyer.get('/v1/payments?expand=order')).body.data).to.deep.equal([]);
  });

  it('shows at most a hundred of each, and says where there are more', async () => {
    const buyer = await service.person('customer');
    const product = await newProduct(service);
    const items = Array.from({ length: 100 }, () => ({ product_id: product.id, quantity: 1 }));
    const many = expectCreated(await buyer.post('/v1/orders', { items }), '/v1/orders');
    const few = await newOrder(buyer, product);
    const expandedOf = async ({ id }: Json) =>
      expectOneExpanded(await buyer.get(`/v1/orders/${id}?expand=items`));
    expect((await expandedOf(many)).items).to.have.lengthOf(100);
    expect(await expandedOf(many)).to.have.all.keys('items');
    await addItem(buyer, many, product);
    const [manyMore, fewer] = (await buyer.get('/v1/orders?expand=items')).body.data;
    expect(manyMore.expanded.items).to.have.lengthOf(100);
    expect(manyMore.expanded.items_has_more).to.equal(true);
    expect(fewer.id).to.equal(few.id);
    expect(fewer.expanded.items).to.have.lengthOf(1);
    expect(fewer.expanded).to.have.all.keys('items');
  });

  const expectOneExpanded = ({ status, body, text }: ApiResponse): Json => {
    expect(status, text).to.equal(200);
    return body.data.expanded;
  };
});

describeService('A new order', {}, (service) => {
  it('is returned with its items on request, also when its key is repeated', async () => {
    const buyer = await service.person('customer');
    const product = await newProduct(service);
    const body = { product_id: product.id, quantity: 2 };
    const key = once();
    const first = await buyer.post('/v1/orders?expand=items', body, key);
    expect(first.status, first.text).to.equal(201);
    expect(first.headers.get('etag')).to.equal(null);
    const { id, expanded } = first.body.data;
    expect(first.headers.get('location')).to.equal(`/v1/orders/${id}`);
    expect(expanded).to.deep.equal({ items: [await firstItem(buyer, { id })] });
    const again = await buyer.post('/v1/orders?expand=items', body, key);
    expect(again.headers.get('idempotent-replayed')).to.equal('true');
    expect(again.body).to.deep.equal(first.body);
    expectProblem(await buyer.post('/v1/orders', body, key), '422 IDEMPOTENCY_KEY_REUSED');
    expectOne(await buyer.get(`/v1/orders/${id}`));
  });

  it('takes no other name and no other parameter', async () => {
    const body = { product_id: nowhere, quantity: 1 };
    for (const [query, field] of [
      ['expand=payments', 'expand'],
      ['expand=user', 'expand'],
      ['expand=items,user', 'expand'],
      ['limit=1', 'limit'],
    ] as const) {
      const response = await service.operator.post(`/v1/orders?${query}`, body);
      expectProblem(response, '422 VALIDATION_ERROR', [field]);
    }
  });

  it('is not placed when the caller may not read its items', async () => {
    const buyer = await service.person('customer', ['orders:write']);
    const product = await newProduct(service, { stock: 1 });
    const response = await buyer.post('/v1/orders?expand=items', { product_id: product.id, quantity: 1 });
    expectProblem(response, '403 FORBIDDEN');
    expect((await service.operator.get(`/v1/products/${product.id}`)).body.data.stock).to.equal(1);
  });
});
