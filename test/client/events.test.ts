import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import {
  EventsForgottenError,
  type EventsOptions,
  type FeedItem,
  orThrow,
  type Portico,
  PorticoError,
  portico,
} from '#adapters/http/client/index.ts';
import { FeedCursor } from '#adapters/http/routing/feed-cursor.ts';
import { endOfTurn } from '#adapters/support/time.ts';
import { describeServiceOnMemory } from '../http/support/service.ts';
import { newOrder, newProduct } from '../http/support/shop.ts';
import { Shop } from './shop.ts';
import { TurningTime } from './turning-time.ts';

/** Reads so many events. */
const take = async (reader: Portico, count: number, options: EventsOptions = {}): Promise<FeedItem[]> => {
  const items: FeedItem[] = [];
  for await (const item of reader.events(options)) {
    items.push(item);
    if (items.length === count) break;
  }
  return items;
};

const sequencesOf = (items: readonly FeedItem[]): number[] => items.map(({ event }) => event.sequence);
const countTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

describeServiceOnMemory('The feed, read with the client,', {}, (service) => {
  const shop = new Shop(service);
  const { time, wire } = shop;
  let reader: Portico;
  /** How many events there are. */
  let total = 0;

  before(async () => {
    reader = await shop.client('staff', { timeoutMilliseconds: 1_000 });
    for (let count = 0; count < 12; count += 1) await newProduct(service);
    const { data } = orThrow(await reader.send('GET /events', { query: { limit: 100 } }));
    total = data.length;
  });

  const endOfFeed = async (): Promise<string> =>
    orThrow(await reader.send('GET /events', { query: { start: 'latest' } })).pagination.resume_cursor;

  it('has each event once and in order, although responses get lost', async () => {
    wire.expect('none', 'answer lost', 'bad gateway', 'none', 'not sent', 'answer cut', 'portal');
    const items = await take(reader, total, { query: { limit: 3 } });
    expect(sequencesOf(items)).to.deep.equal(countTo(total));
  });

  it('goes on behind each event whose cursor was stored, also within a page', async () => {
    for (const limit of [1, 2, 5, 100]) {
      const items = await take(reader, total, { query: { limit } });
      for (const { event, cursor } of items.slice(0, -1)) {
        // A page of another size: that may change from one run of a program to the next.
        const [next] = await take(reader, 1, { cursor, query: { limit: 4 } });
        expect(next?.event.sequence, `after ${event.sequence}, in pages of ${limit}`).to.equal(
          event.sequence + 1,
        );
      }
    }
  });

  it('is exact for a reader that crashes anywhere and stores each cursor with its event', async () => {
    const seen: number[] = [];
    let stored: string | undefined;
    for (let life = 1; seen.length < total; life += 1) {
      const items = await take(reader, Math.min(life, total - seen.length), { cursor: stored });
      for (const { event, cursor } of items) {
        seen.push(event.sequence);
        stored = cursor;
      }
    }
    expect(seen).to.deep.equal(countTo(total));
  });

  it('ends within a page when its signal is aborted', async () => {
    const stop = new AbortController();
    const seen: number[] = [];
    const reading = (async () => {
      for await (const { event } of reader.events({ signal: stop.signal })) {
        seen.push(event.sequence);
        if (seen.length === 3) stop.abort(new Error('It stops.'));
      }
    })();
    expect(await reading.catch((error: unknown) => String(error))).to.equal('Error: It stops.');
    expect(seen).to.deep.equal([1, 2, 3]);
  });

  it('waits for the next event in one request', async () => {
    const cursor = await endOfFeed();
    wire.expect();
    const next = take(reader, 1, { cursor });
    // Longer than the timeout of an attempt, to which the wait is added.
    await time.sleep(1_500);
    const product = await newProduct(service);
    const [item] = await next;
    expect(item?.event).to.have.nested.property('subject.id', product.id);
    expect(wire.seen).to.have.length(1);
  });

  it('goes on when the wait has ended without an event', async () => {
    const next = take(reader, 1, { cursor: await endOfFeed(), waitSeconds: 1 });
    await time.sleep(1_300);
    const product = await newProduct(service);
    expect((await next)[0]?.event).to.have.nested.property('subject.id', product.id);
  });

  it('is read from its end, whose cursor comes first, and without a loss behind it', async () => {
    wire.expect('answer lost');
    const pages = reader.eventPages({ start: 'latest' })[Symbol.asyncIterator]();
    const { value: first } = await pages.next();
    expect(first.events).to.deep.equal([]);
    const product = await newProduct(service);
    wire.expect('answer lost', 'answer cut');
    expect((await pages.next()).value.events).to.have.nested.property('[0].subject.id', product.id);
    const [resumed] = await take(reader, 1, { cursor: first.cursor });
    expect(resumed?.event).to.have.nested.property('subject.id', product.id);
  });

  it('prefers the stored cursor to the place to begin', async () => {
    const [, second] = await take(reader, 2);
    const [third] = await take(reader, 1, { cursor: second?.cursor, start: 'latest' });
    expect(third?.event.sequence).to.equal(3);
  });

  it('is filtered by order and type', async () => {
    const cursor = await endOfFeed();
    const buyer = await service.person('customer');
    const order = await newOrder(buyer, await newProduct(service));
    await newOrder(buyer, await newProduct(service));
    await buyer.patch(`/v1/orders/${order.id}`, { status: 'canceled' });
    const typesOf = async (query: EventsOptions['query']) =>
      (await take(reader, 2, { query })).map(({ event: { type, order_id } }) => [
        type,
        order_id === order.id,
      ]);
    expect(await typesOf({ order_id: order.id })).to.deep.equal([
      ['order.created', true],
      ['order.canceled', true],
    ]);
    expect(await typesOf({ type: 'order.*' })).to.deep.equal([
      ['order.created', true],
      ['order.created', false],
    ]);
    const error = await take(reader, 1, { cursor, query: { type: 'order.*' } }).catch((thrown) => thrown);
    expect(error, 'a cursor of another filter').to.have.property('code', 'VALIDATION_ERROR');
  });

  describe('where nothing matches the filters,', () => {
    const query = { type: 'product.deleted' } as const;

    const endOfFilter = async (): Promise<string> =>
      orThrow(await reader.send('GET /events', { query: { start: 'latest', ...query } })).pagination
        .resume_cursor;

    it('goes on at its end once an hour, and skips nothing', async () => {
      const pages = reader.eventPages({ query, waitSeconds: 1 })[Symbol.asyncIterator]();
      const next = async () => (await pages.next()).value;
      const first = await next();
      expect(await next()).to.deep.equal({ events: [], cursor: await endOfFilter() });
      const { id } = await newProduct(service);
      orThrow(await reader.send('DELETE /products/{id}', { path: { id } }));
      const matching = await next();
      expect(matching).to.have.nested.property('events[0].subject.id', id);
      expect((await take(reader, 1, { cursor: first.cursor, query }))[0]).to.have.nested.property(
        'event.subject.id',
        id,
      );

      await newProduct(service);
      let isMoved = false;
      const moving = next().finally(() => {
        isMoved = true;
      });
      await time.sleep(1_500);
      expect(isMoved).to.equal(false);
      time.pass(3_590_000);
      await time.sleep(1_500);
      expect(isMoved).to.equal(false);
      time.pass(10_000);
      await time.sleep(2_500);
      expect(isMoved).to.equal(true);
      expect(await moving).to.deep.equal({ events: [], cursor: await endOfFilter() });
    });

    it('stays where it is when something matches by then', async () => {
      const cursor = await endOfFilter();
      const pages = reader.eventPages({ cursor, query, waitSeconds: 1 })[Symbol.asyncIterator]();
      const { id } = await newProduct(service);
      wire.expect('none', 'silence');
      const next = pages.next();
      while (wire.seen.length < 2) await endOfTurn();
      orThrow(await reader.send('DELETE /products/{id}', { path: { id } }));
      expect((await next).value).to.have.nested.property('events[0].subject.id', id);
    });
  });

  it('is retried longer than other calls of the client', async () => {
    const impatient = await shop.client('staff', { retryForMilliseconds: 0, totalMilliseconds: 1 });
    wire.expect('not sent', 'bad gateway', 'answer lost');
    const failures: number[] = [];
    const [first] = await take(impatient, 1, { onRetry: (_error, attempt) => failures.push(attempt) });
    expect(first?.event.sequence).to.equal(1);
    expect(failures).to.deep.equal([1, 2, 3]);

    wire.expect('not sent');
    const error = await take(impatient, 1, { retryForMilliseconds: 0 }).catch((thrown) => thrown);
    expect(error).to.be.instanceOf(PorticoError).with.property('code', 'UNREACHABLE');
  });

  it('throws a final error', async () => {
    const customer = await shop.client();
    expect(await take(customer, 1).catch((thrown) => thrown)).to.have.property('code', 'FORBIDDEN');
    const damaged = await take(reader, 1, { cursor: '' }).catch((thrown) => thrown);
    expect(damaged, 'never from the beginning').to.have.property('code', 'VALIDATION_ERROR');
  });

  it('throws what to do when events may be gone, also for a cursor within a page', async () => {
    const ofAnotherFeed = FeedCursor.encode('/v1/events?', 'another', 1);
    for (const cursor of [ofAnotherFeed, `${ofAnotherFeed}.2`]) {
      const error = await take(reader, 1, { cursor }).catch((thrown) => thrown);
      expect(error).to.be.instanceOf(EventsForgottenError).and.instanceOf(PorticoError);
      expect(error).to.include({ code: 'EVENTS_FORGOTTEN', status: 410 });
      expect(error.message).to.include("with start: 'latest'");
      expect(error.details).to.have.length(1);
    }
  });

  it('ends when its signal aborts, also while it waits', async () => {
    const cursor = await endOfFeed();
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error('Enough.')), 300);
    const takenMs = await time.taken(async () => {
      const reason = await take(reader, 1, { cursor, signal: controller.signal }).catch((thrown) => thrown);
      expect(reason).to.have.property('message', 'Enough.');
    });
    expect(takenMs).to.be.within(299, 350);
  });
});

