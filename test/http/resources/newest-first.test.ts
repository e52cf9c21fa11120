import { expect } from 'chai';
import type { ApiResponse, Json } from '../support/client.ts';
import { listOperations } from '../support/described.ts';
import { expectList, idsOf } from '../support/expectations.ts';
import { expectProblem } from '../support/protocol.ts';
import { describeService } from '../support/service.ts';
import { changingProducts, newOrder, newPayment, newProduct, nowhere, orderNow } from '../support/shop.ts';

describeService('A list with the newest first', {}, (service) => {
  const get = (path: string): Promise<ApiResponse> => service.operator.get(path);

  /** Follows the links of a list to its last page. */
  const walk = async (path: string, between = async (): Promise<unknown> => undefined): Promise<string[]> => {
    const seen: string[] = [];
    for (let next: string | null = path; next !== null; ) {
      const { status, body, text }: Json = await get(next);
      expect(status, text).to.equal(200);
      seen.push(...idsOf(body.data));
      expect(seen.length).to.be.below(1_000);
      next = body.links.next;
      await between();
    }
    return seen;
  };

  it('is the other one from its end, page by page', async () => {
    const product = await newProduct(service);
    const buyer = await service.person('customer');
    const orders: string[] = [];
    for (let count = 0; count < 7; count += 1) orders.push((await newOrder(buyer, product)).id);
    for (const path of ['/v1/orders', `/v1/users/${buyer.userId}/orders`]) {
      const filter = path === '/v1/orders' ? `&user_id=${buyer.userId}&status=pending` : '';
      expect(await walk(`${path}?sort=-id&limit=3${filter}`)).to.deep.equal(orders.toReversed());
      expect(await walk(`${path}?limit=3${filter}`)).to.deep.equal(orders);
    }
  });

  it('neither repeats nor skips rows while others are added and deleted', async () => {
    const { staying, change } = await changingProducts(service, (ids) => ids.shift());
    const seen = await walk('/v1/products?limit=3&sort=-id', change);
    expect(new Set(seen).size).to.equal(seen.length);
    expect(seen).to.deep.equal(seen.toSorted().reverse());
    expect(seen).to.include.members(staying);
  });

  it('has cursors of its own, and links that keep its order', async () => {
    for (const _ of [1, 2, 3]) await newProduct(service);
    const newest = (await get('/v1/products?sort=-id&limit=2')).body;
    expect(newest.links.next).to.equal(
      `/v1/products?sort=-id&limit=2&cursor=${newest.pagination.next_cursor}`,
    );
    const oldest = (await get('/v1/products?limit=2')).body;
    for (const query of [
      `cursor=${newest.pagination.next_cursor}`,
      `sort=-id&cursor=${oldest.pagination.next_cursor}`,
      `sort=-id&status=active&cursor=${newest.pagination.next_cursor}`,
    ]) {
      expectProblem(await get(`/v1/products?${query}`), '422 VALIDATION_ERROR', ['cursor']);
    }
    const more = await get(`/v1/products?cursor=${newest.pagination.next_cursor}&limit=1&sort=-id`);
    expect(more.body.data).to.have.lengthOf(1);
  });
});

/** Of version 0.1.0, each behind the first of the ids below, in a list as its client had spelled the filters. */
const earlierCursors = [
  ['/v1/orders?', 'AZypRQoAcRGiIjMzMzMzMzu72A9HiZPL'],
  [
    '/v1/orders?status=paid&user_id=019CA945-0A00-7111-A222-333333333334&',
    'AZypRQoAcRGiIjMzMzMzM8Xcy7V_riYy',
  ],
  [
    '/v1/orders?user_id=019CA945-0A00-7111-A222-333333333334&limit=7&status=paid&',
    'AZypRQoAcRGiIjMzMzMzM8Xcy7V_riYy',
  ],
  ['/v1/users?email=Grace%40Example.com&', 'AZypRQoAcRGiIjMzMzMzM34z4vDIxtnA'],
  ['/v1/products?sku=a%20b&status=active&', 'AZypRQoAcRGiIjMzMzMzMwYFUBqTdWvL'],
] as const;

