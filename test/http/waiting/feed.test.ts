import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { openStore } from '#bootstrap/composition/ports/open-store.ts';
import { readConfig } from '#bootstrap/config/config.ts';
import { Instant } from '#domain/instant.ts';
import type { ApiResponse, Client, Json } from '../support/client.ts';
import { idsOf } from '../support/expectations.ts';
import { describeService, describeServiceOnEachStore, describeServiceOnMemory } from '../support/service.ts';
import { newOrder, newProduct } from '../support/shop.ts';
import { timed, untilItWaits } from '../support/waiting.ts';

const path = '/v1/events';

/** A reader at the end of the feed. */
const readerAt = async (client: Client, filter = '') => {
  const { body } = await client.get(`${path}?start=latest&${filter}`);
  const link: string = body.links.resume;
  return (prefer: string): Promise<ApiResponse> => client.get(link, { Prefer: prefer });
};

describeServiceOnEachStore('A request that waits for the feed', {}, (service) => {
  /** A reader behind the event of a new product: a store may show events a moment after their commit. */
  const readerBehindAll = async (staff: Client) => {
    const { id } = await newProduct(service);
    for (let link = path; ; ) {
      const { body } = await staff.get(link, { Prefer: 'wait=5' });
      link = body.links.resume;
      if (body.data.some(({ subject }: Json) => subject.id === id))
        return (prefer: string) => staff.get(link, { Prefer: prefer });
    }
  };

  it('gets an event within 150 ms after it is visible, long before its time has passed', async () => {
    const staff = await service.person('staff');
    const delays: number[] = [];
    for (const _ of [1, 2, 3]) {
      const read = await readerBehindAll(staff);
      const waiting = read('wait=20');
      await pause(untilItWaits);
      const product = await newProduct(service);
      const changed = performance.now();
      const { body, headers } = await waiting;
      delays.push(performance.now() - changed);
      expect(body.data.map(({ subject }: Json) => subject.id)).to.deep.equal([product.id]);
      expect(headers.get('Preference-Applied')).to.equal('wait=20');
      expect(headers.get('Vary')).to.equal('Prefer');
    }
    // The others may have met a machine without time.
    expect(Math.min(...delays)).to.be.below(150);
  });

  it('gets an event that has come between the read and the wait', async () => {
    const staff = await service.person('staff');
    for (const round of [1, 2, 3, 4, 5]) {
      const read = await readerBehindAll(staff);
      const [waited, product] = await Promise.all([read('wait=5'), newProduct(service)]);
      expect(waited.body.data[0]?.subject.id, `round ${round}`).to.equal(product.id);
    }
  });
});

describeServiceOnMemory('Waiting for the feed', {}, (service) => {
  let staff: Client;
  before(async () => {
    staff = await service.person('staff');
  });

  it('ends with an empty page when the time has passed, and the next request goes on there', async () => {
    const read = await readerAt(staff);
    const [response, milliseconds] = await timed(read('wait=1'));
    expect(milliseconds).to.be.within(990, 1_500);
    expect(response.body.data).to.deep.equal([]);
    expect(response.headers.get('Preference-Applied')).to.equal('wait=1');
    const product = await newProduct(service);
    const [news] = (await staff.get(response.body.links.resume, { Prefer: 'wait=1' })).body.data;
    expect(news.subject.id).to.equal(product.id);
  });

  it('does not happen where the page has events', async () => {
    const [response, milliseconds] = await timed(staff.get(path, { Prefer: 'wait=20' }));
    expect(response.body.data).to.have.length.above(0);
    expect(response.headers.get('Preference-Applied')).to.equal('wait=20');
    expect(milliseconds).to.be.below(500);
  });

  it('does not happen without the preference, and any other is ignored', async () => {
    for (const headers of [{}, { Prefer: 'respond-async' }, { Prefer: 'wait=0' }, { Prefer: 'wait' }]) {
      const [response, milliseconds] = await timed(
        staff.get(`${path}?start=latest`, headers as Record<string, string>),
      );
      expect(milliseconds).to.be.below(500);
      expect(response.headers.has('Preference-Applied')).to.equal(false);
      expect(response.headers.get('Vary')).to.equal('Prefer');
    }
  });

  it('with more than 30 seconds is for 30', async () => {
    const read = await readerAt(staff);
    const waiting = read('wait=31');
    await pause(untilItWaits);
    await newProduct(service);
    expect((await waiting).headers.get('Preference-Applied')).to.equal('wait=30');
  });

  it('with start=latest is for what comes after the request', async () => {
    const waiting = staff.get(`${path}?start=latest`, { Prefer: 'wait=20' });
    await pause(untilItWaits);
    const product = await newProduct(service);
    const { body } = await waiting;
    expect(body.data.map(({ subject }: Json) => subject.id)).to.deep.equal([product.id]);
  });

  it('is for the events that the filter matches', async () => {
    const buyer = await service.person('customer');
    const order = await newOrder(buyer, await newProduct(service));
    const read = await readerAt(staff, `order_id=${order.id}&type=order.*`);
    const waiting = timed(read('wait=20'));
    await pause(untilItWaits);
    await newOrder(buyer, await newProduct(service));
    await pause(untilItWaits);
    const changed = await buyer.patch(`/v1/orders/${order.id}`, { status: 'canceled' });
    expect(changed.status).to.equal(200);
    const [{ body }, milliseconds] = await waiting;
    expect(body.data.map(({ type }: Json) => type)).to.deep.equal(['order.canceled']);
    expect(milliseconds).to.be.above(2 * untilItWaits - 20);
  });

  it('wakes every reader, and each gets the same events', async () => {
    const read = await readerAt(staff);
    const waiting = Promise.all(Array.from({ length: 20 }, () => read('wait=20')));
    await pause(untilItWaits);
    await newProduct(service);
    const pages = (await waiting).map(({ body }) => idsOf(body.data).join());
    expect(new Set(pages).size).to.equal(1);
    expect(pages[0]).to.have.length(36);
  });
});

describeService('Waiting for the feed', {}, (service) => {
  it('without a position begins at what is kept, also when events are deleted meanwhile', async () => {
    const staff = await service.person('staff');
    const waiting = staff.get(`${path}?type=dispute.*`, { Prefer: 'wait=1' });
    await pause(untilItWaits);
    const store = await openStore(readConfig({ DATABASE_URL: service.databaseUrl }).database);
    const future = Instant.at(Date.UTC(2999, 0, 1));
    await store.unitOfWork
      .run(({ events }) => events.deleteOlder(future, future))
      .finally(() => store.close());
    const { status, headers, body } = await waiting;
    expect(status, JSON.stringify(body)).to.equal(200);
    expect(headers.get('Preference-Applied')).to.equal('wait=1');
    expect(body.data).to.deep.equal([]);
    expect((await staff.get(body.links.resume)).status, 'at what is kept').to.equal(200);
  });

  it('holds no connection: others are served meanwhile', async () => {
    const staff = await service.person('staff');
    const read = await readerAt(staff);
    const waiting = Promise.all(Array.from({ length: 20 }, () => read('wait=20')));
    await pause(untilItWaits);
    const [, milliseconds] = await timed(staff.get('/v1/products'));
    expect(milliseconds).to.be.below(500);
    await newProduct(service);
    expect((await waiting).every(({ body }) => body.data.length === 1)).to.equal(true);
  });
});
