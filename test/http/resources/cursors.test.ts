import { expect } from 'chai';
import fc from 'fast-check';
import { Cursor } from '#adapters/http/routing/cursor.ts';
import type { Id } from '#domain/resource.ts';
import type { ApiResponse, Json } from '../support/client.ts';
import { listOperations } from '../support/described.ts';
import { idsOf } from '../support/expectations.ts';
import { expectProblem } from '../support/protocol.ts';
import { describeService } from '../support/service.ts';
import { newOrder, newProduct } from '../support/shop.ts';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

describeService('A cursor', {}, (service) => {
  let rows: string[];
  let cursor: string;
  const list = (query: string, path = '/v1/products'): Promise<ApiResponse> =>
    service.operator.get(`${path}?${query}`);
  const expectForeign = (response: ApiResponse) =>
    expectProblem(response, '422 VALIDATION_ERROR', ['cursor']);

  before(async () => {
    const products: Json[] = [];
    for (let count = 0; count < 7; count += 1) products.push(await newProduct(service));
    rows = idsOf(products);
    cursor = (await list('limit=3')).body.pagination.next_cursor;
  });

  it('is base64url text that needs no percent-encoding', () => {
    expect(cursor).to.match(/^[A-Za-z0-9_-]+$/);
  });

  it('continues after its page, with any limit', async () => {
    for (const limit of [1, 2, 4, 100]) {
      const { body } = await list(`cursor=${cursor}&limit=${limit}`);
      expect(idsOf(body.data)).to.deep.equal(rows.slice(3, 3 + limit));
    }
    expect(idsOf((await list(`cursor=${cursor}`)).body.data)).to.deep.equal(rows.slice(3));
  });

  it('is rejected with any bit flipped', async () => {
    for (let place = 0; place < cursor.length; place += 1) {
      for (let bit = 0; bit < 6; bit += 1) {
        const flipped = alphabet.charAt(alphabet.indexOf(cursor.charAt(place)) ^ (1 << bit));
        expectForeign(await list(`cursor=${cursor.slice(0, place)}${flipped}${cursor.slice(place + 1)}`));
      }
    }
  });

  it('is rejected when it is truncated or extended', async () => {
    for (let length = 0; length < cursor.length; length += 1) {
      expectForeign(await list(`cursor=${cursor.slice(0, length)}`));
    }
    for (const more of ['A', '=', '==', 'AAAA', cursor]) {
      expectForeign(await list(`cursor=${cursor}${encodeURIComponent(more)}`));
    }
  });

  it('is rejected when it is invented', async () => {
    const isNoCursor = async (text: string): Promise<void> =>
      expectForeign(await list(`cursor=${encodeURIComponent(text)}`));
    for (const text of ['', '%%', '0', '-1', rows[2] ?? '', 'null', '../..', "' OR 1=1", '\0', '😀']) {
      await isNoCursor(text);
    }
    const madeUp = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc
        .uint8Array({ minLength: 24, maxLength: 24 })
        .map((bytes) => Buffer.from(bytes).toString('base64url')),
    );
    await fc.assert(fc.asyncProperty(madeUp, isNoCursor), { numRuns: 50 });
  });

  it('with invalid percent-encoding is a bad request', async () => {
    for (const text of ['%%', '%', '%f', '%zz', '%ff', '%ed%a0%80']) {
      expectProblem(await list(`cursor=${text}`), '400 BAD_REQUEST');
    }
  });

  it('is rejected for another list, or with another filter', async () => {
    for (const { path } of listOperations) {
      if (path !== '/v1/products' && !path.includes('{')) expectForeign(await list(`cursor=${cursor}`, path));
    }
    expectForeign(await list(`cursor=${cursor}&status=active`));
    expectForeign(await list(`cursor=${cursor}&sku=A`));
    const active = (await list('limit=2&status=active')).body.pagination.next_cursor;
    expectForeign(await list(`cursor=${active}`));
    expectForeign(await list(`cursor=${active}&status=draft`));
    expect((await list(`status=active&cursor=${active}`)).status).to.equal(200);
  });

  it('of one user’s orders is rejected for another user’s', async () => {
    const product = await newProduct(service);
    const buyers = [await service.person('customer'), await service.person('customer')] as const;
    for (const buyer of buyers) for (const _ of [1, 2]) await newOrder(buyer, product);
    const [one, other] = buyers.map(({ userId }) => `/v1/users/${userId}/orders`);
    const next = (await list('limit=1', one)).body.pagination.next_cursor;
    expect((await list(`cursor=${next}`, one)).body.data).to.have.lengthOf(1);
    expectForeign(await list(`cursor=${next}`, other));
    const all = (await list('limit=1', '/v1/orders')).body.pagination.next_cursor;
    expectForeign(await list(`cursor=${all}&user_id=${buyers[0].userId}`, '/v1/orders'));
  });

  it('continues in a path with the same id in capitals', async () => {
    const product = await newProduct(service);
    const buyer = await service.person('customer');
    for (const _ of [1, 2, 3]) await newOrder(buyer, product);
    const [path, other] = [buyer.userId, buyer.userId.toUpperCase()].map((id) => `/v1/users/${id}/orders`);
    const whole = idsOf((await list('', path)).body.data);
    const first = (await list('limit=1', path)).body.pagination.next_cursor;
    const second = (await list(`limit=1&cursor=${first}`, other)).body;
    expect(idsOf(second.data)).to.deep.equal(whole.slice(1, 2));
    const third = (await list(`cursor=${second.pagination.next_cursor}`, path)).body;
    expect(idsOf(third.data)).to.deep.equal(whole.slice(2));
  });

  it('of version 0.1.0 continues as it was written, also with expansions', async () => {
    const product = await newProduct(service);
    const buyer = await service.person('customer');
    for (const _ of [1, 2]) await newOrder(buyer, product);
    const id = buyer.userId.toUpperCase();
    for (const [path, filter] of [
      [`/v1/users/${id}/orders`, 'status=pending'],
      ['/v1/orders', `user_id=${id}`],
    ] as const) {
      const [first, second] = idsOf((await list(filter, path)).body.data);
      const old = Cursor.encode(`${path}?${filter}&`, first as Id);
      for (const query of [filter, `expand=items&${filter}&limit=5`]) {
        const { status, body } = await list(`${query}&cursor=${old}`, path);
        expect(status, query).to.equal(200);
        expect(idsOf(body.data)).to.deep.equal([second]);
      }
    }
  });

  it('reveals no resource that the client may not read', async () => {
    const product = await newProduct(service);
    const buyers = [await service.person('customer'), await service.person('customer')] as const;
    // Alternating, so that orders of the other user follow the cursor too.
    const own: string[] = [];
    for (const _ of [1, 2]) {
      await newOrder(buyers[0], product);
      own.push((await newOrder(buyers[1], product)).id);
    }
    const { body } = await buyers[0].get('/v1/orders?limit=1');
    const seen = await buyers[1].get(`/v1/orders?cursor=${body.pagination.next_cursor}`);
    expect(idsOf(seen.body.data)).to.deep.equal(own);
  });

  it('continues after a row that was deleted meanwhile', async () => {
    const next = (await list('limit=2')).body.pagination.next_cursor;
    expect((await service.operator.delete(`/v1/products/${rows[1]}`)).status).to.equal(204);
    const { body } = await list(`limit=2&cursor=${next}`);
    expect(idsOf(body.data)).to.deep.equal(rows.slice(2, 4));
  });
});
