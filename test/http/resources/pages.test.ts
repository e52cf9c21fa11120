import { expect } from 'chai';
import type { Client, Json } from '../support/client.ts';
import { listOperations } from '../support/described.ts';
import { expectCreated, expectList, idsOf } from '../support/expectations.ts';
import { pathOf } from '../support/request-errors.ts';
import { describeService, type Service } from '../support/service.ts';
import {
  firstItem,
  newOrder,
  newPaidOrder,
  newPayment,
  newProduct,
  once,
  pay,
  refund,
  stockOf,
} from '../support/shop.ts';
import { newDisabledEndpoint } from '../support/webhooks.ts';

/** Follows the links of a list to its last page. @returns the pages */
const walk = async (client: Client, path: string, between = async () => undefined): Promise<Json[][]> => {
  const pages: Json[][] = [];
  for (let next: string | null = path; next !== null; ) {
    const { status, body, text }: Json = await client.get(next);
    expect(status, text).to.equal(200);
    pages.push(body.data);
    expect(body.links.next === null).to.equal(body.pagination.next_cursor === null);
    expect(body.pagination.has_more).to.equal(body.links.next !== null);
    next = body.links.next;
    expect(pages.length).to.be.below(1000);
    if (next !== null) await between();
  }
  return pages;
};

describeService('A list', {}, (service) => {
  for (const rows of [0, 1, 2, 3, 4, 5, 6]) {
    it(`of ${rows} has pages of three, and a shorter last page`, async () => {
      const product = await newProduct(service);
      const buyer = await service.person('customer');
      const orders: Json[] = [];
      for (let count = 0; count < rows; count += 1) orders.push(await newOrder(buyer, product));
      const pages = await walk(buyer, '/v1/orders?limit=3');
      expect(idsOf(pages.flat())).to.deep.equal(idsOf(orders));
      expect(pages.slice(0, -1).every((page) => page.length === 3)).to.equal(true);
      expect(pages).to.have.lengthOf(Math.max(1, Math.ceil(rows / 3)));
    });
  }

  it('of twenty has one page, and of twenty-one two', async () => {
    const buyer = await service.person('customer');
    const product = await newProduct(service);
    for (let count = 0; count < 20; count += 1) await newOrder(buyer, product);
    expect((await walk(buyer, '/v1/orders')).map(({ length }) => length)).to.deep.equal([20]);
    await newOrder(buyer, product);
    expect((await walk(buyer, '/v1/orders')).map(({ length }) => length)).to.deep.equal([20, 1]);
  });

  it('links to its next page with path, limit, cursor and filters', async () => {
    for (let count = 0; count < 3; count += 1) await newProduct(service, { sku: `a&b=${count}` });
    const { body } = await service.operator.get('/v1/products?limit=2&status=active');
    const next = new URL(body.links.next, 'http://portico.test');
    expect(body.links.next).to.match(/^\/v1\/products\?/);
    expect(Object.fromEntries(next.searchParams)).to.deep.equal({
      status: 'active',
      limit: '2',
      cursor: body.pagination.next_cursor,
    });
  });

  it('of every resource is complete when all its pages are read', async () => {
    const lists = await everyList(service);
    const walked = lists.map(([address]) => pathOf(address));
    // Disputes come from the provider alone, and an endpoint has two secrets at most: their own tests have their lists.
    const others = ['/v1/disputes', '/v1/webhook-endpoints/{endpoint_id}/secrets'];
    for (const { path } of listOperations.filter(({ path: one }) => !others.includes(one))) {
      const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
      expect(
        walked.some((address) => pattern.test(address)),
        `${path} in everyList`,
      ).to.equal(true);
    }
    for (const [path, client] of lists) {
      const whole = expectList(await client.get(`${path}${path.includes('?') ? '&' : '?'}limit=100`));
      const pages = await walk(client, `${path}${path.includes('?') ? '&' : '?'}limit=2`);
      expect(idsOf(pages.flat()), path).to.deep.equal(idsOf(whole));
      expect(pages.length, path).to.be.at.least(2);
    }
  });

  it('neither repeats nor skips rows while others are added and deleted', async () => {
    const staying: string[] = [];
    const going: string[] = [];
    for (let count = 0; count < 40; count += 1) {
      const { id } = await newProduct(service);
      (count % 2 === 0 ? staying : going).push(id);
    }
    const change = async (): Promise<undefined> => {
      const leaving = going.pop();
      await Promise.all([
        newProduct(service),
        ...(leaving === undefined ? [] : [service.operator.delete(`/v1/products/${leaving}`)]),
      ]);
    };
    const seen = idsOf((await walk(service.operator, '/v1/products?limit=3', change)).flat());
    expect(new Set(seen).size).to.equal(seen.length);
    expect(seen).to.deep.equal(seen.toSorted());
    expect(seen).to.include.members(staying);
  });

  it('is complete for readers while many clients write', async () => {
    const staying = idsOf(await Promise.all(Array.from({ length: 20 }, () => newProduct(service))));
    let isOver = false;
    const write = async (): Promise<void> => {
      while (!isOver) {
        const { id } = await newProduct(service);
        await service.operator.delete(`/v1/products/${id}`);
      }
    };
    const writers = [write(), write(), write()];
    for (let time = 0; time < 3; time += 1) {
      const seen = idsOf((await walk(service.operator, '/v1/products?limit=7')).flat());
      expect(new Set(seen).size).to.equal(seen.length);
      expect(seen).to.include.members(staying);
    }
    isOver = true;
    await Promise.all(writers);
  });
});

