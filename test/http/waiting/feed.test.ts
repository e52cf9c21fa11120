import { expect } from 'chai';
import type { Store } from '#adapters/persistence/store.ts';
import { type App, startApp } from '#bootstrap/composition/app.ts';
import { readConfig } from '#bootstrap/config/config.ts';
import { Instant } from '#domain/instant.ts';
import { inStoreAt } from '../../support/store-at.ts';
import { localKinds } from '../../support/test-databases.ts';
import { type ApiResponse, Client, type Json } from '../support/client.ts';
import { idsOf } from '../support/expectations.ts';
import { describeServiceInSimulatedTime, registered } from '../support/service.ts';
import { newOrder, newProduct } from '../support/shop.ts';
import { observed, untilWaiting } from '../support/waiting.ts';
import { describeWaitForFeed } from './feed.suite.ts';

const path = '/v1/events';

describeWaitForFeed(localKinds);

/** A reader at the end of the feed. */
const readerAt = async (client: Client, filter = '') => {
  const { body } = await client.get(`${path}?start=latest&${filter}`);
  const link: string = body.links.resume;
  return (prefer: string): Promise<ApiResponse> => client.get(link, { Prefer: prefer });
};

describeServiceInSimulatedTime('Waiting for the feed', observed, (service) => {
  const staff = registered(service, 'staff');

  for (const [prefer, applied, expectedMs] of [
    ['wait=1', 'wait=1', 1_000],
    ['wait=31', 'wait=30', 30_000],
  ] as const) {
    it(`ends with an empty page when the time has passed, at most 30 seconds, and the next request goes on there (${prefer})`, async () => {
      const read = await readerAt(staff);
      const [response, milliseconds] = await service.time.during(read(prefer), 50);
      expect(milliseconds).to.be.within(expectedMs, expectedMs + 300);
      expect(response.body.data).to.deep.equal([]);
      expect(response.headers.get('Preference-Applied')).to.equal(applied);
      const product = await newProduct(service);
      const [news] = (await staff.get(response.body.links.resume, { Prefer: 'wait=1' })).body.data;
      expect(news.subject.id).to.equal(product.id);
    });
  }

  it('ends within 50 ms after an event of this process', async () => {
    const read = await readerAt(staff);
    const waiting = read('wait=20');
    await untilWaiting(service, 1);
    const product = await newProduct(service);
    const [{ body }, milliseconds] = await service.time.during(waiting, 1);
    expect(body.data.map(({ subject }: Json) => subject.id)).to.deep.equal([product.id]);
    expect(milliseconds).to.be.below(50);
  });

  it('does not happen where the page has events', async () => {
    const [response, milliseconds] = await service.time.during(staff.get(path, { Prefer: 'wait=20' }));
    expect(response.body.data).to.have.length.above(0);
    expect(response.headers.get('Preference-Applied')).to.equal('wait=20');
    expect(milliseconds).to.be.below(500);
  });

  it('does not happen without the preference, and any other is ignored', async () => {
    for (const headers of [{}, { Prefer: 'respond-async' }, { Prefer: 'wait=0' }, { Prefer: 'wait' }]) {
      const [response, milliseconds] = await service.time.during(
        staff.get(`${path}?start=latest`, headers as Record<string, string>),
      );
      expect(milliseconds).to.be.below(500);
      expect(response.headers.has('Preference-Applied')).to.equal(false);
      expect(response.headers.get('Vary')).to.equal('Prefer');
    }
  });

  it('with start=latest is for what comes after the request', async () => {
    const waiting = staff.get(`${path}?start=latest`, { Prefer: 'wait=20' });
    await untilWaiting(service, 1);
    const product = await newProduct(service);
    const { body } = await waiting;
    expect(body.data.map(({ subject }: Json) => subject.id)).to.deep.equal([product.id]);
  });

  it('is for the events that the filter matches', async () => {
    const buyer = await service.person('customer');
    const order = await newOrder(buyer, await newProduct(service));
    const read = await readerAt(staff, `order_id=${order.id}&type=order.*`);
    const waiting = read('wait=20');
    await untilWaiting(service, 1);
    await newOrder(buyer, await newProduct(service));
    await service.time.pass(1_000);
    await untilWaiting(service, 1);
    const changed = await buyer.patch(`/v1/orders/${order.id}`, { status: 'canceled' });
    expect(changed.status).to.equal(200);
    const { body } = await waiting;
    expect(body.data.map(({ type }: Json) => type)).to.deep.equal(['order.canceled']);
  });

  it('wakes every reader, and each gets the same events', async () => {
    const read = await readerAt(staff);
    const waiting = Promise.all(Array.from({ length: 20 }, () => read('wait=20')));
    await untilWaiting(service, 20);
    await newProduct(service);
    const pages = (await waiting).map(({ body }) => idsOf(body.data).join());
    expect(new Set(pages).size).to.equal(1);
    expect(pages[0]).to.have.length(36);
  });
});

