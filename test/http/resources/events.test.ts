import { expect } from 'chai';
import { FeedCursor } from '#adapters/http/routing/feed-cursor.ts';
import { Instant } from '#domain/instant.ts';
import type { ApiResponse, Client, Json } from '../support/client.ts';
import { expectError, expectInvalid, expectOne, idsOf } from '../support/expectations.ts';
import { describeService, describeServiceOnMemory, registered } from '../support/service.ts';
import { newOrder, newProduct, nowhere } from '../support/shop.ts';

describeServiceOnMemory('The feed', {}, (service) => {
  const staff = registered(service, 'staff');
  const path = '/v1/events';
  const feed = (query = '', reader: Client = staff): Promise<ApiResponse> => reader.get(`${path}?${query}`);
  const typesOf = ({ body }: ApiResponse): string[] => body.data.map(({ type }: Json) => type);
  const end = async (filter = ''): Promise<string> =>
    (await feed(`start=latest&${filter}`)).body.pagination.resume_cursor;

  it('shows each event as its own GET does', async () => {
    const from = await end();
    const buyer = await service.person('customer');
    const order = await newOrder(buyer, await newProduct(service));
    const { body } = await feed(`cursor=${from}`);
    const types = ['user.created', 'api_key.created', 'product.created', 'order.created'];
    expect(body.data.map(({ type }: Json) => type)).to.deep.equal(types);
    for (const event of body.data)
      expect(expectOne(await staff.get(`${path}/${event.id}`))).to.deep.equal(event);
    const event = body.data[3];
    const { items, ...data } = event.data;
    expect(data).to.deep.equal(order);
    expect(items).to.deep.equal((await buyer.get(`/v1/orders/${order.id}/items`)).body.data);
    expect(event).to.deep.include({
      ...{ subject: { type: 'order', id: order.id, version: 1 }, order_id: order.id, changed: [] },
      ...{
        timestamp: order.updated_at,
        version: 1,
        created_at: order.updated_at,
        updated_at: order.updated_at,
      },
    });
    expect(event.cause).to.deep.include({ kind: 'request', user_id: buyer.userId, idempotency_key: null });
  });

  it('names the request of a change, and its key to administrators', async () => {
    const from = await end();
    const product = { name: 'Tea', price: { amount: 1, currency: 'EUR' } };
    const headers = { 'X-Request-Id': 'a-request', 'Idempotency-Key': 'a-key' };
    await service.operator.post('/v1/products', product, headers);
    const causeFor = async (reader: Client) => (await feed(`cursor=${from}`, reader)).body.data[0].cause;
    const seen = await causeFor(service.operator);
    expect(seen).to.deep.include({ kind: 'request', request_id: 'a-request', idempotency_key: 'a-key' });
    expect(await causeFor(staff)).to.deep.equal({ ...seen, idempotency_key: null });
    await service.operator.post('/v1/products', product, headers);
    expect(typesOf(await feed(`cursor=${from}`)), 'after a replay').to.deep.equal(['product.created']);
  });

  it('tells below admin that there is a key, and nothing of it', async () => {
    const from = await end();
    await service.person('customer');
    const [, ofStaff] = (await feed(`cursor=${from}`)).body.data;
    const [, ofAdmin] = (await feed(`cursor=${from}`, service.operator)).body.data;
    expect(ofAdmin.type).to.equal('api_key.created');
    expect(ofAdmin.data).to.include({ id: ofAdmin.subject.id, name: 'Test' }).and.not.have.property('token');
    expect(ofStaff.data).to.equal(null);
    expect((await staff.get(`${path}/${ofStaff.id}`)).body.data.data).to.equal(null);
  });

  it('is for staff with the scope events:read', async () => {
    const buyer = await service.person('customer');
    const narrow = await service.person('admin', ['orders:read']);
    const [{ id }] = (await feed('limit=1')).body.data;
    for (const reader of [buyer, narrow])
      for (const address of [path, `${path}/${id}`]) expectError(await reader.get(address), 'FORBIDDEN');
    expectError(await staff.get(`${path}/${nowhere}`), 'NOT_FOUND');
    expectError(await staff.get(`${path}/x`), 'NOT_FOUND');
    expectError(
      await service.operator.post('/v1/api-keys', {
        ...{ name: 'Too much', user_id: buyer.userId, scopes: ['events:read'] },
      }),
      'VALIDATION_ERROR',
      ['scopes'],
    );
    const only = await service.person('staff', ['events:read']);
    expect((await feed('limit=1', only)).status).to.equal(200);
  });

  it('is walked to its end by links, and resumed there', async () => {
    const seen: string[] = [];
    let address = `${path}?limit=3`;
    for (let hasMore = true; hasMore; ) {
      const { body } = await staff.get(address);
      seen.push(...idsOf(body.data));
      expect(body.links.next).to.equal(body.pagination.has_more ? body.links.resume : null);
      expect(body.links.resume).to.equal(`${path}?limit=3&cursor=${body.pagination.resume_cursor}`);
      ({ resume: address } = body.links);
      ({ has_more: hasMore } = body.pagination);
    }
    expect(seen).to.deep.equal([...seen].sort());
    const empty = (await staff.get(address)).body;
    expect(empty.data).to.deep.equal([]);
    expect(empty.links, 'it stays where it is').to.deep.equal({ next: null, resume: address });
    const product = await newProduct(service);
    const [news] = (await staff.get(address)).body.data;
    expect(news).to.deep.include({ type: 'product.created', data: product });
    const sequences = (await feed('limit=100')).body.data.map(({ sequence }: Json) => sequence);
    expect(sequences).to.deep.equal(sequences.map((_one: number, index: number) => index + 1));
  });

  it('is read by order, by type, and by all types of a resource', async () => {
    const product = await newProduct(service);
    const buyer = await service.person('customer');
    const order = await newOrder(buyer, product);
    await newOrder(buyer, product);
    const canceled = await buyer.patch(`/v1/orders/${order.id}`, { status: 'canceled' });
    expect(canceled.status).to.equal(200);
    const both = ['order.created', 'order.canceled'];
    expect(typesOf(await feed(`order_id=${order.id}`))).to.deep.equal(both);
    expect(typesOf(await feed(`order_id=${order.id}&type=order.*`))).to.deep.equal(both);
    expect(typesOf(await feed(`order_id=${order.id}&type=order.canceled`))).to.deep.equal(['order.canceled']);
    expect(typesOf(await feed(`order_id=${order.id}&type=product.*`))).to.deep.equal([]);
    expectInvalid(await feed('type=order'), 'type');
    expectInvalid(await feed('type=*'), 'type');
    expectInvalid(await feed('type=order.created,order.paid'), 'type');
    expectInvalid(await feed('order_id=x'), 'order_id');
  });

  it('has no order but its own, and no period', async () => {
    expectInvalid(await feed('sort=-id'), 'sort');
    expectInvalid(await feed('created_from=2026-01-01T00:00:00Z'), 'created_from');
    expectInvalid(await feed('start=first'), 'start');
    expectInvalid(await feed(`start=latest&cursor=${await end()}`), 'start');
  });

  it('rejects a cursor that is damaged, or of another list or filter', async () => {
    const cursor = await end('type=order.*');
    expect((await feed(`cursor=${cursor}&type=order.*`)).status).to.equal(200);
    expect((await feed(`cursor=${cursor}&type=order.*&limit=1`)).status).to.equal(200);
    for (const query of ['', 'type=order.paid', `order_id=${nowhere}&type=order.*`])
      expectInvalid(await feed(`cursor=${cursor}&${query}`), 'cursor');
    const flipped = (cursor.startsWith('A') ? 'B' : 'A') + cursor.slice(1);
    for (const text of [flipped, cursor.slice(1), `${cursor}A`, '', 'x'])
      expectInvalid(await feed(`cursor=${text}&type=order.*`), 'cursor');
    expectInvalid(await service.operator.get(`/v1/products?cursor=${await end()}`), 'cursor');
    await newProduct(service);
    await newProduct(service);
    const other = (await service.operator.get('/v1/products?limit=1')).body.pagination.next_cursor;
    expectInvalid(await feed(`cursor=${other}`), 'cursor');
  });

  it('says that a cursor is of another feed', async () => {
    const cursor = FeedCursor.encode(`${path}?`, 'another-feed', 1);
    const response = await feed(`cursor=${cursor}`);
    expectError(response, 'EVENTS_FORGOTTEN', ['cursor']);
    expectInvalid(await feed(`cursor=${cursor}&type=order.*`), 'cursor');
  });
});

describeService('A reader of the feed', {}, (service) => {
  const resume = async (path: string): Promise<Json> => (await service.operator.get(path)).body;
  const forget = () =>
    service.whileStopped(async ({ unitOfWork }) => {
      const future = Instant.at(Date.UTC(2999, 0, 1));
      await unitOfWork.run(({ events }) => events.deleteOlder(future, future));
    });

  it('is told when events that it has not read are deleted, and goes on at the end', async () => {
    const behind = (await resume('/v1/events?start=latest')).links.resume;
    const other = (await resume('/v1/events?start=latest&type=dispute.*')).links.resume;
    await newProduct(service);
    const whole = await resume(behind);
    const { resume: end } = (await resume(whole.links.resume)).links;
    await forget();
    for (const path of [behind, other])
      expectError(await service.operator.get(path), 'EVENTS_FORGOTTEN', ['cursor']);
    expect((await resume(end)).data).to.deep.equal([]);
    expect((await resume('/v1/events?limit=20')).links.resume, 'begins at what is kept').to.equal(end);
    await newProduct(service);
    const [news] = (await resume(end)).data;
    expect(news.sequence, 'after a restart').to.equal(whole.data.at(-1).sequence + 1);
  });
});