describe('The client, where no request can wait,', () => {
  const time = new TurningTime();
  const times: number[] = [];
  let pagination: object = {};
  const server = createServer((_request, response) => {
    times.push(time.now);
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ data: [], pagination }));
  });
  let reader: Portico;
  before(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    reader = portico({ url: `http://127.0.0.1:${port}`, key: 'any' });
  });
  after(() => server.close());

  it('pauses before it asks again', async () => {
    pagination = { next_cursor: null, has_more: false, limit: 100, resume_cursor: 'here' };
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error('Enough.')), 10_000);
    const reason = await take(reader, 1, { cursor: 'here', signal: controller.signal }).catch((e) => e);
    expect(reason).to.have.property('message', 'Enough.');
    const pauses = times.slice(1).map((at, place) => at - (times[place] ?? 0));
    expect(pauses.length).to.be.within(4, 10);
    for (const pauseMs of pauses) expect(pauseMs).to.be.within(1_000, 2_500);
  });

  it('never begins anew when it is not told where to go on', async () => {
    pagination = { next_cursor: null, has_more: false, limit: 100 };
    const error = await take(reader, 1, { cursor: 'here' }).catch((thrown) => thrown);
    expect(error).to.be.instanceOf(PorticoError).with.property('code', 'UNREADABLE');
  });
});