describeService('A cursor', {}, (service) => {
  const get = (path: string): Promise<ApiResponse> => service.operator.get(path);

  it('of an earlier release is still accepted, with filters and without', async () => {
    for (const [list, cursor] of earlierCursors) {
      const response = await get(`${list}cursor=${cursor}`);
      expect(response.status, `${list} ${response.text}`).to.equal(200);
    }
    const [[, cursor]] = earlierCursors;
    expectProblem(await get(`/v1/orders?sort=-id&cursor=${cursor}`), '422 VALIDATION_ERROR', ['cursor']);
  });

  it('goes on however its filters are spelled', async () => {
    const product = await newProduct(service);
    const buyer = await service.person('customer');
    for (const _ of [1, 2]) await newOrder(buyer, product);
    const { body } = await get(
      `/v1/orders?limit=1&user_id=${buyer.userId}&created_from=2026-01-01T00:00:00Z&status=pending`,
    );
    const cursor = body.pagination.next_cursor;
    const id = buyer.userId.toUpperCase();
    for (const query of [
      `status=pending&created_from=2026-01-01T01:00:00.000%2B01:00&user_id=${id}`,
      `user_id=${id}&st%61tus=pending&&created_from=2025-12-31t23:30:00-00:30`,
    ]) {
      const next = await get(`/v1/orders?${query}&cursor=${cursor}`);
      expect(next.status, next.text).to.equal(200);
      expect(next.body.data).to.have.lengthOf(1);
    }
    const other = `status=pending&created_from=2026-01-01T00:00:00.001Z&user_id=${id}`;
    expectProblem(await get(`/v1/orders?${other}&cursor=${cursor}`), '422 VALIDATION_ERROR', ['cursor']);
    const next = new URL(body.links.next, 'http://portico.test');
    expect(Object.fromEntries(next.searchParams)).to.deep.equal({
      ...{ created_from: '2026-01-01T00:00:00.000Z', status: 'pending', user_id: buyer.userId },
      ...{ limit: '1', cursor },
    });
  });
});

describeService('A list of a period', {}, (service) => {
  let orders: Json[];
  let buyer: Awaited<ReturnType<typeof service.person>>;
  before(async () => {
    buyer = await service.person('customer');
    const product = await newProduct(service);
    orders = [];
    for (let count = 0; count < 4; count += 1) {
      orders.push(await newOrder(buyer, product));
      await new Promise((resolve) => setTimeout(resolve, 3));
    }
  });

  const listed = async (query: string, path = '/v1/orders'): Promise<string[]> =>
    idsOf((await service.operator.get(`${path}?${query}`)).body.data);

  it('includes its first instant, and excludes its last', async () => {
    const [, second, third, fourth] = orders;
    for (const path of ['/v1/orders', `/v1/users/${buyer.userId}/orders`]) {
      const query = `created_from=${second?.created_at}&created_before=${fourth?.created_at}`;
      expect(await listed(query, path)).to.deep.equal(idsOf([second, third]));
      expect(await listed(`${query}&sort=-id`, path)).to.deep.equal(idsOf([third, second]));
      expect(await listed(`${query}&status=paid`, path)).to.deep.equal([]);
    }
  });

  it('compares with times that are finer than a millisecond', async () => {
    const [first, second, third, fourth] = orders;
    const finer = second?.created_at.replace('Z', '000001Z');
    expect(await listed(`created_from=${finer}`)).to.deep.equal(idsOf([third, fourth]));
    expect(await listed(`created_before=${finer}`)).to.deep.equal(idsOf([first, second]));
  });

  it('is empty when it ends before it begins, or at once', async () => {
    const [, second, third] = orders;
    expect(await listed(`created_from=${third?.created_at}&created_before=${second?.created_at}`)).to.be
      .empty;
    expect(await listed(`created_from=${third?.created_at}&created_before=${third?.created_at}`)).to.be.empty;
  });

  it('is possible where the document says so', async () => {
    const lists = listOperations.filter(({ parameters }) =>
      parameters.some(({ name }) => name === 'created_from'),
    );
    expect(lists.map(({ path }) => path).sort()).to.deep.equal([
      '/v1/orders',
      '/v1/payments',
      '/v1/refunds',
      '/v1/reviews',
      '/v1/users',
      '/v1/users/{user_id}/orders',
    ]);
    expect(await listed(`created_before=${orders[0]?.created_at}`, '/v1/users')).to.include(buyer.userId);
    for (const path of ['/v1/payments', '/v1/refunds', '/v1/reviews']) {
      expect(await listed('created_from=2000-01-01T00:00:00Z', path)).to.deep.equal([]);
    }
  });
});