describeServiceInSimulatedTime(
  'Waiting for the feed',
  observed,
  (service) => {
    /** Works on the same file as another process does. */
    const beside = (work: Parameters<Store['unitOfWork']['run']>[0]) =>
      inStoreAt(service.databaseUrl, ({ unitOfWork }) => unitOfWork.run(work));

    it('without a position begins at what is kept, also when events are deleted meanwhile', async () => {
      const staff = await service.person('staff');
      const waiting = staff.get(`${path}?type=dispute.*`, { Prefer: 'wait=1' });
      await untilWaiting(service, 1);
      const future = Instant.at(Date.UTC(2999, 0, 1));
      await beside(({ events }) => events.deleteOlder(future, future));
      const [{ status, headers, body }] = await service.time.during(waiting);
      expect(status, JSON.stringify(body)).to.equal(200);
      expect(headers.get('Preference-Applied')).to.equal('wait=1');
      expect(body.data).to.deep.equal([]);
      expect((await staff.get(body.links.resume)).status, 'at what is kept').to.equal(200);
    });

    let app: App | undefined;
    afterEach(async () => {
      await app?.close();
      app = undefined;
    });

    it('ends within 150 ms after an event of another process', async () => {
      const staff = await service.person('staff');
      const { token: key = '' } = service.operator;
      app = await startApp(
        readConfig({
          ...{ DATABASE_URL: service.databaseUrl, PORT: '0', OPS_PORT: '0', LOG_LEVEL: 'silent' },
          ...{ ADMIN_API_KEY: key, RATE_LIMIT_MAX: '1000000' },
        }),
      );
      const { url } = app;
      const elsewhere = { operator: new Client(() => url, key) };
      const delays: number[] = [];
      for (const sinceBegin of [0, 15, 30, 45, 60, 75, 90]) {
        const read = await readerAt(staff);
        const waiting = read('wait=20');
        await untilWaiting(service, 1);
        if (sinceBegin > 0) await service.time.pass(sinceBegin);
        const { id } = await newProduct(elsewhere);
        const [{ body }, milliseconds] = await service.time.during(waiting, 1);
        expect(body.data.map(({ subject }: Json) => subject.id)).to.deep.equal([id]);
        delays.push(milliseconds);
      }
      expect(Math.max(...delays), delays.join()).to.be.within(75, 150);
    });

    it('holds no connection: others are served meanwhile', async () => {
      const staff = await service.person('staff');
      const read = await readerAt(staff);
      const waiting = Promise.all(Array.from({ length: 20 }, () => read('wait=20')));
      await untilWaiting(service, 20);
      const [, milliseconds] = await service.time.during(staff.get('/v1/products'));
      expect(milliseconds).to.be.below(500);
      await newProduct(service);
      expect((await waiting).every(({ body }) => body.data.length === 1)).to.equal(true);
    });
  },
  { kind: 'sqlite' },
);