/** Every list of the API with at least three rows, and a client that may read it. */
const everyList = async (service: Service): Promise<readonly (readonly [string, Client])[]> => {
  const { operator } = service;
  const product = await newProduct(service, { stock: 100 });
  const buyer = await service.person('customer');
  for (let count = 0; count < 3; count += 1) {
    const paid = await newPaidOrder(buyer, product);
    await buyer.post('/v1/reviews', { item_id: (await firstItem(buyer, paid)).id, rating: 4 });
    await operator.post('/v1/api-keys', { name: `Key ${count}`, user_id: buyer.userId });
  }
  const order = await newOrder(buyer, product);
  for (let count = 0; count < 3; count += 1) {
    await buyer.post(`/v1/orders/${order.id}/items`, { product_id: product.id, quantity: 1 });
    await pay(buyer, order, 'tok_declined');
  }
  const payment = await newPayment(buyer, order);
  for (let count = 0; count < 3; count += 1) {
    await refund(operator, payment, { amount: { amount: 1, currency: 'EUR' } });
  }
  expect(await stockOf(service, product)).to.equal(93);
  for (let count = 0; count < 3; count += 1)
    await operator.post('/v1/stock-changes', { product_id: product.id, change: 1 });
  for (let count = 0; count < 3; count += 1) {
    await operator.post('/v1/erasures', { user_id: (await service.person('customer')).userId });
  }
  for (let count = 0; count < 3; count += 1) {
    const { id: order_id } = await newOrder(buyer, product);
    const body = { order_id, payment_method: 'tok_ok', capture: 'manual' };
    const { id: payment_id } = expectCreated(
      await operator.post('/v1/payments', body, once()),
      '/v1/payments',
    );
    await operator.post('/v1/captures', { payment_id }, once());
  }
  for (let count = 0; count < 3; count += 1) {
    const { id: endpoint_id } = await newDisabledEndpoint(operator);
    await operator.post('/v1/webhook-deliveries', { endpoint_id, event_type: 'order.paid' });
  }
  return [
    ['/v1/captures', operator],
    ['/v1/webhook-endpoints', operator],
    ['/v1/webhook-deliveries', operator],
    ['/v1/webhook-deliveries?status=pending', operator],
    ['/v1/events?type=api_key.created', operator],
    ['/v1/idempotency-keys', buyer],
    ['/v1/idempotency-keys?status=completed', buyer],
    ['/v1/products', operator],
    ['/v1/products?status=active', buyer],
    ['/v1/users', operator],
    ['/v1/erasures', operator],
    [`/v1/users/${buyer.userId}/orders`, operator],
    [`/v1/users/${buyer.userId}/orders?status=paid`, buyer],
    ['/v1/orders', buyer],
    [`/v1/orders?user_id=${buyer.userId}&status=paid`, operator],
    [`/v1/orders/${order.id}/items`, buyer],
    ['/v1/reviews', buyer],
    [`/v1/reviews?user_id=${buyer.userId}&product_id=${product.id}`, buyer],
    ['/v1/payments', buyer],
    [`/v1/payments?order_id=${order.id}`, operator],
    ['/v1/refunds', operator],
    [`/v1/refunds?payment_id=${payment.id}`, buyer],
    ['/v1/api-keys', buyer],
    ['/v1/api-keys', operator],
    ['/v1/stock-changes', operator],
    [`/v1/stock-changes?product_id=${product.id}`, operator],
  ];
};