describeService('A list of what was paid', {}, (service) => {
  it('has the orders whose payment came in its period, by id, whatever became of them since', async () => {
    const { operator } = service;
    const product = await newProduct(service);
    const buyer = await service.person('customer');
    const placed = [
      await newOrder(buyer, product),
      await newOrder(buyer, product),
      await newOrder(buyer, product),
    ];
    const [first, second, unpaid] = placed;
    const paid: Json[] = [];
    for (const each of [second, first]) {
      await newPayment(buyer, each);
      paid.push(await orderNow(buyer, each));
      await new Promise((resolve) => setTimeout(resolve, 3));
    }
    const [earlier, later] = paid.map(({ paid_at: at }) => at);
    expect(earlier < later).to.equal(true);
    expect((await orderNow(buyer, unpaid)).paid_at).to.equal(null);
    await operator.patch(`/v1/orders/${second.id}`, { status: 'fulfilled' });
    const listed = async (query: string, path = '/v1/orders') =>
      idsOf((await operator.get(`${path}?${query}`)).body.data);
    for (const path of ['/v1/orders', `/v1/users/${buyer.userId}/orders`]) {
      expect(await listed(`paid_from=${earlier}`, path)).to.deep.equal(idsOf([first, second]));
      expect(await listed(`paid_from=${earlier}&sort=-id`, path)).to.deep.equal(idsOf([second, first]));
      expect(await listed(`paid_from=${earlier}&paid_before=${later}`, path)).to.deep.equal(idsOf([second]));
      expect(await listed(`paid_before=${later}&status=paid`, path)).to.deep.equal([]);
      expect(await listed(`paid_from=${earlier}&created_before=${second.created_at}`, path)).to.deep.equal(
        idsOf([first]),
      );
      expect(await listed(`paid_from=${later}&paid_before=${earlier}`, path)).to.deep.equal([]);
    }
    const page = (await operator.get(`/v1/orders?paid_from=${earlier}&limit=1`)).body;
    expect(idsOf((await operator.get(page.links.next)).body.data)).to.deep.equal(idsOf([second]));
    expectProblem(
      await operator.get(`/v1/orders?paid_from=${later}&cursor=${page.pagination.next_cursor}`),
      ...(['422 VALIDATION_ERROR', ['cursor']] as const),
    );
  });

  it('is possible for orders alone', async () => {
    const lists = listOperations.filter(({ parameters }) =>
      parameters.some(({ name }) => name === 'paid_from' || name === 'paid_before'),
    );
    expect(lists.map(({ path }) => path).sort()).to.deep.equal(['/v1/orders', '/v1/users/{user_id}/orders']);
  });
});

describeService('A list is filtered', {}, (service) => {
  it('by the number of an order, however it is spelled', async () => {
    const product = await newProduct(service);
    const [buyer, other] = [await service.person('customer'), await service.person('customer')];
    const { id, number } = await newOrder(buyer, product);
    await newOrder(buyer, product);
    for (const spelled of [
      number,
      number.toLowerCase(),
      number.replaceAll('-', ''),
      number.replaceAll('-', ' '),
    ]) {
      const query = `number=${encodeURIComponent(spelled)}`;
      expect(idsOf(expectList(await service.operator.get(`/v1/orders?${query}`)))).to.deep.equal([id]);
      expect(idsOf(expectList(await buyer.get(`/v1/orders?${query}`)))).to.deep.equal([id]);
      expect(expectList(await other.get(`/v1/orders?${query}`))).to.deep.equal([]);
    }
  });

  it('by role of users, status of payments, external id, and user of API keys', async () => {
    const { operator } = service;
    const staff = await service.person('staff');
    const product = await newProduct(service);
    const order = await newOrder(staff, product);
    const declined = { order_id: order.id, payment_method: 'tok_declined' };
    await staff.post('/v1/payments', declined, { 'Idempotency-Key': nowhere });
    const list = async (path: string, client = operator) => expectList(await client.get(path));
    expect(idsOf(await list('/v1/users?role=staff'))).to.deep.equal([staff.userId]);
    expect(await list('/v1/payments?status=failed')).to.have.lengthOf(1);
    expect(await list('/v1/payments?status=succeeded')).to.deep.equal([]);
    expect(await list('/v1/orders?external_id=ERP-4711')).to.deep.equal([]);
    expect(await list('/v1/users?external_id=ERP-4711')).to.deep.equal([]);
    const keys = await list(`/v1/api-keys?user_id=${staff.userId}`);
    expect(keys.map(({ user_id }) => user_id)).to.deep.equal([staff.userId]);
    expect(await list(`/v1/api-keys?user_id=${staff.userId}`, staff)).to.have.lengthOf(1);
    const { userId } = await service.person('customer');
    expect(await list(`/v1/api-keys?user_id=${userId}`, staff)).to.deep.equal([]);
  });
});
