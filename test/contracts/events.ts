import { expect } from 'chai';
import { sleep } from '#adapters/support/time.ts';
import { erasedEventsBatchSize } from '#application/events/erase-events.ts';
import type { EventFilter } from '#application/ports/events.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import { type Event, eventTypePatterns, type NewEvent, typesMatching } from '#domain/event.ts';
import { EventId } from '#domain/event-id.ts';
import type { OrderId } from '#domain/order.ts';
import { Product } from '#domain/product.ts';
import type { Resource } from '#domain/resource.ts';
import type { UserId } from '#domain/user.ts';
import { newId } from '../support/machine.ts';
import { anEvent, appendTo, numberAll, visibleEvents } from './events-support.ts';
import { existing, mocha, rejectionOf, type Suite, storeFor } from './harness.ts';
import { aFullPurchase, aProduct, aPurchase, awkward, later, noon, sampleOf } from './samples.ts';
import { alike } from './texts.ts';

/** The most types that an API request can ask for, those of one subject, with the rarest of `types` first. */
const mostTypes = eventTypePatterns
  .map(typesMatching)
  .toSorted((one, other) => other.length - one.length)
  .slice(0, 1)
  .flatMap((types) => [...types.filter((type) => type !== 'order.created'), 'order.created' as const]);

/** The contract of `EventStore`, in one process after the other. */
export const describeEvents: Suite = (adapter, open, runner = mocha()) =>
  runner.describe(`${adapter}: events`, () => {
    const { it } = runner;
    const store = storeFor(open, runner);

    const read = <T>(reading: Parameters<UnitOfWork['read']>[0]) =>
      store.unitOfWork.read(reading) as Promise<T>;
    const lastSequence = async () => (await store.unitOfWork.read(({ events }) => events.feed())).last;
    /** Appends in one unit of work. @returns the events as they are visible then */
    const append = async (list: readonly NewEvent[]): Promise<readonly Event[]> => {
      const last = await lastSequence();
      await appendTo(store, list);
      return visibleEvents(store, last);
    };
    const page = (filter: EventFilter, after: number, limit: number) =>
      store.unitOfWork.read(({ events }) => events.page(filter, { after, limit }));
    const walk = async (filter: EventFilter, after: number, limit: number): Promise<readonly Event[]> => {
      const { rows, hasMore } = await page(filter, after, limit);
      if (hasMore) expect(rows).to.have.lengthOf(limit);
      const last = rows.at(-1);
      if (hasMore) expect(last?.sequence, 'a walk that ends').to.be.above(after);
      return hasMore && last ? [...rows, ...(await walk(filter, last.sequence, limit))] : rows;
    };

    it('of a unit of work that is rolled back leave nothing, not even a hole', async () => {
      const product = aProduct();
      const last = await lastSequence();
      const failing = store.unitOfWork.run(async ({ events, products }) => {
        await products.add(product);
        await events.append([anEvent({ data: product })]);
        throw new RangeError('changed my mind');
      });
      expect(await rejectionOf(failing)).to.be.instanceOf(RangeError);
      const next = anEvent();
      const [event, ...others] = await append([next]);
      expect(others).to.deep.equal([]);
      expect(event).to.deep.include({ sequence: last + 1, subject: next.subject });
    });

    it('of a change that a constraint rejects leave nothing', async () => {
      const product = aProduct({ sku: newId() });
      await store.unitOfWork.run(({ products }) => products.add(product));
      const last = await lastSequence();
      const failing = store.unitOfWork.run(async ({ events, products }) => {
        await events.append([anEvent({ data: product })]);
        await products.add({ ...aProduct(), sku: product.sku });
      });
      expect(await rejectionOf(failing)).to.include({ kind: 'conflict' });
      await numberAll(store);
      expect(await visibleEvents(store, last)).to.deep.equal([]);
    });

    it('of a unit of work that is run again are those of its last run', async () => {
      const product = aProduct();
      await store.unitOfWork.run(({ products }) => products.add(product));
      const last = await lastSequence();
      const change = (details: object) =>
        store.unitOfWork.run(async ({ products, events }) => {
          const found = existing(await products.find(product.id));
          await sleep(5);
          const changed = Product.change(found, details, later(1));
          await events.append([anEvent({ data: changed, type: 'product.updated' })]);
          await products.save(changed);
        });
      await Promise.all([change({ name: 'Mate' }), change({ description: 'Mild' })]);
      await numberAll(store);
      const visible = await visibleEvents(store, last);
      expect(visible.map(({ subject }) => subject.version)).to.deep.equal([2, 3]);
    });

    it('have ids of version 7 that ascend with their sequences', async () => {
      const all = [...(await append([anEvent(), anEvent(), anEvent()])), ...(await append([anEvent()]))];
      const ids = all.map(({ id }) => id);
      for (const id of ids)
        expect(id).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect([...ids].sort()).to.deep.equal(ids);
      expect(new Set(ids).size).to.equal(4);
    });

    it('are found by their ids, and by no other', async () => {
      const [event] = await append([anEvent()]);
      const { id, sequence } = existing(event);
      const others = [
        EventId.of(EventId.prefix(EventId.milliseconds(id) + 1, newId()), sequence),
        EventId.of(id.slice(0, -10), sequence + 1),
        newId<EventId>(),
      ];
      const found = await store.unitOfWork.read(({ events }) =>
        Promise.all([id, ...others].map((each) => events.find(each))),
      );
      expect(found).to.deep.equal([event, undefined, undefined, undefined]);
    });

    it('come back as they were appended, whatever characters they contain', async () => {
      const samples: readonly Resource[] = [aPurchase(), aFullPurchase()].flatMap((purchase) =>
        Object.values(sampleOf).map((sample): Resource => sample(purchase)),
      );
      const texts = [
        ...alike,
        awkward,
        '"',
        '\\u0000',
        '\u2028',
        '\ud800',
        '日本語 עברית हिन्दी ไทย 한국어 😀',
      ];
      const cause = (text: string): NewEvent['cause'] => ({
        ...{ kind: 'request', requestId: text, userId: newId(), idempotencyKey: text },
      });
      const list = [
        ...samples.map((data) => anEvent({ data, changed: ['name', 'price'] })),
        ...texts.map((name) => anEvent({ data: { ...aProduct(), name } as Product, cause: cause(name) })),
        anEvent({ data: { ...aProduct(), description: '\u{1f511}'.repeat(50_000) } as Product }),
        anEvent({ orderId: newId(), userId: null, timestamp: later(1), type: 'order.paid' }),
        anEvent({ orderId: null, userId: newId(), type: 'user.erased' }),
      ];
      const visible = await append(list);
      expect(visible).to.have.lengthOf(list.length);
      for (const [index, event] of visible.entries()) {
        const { id, sequence, version, createdAt, updatedAt, ...rest } = event;
        const { timestamp } = existing(list[index]);
        expect({ version, createdAt, updatedAt }).to.deep.equal({
          ...{ version: 1, createdAt: timestamp, updatedAt: timestamp },
        });
        expect(rest).to.deep.equal(list[index]);
        expect(id).to.equal(EventId.of(id.slice(0, -10), sequence));
      }
    });

    it('of a later release come back as they were appended, whatever they tell of', async () => {
      const [orderId, userId] = [newId<OrderId>(), newId<UserId>()];
      const gift = { ...aProduct(), wrapped: true, lines: [{ text: 'For you' }] };
      const { tags: _tags, stock: _stock, ...older } = aProduct();
      const ofLaterRelease = (type: string, data: Resource, details: Partial<NewEvent> = {}): NewEvent => {
        const subject = { type: type.slice(0, type.indexOf('.')), id: data.id, version: data.version };
        return anEvent({ ...{ ...({ type, subject } as NewEvent), data }, ...details });
      };
      const cause = { kind: 'schedule', requestId: null, userId: null, idempotencyKey: null, plan: 'weekly' };
      const list = [
        ofLaterRelease('gift_parcel.sent', gift, { orderId }),
        ofLaterRelease('product.renamed', gift, { userId, changed: ['wrapped'] }),
        // It has fewer fields than this release writes.
        ofLaterRelease('order.created', older as Resource, { orderId }),
        ofLaterRelease('gift_parcel.lost', gift, { cause: cause as unknown as NewEvent['cause'], userId }),
      ];
      const last = await lastSequence();
      const visible = await append(list);
      const told = (events: readonly Event[]) =>
        events.map(({ id: _, sequence: __, version: ___, createdAt: _c, updatedAt: _u, ...rest }) => rest);
      expect(told(visible)).to.deep.equal(list);
      const types = [list[0], list[3]].map((one) => existing(one).type);
      expect(told((await page({ types }, last, 10)).rows)).to.deep.equal([list[0], list[3]]);
      expect(told((await page({ orderId }, 0, 10)).rows)).to.deep.equal([list[0], list[2]]);
      const ofUser = await store.unitOfWork.read(({ events }) =>
        events.ofUser(userId, { after: 0, limit: 10 }),
      );
      expect(told(ofUser)).to.deep.equal([list[1], list[3]]);
      for (const event of visible)
        expect(await store.unitOfWork.read(({ events }) => events.find(event.id))).to.deep.equal(event);
    });

    it('of one unit of work keep their order, however many they are', async () => {
      const last = await lastSequence();
      const list = Array.from({ length: 1_203 }, () => anEvent());
      const visible = await append(list);
      expect(visible.map(({ subject }) => subject.id)).to.deep.equal(list.map(({ subject }) => subject.id));
      expect(visible.map(({ sequence }) => sequence)).to.deep.equal(list.map((_, index) => last + 1 + index));
    });

    it('of several calls in one unit of work keep the order of the calls', async () => {
      const list = Array.from({ length: 5 }, () => anEvent());
      const last = await lastSequence();
      await store.unitOfWork.run(async ({ events }) => {
        await events.append(list.slice(0, 1));
        await events.append([]);
        await events.append(list.slice(1, 4));
        await events.append(list.slice(4));
      });
      await numberAll(store);
      const visible = await visibleEvents(store, last);
      expect(visible.map(({ subject }) => subject.id)).to.deep.equal(list.map(({ subject }) => subject.id));
    });

    it('are listed in pages, all of them and those of an order, of a type or of several types', async () => {
      const [one, other] = [newId<OrderId>(), newId<OrderId>()];
      const types = [
        'order.created',
        'order.paid',
        'payment.succeeded',
        'product.updated',
        'order.created',
      ] as const;
      const list = Array.from({ length: 23 }, (_, index) =>
        anEvent({
          type: types[index % types.length] ?? 'order.created',
          orderId: [one, other, null][index % 3] ?? null,
        }),
      );
      const last = await lastSequence();
      const all = await append(list);
      const filters: readonly EventFilter[] = [
        {},
        { orderId: one },
        { orderId: newId<OrderId>() },
        { types: ['order.created'] },
        { types: ['order.created', 'payment.succeeded'] },
        { types: ['product.updated', 'order.paid', 'review.deleted'] },
        { types: ['review.deleted'] },
        { types: mostTypes },
        { orderId: one, types: ['order.created'] },
        { orderId: other, types: ['order.created', 'order.paid'] },
        { orderId: one, types: ['review.deleted', 'refund.pending'] },
      ];
      for (const filter of filters) {
        const { orderId, types: wanted } = filter;
        const matching = all.filter(
          (event) =>
            (orderId === undefined || event.orderId === orderId) &&
            (wanted === undefined || wanted.includes(event.type)),
        );
        for (const limit of [1, 2, 7, 100, 1_000])
          expect(await walk(filter, last, limit), JSON.stringify({ filter, limit })).to.deep.equal(matching);
        const middle = last + 11;
        const rest = matching.filter(({ sequence }) => sequence > middle);
        expect((await page(filter, middle, 100)).rows).to.deep.equal(rest);
        expect(await page(filter, middle, Math.max(1, rest.length))).to.deep.equal({
          rows: rest,
          hasMore: false,
        });
      }
      const end = existing(all.at(-1)).sequence;
      for (const after of [end, end + 1, end + 1_000_000])
        expect(await page({}, after, 5)).to.deep.equal({ rows: [], hasMore: false });
    });

    it('are listed in a page as long as it was asked for, all of them and those of a user', async () => {
      const userId = newId<UserId>();
      const last = await lastSequence();
      const all = await append(Array.from({ length: 1_100 }, () => anEvent({ userId })));
      const sequences = (events: readonly Event[]) => events.map(({ sequence }) => sequence);
      for (const limit of [550, 1_100, 5_000]) {
        const { rows, hasMore } = await page({}, last, limit);
        expect(sequences(rows)).to.deep.equal(sequences(all.slice(0, limit)));
        expect(hasMore, `more than ${limit}`).to.equal(limit < all.length);
        const own = await read<readonly Event[]>(({ events }) =>
          events.ofUser(userId, { after: last, limit }),
        );
        expect(sequences(own)).to.deep.equal(sequences(all.slice(0, limit)));
      }
    });

    it('of a user are found in order behind a sequence, and none of another or of an order', async () => {
      const userId = newId<UserId>();
      const all = await append([
        anEvent({ userId }),
        anEvent({ userId: newId<UserId>() }),
        anEvent({ orderId: newId<OrderId>() }),
        anEvent({ userId }),
        anEvent({ userId }),
      ]);
      const own = all.filter((event) => event.userId === userId);
      const find = (after: number, limit: number) =>
        read<readonly Event[]>(({ events }) => events.ofUser(userId, { after, limit }));
      expect(own).to.have.lengthOf(3);
      expect(await find(0, 100)).to.deep.equal(own);
      expect(await find(0, 2)).to.deep.equal(own.slice(0, 2));
      expect(await find(existing(own[0]).sequence, 100)).to.deep.equal(own.slice(1));
    });

    it('are replaced in batches as long as an erasure makes them, with long texts, and again', async () => {
      const all = await append(Array.from({ length: erasedEventsBatchSize }, () => anEvent()));
      const after = existing(all[0]).sequence - 1;
      for (const description of ['erased', '\u{1f511}'.repeat(50_000)]) {
        const replaced = all.map((event, place) => ({
          ...event,
          // Long texts are dear, and one of them shows it.
          data: { ...event.data, description: place === 70 ? description : `${place}` } as Resource,
          cause: { ...event.cause, requestId: `${awkward} ${description.length} ${place}` },
        }));
        await store.unitOfWork.run(({ events }) => events.replace(replaced));
        expect(await visibleEvents(store, after)).to.deep.equal(replaced);
      }
    });

    it('are replaced in data and cause, and in nothing else', async () => {
      const asked: Event['cause'] = {
        ...{ kind: 'request', requestId: 'r-1', userId: newId(), idempotencyKey: 'k-1' },
      };
      const all = await append([
        anEvent(),
        anEvent({ changed: ['name'], orderId: newId<OrderId>(), cause: asked }),
        anEvent({ cause: asked }),
      ]);
      const [first, second, third] = all.map(existing);
      if (first === undefined || second === undefined || third === undefined)
        throw new Error('There are three.');
      const data = { ...aProduct(), name: `${awkward} erased` } as Product;
      const cause: Event['cause'] = {
        ...{ kind: 'command', requestId: null, userId: null, idempotencyKey: null },
      };
      const another = anEvent({ type: 'user.deleted', timestamp: later(9), changed: ['x'], userId: newId() });
      const given: Event = { ...second, ...another, data, cause, version: 7 };
      const failing = store.unitOfWork.run(async ({ events }) => {
        await events.replace([given, { ...third, data }]);
        throw new RangeError('changed my mind');
      });
      expect(await rejectionOf(failing)).to.be.instanceOf(RangeError);
      expect(await visibleEvents(store, first.sequence - 1)).to.deep.equal(all);
      await store.unitOfWork.run(({ events }) => events.replace([given, { ...third, data }]));
      const expected = [first, { ...second, data, cause }, { ...third, data }];
      expect(await visibleEvents(store, first.sequence - 1)).to.deep.equal(expected);
      expect(await walk({ types: ['user.deleted'] }, first.sequence - 1, 9)).to.deep.equal([]);
    });
  });

/** What `EventStore` promises about where the feed begins and ends. Each test has a store of its own. */
export const describeFeeds: Suite = (adapter, open, runner = mocha()) =>
  runner.describe(`${adapter}: the feed`, () => {
    const { it } = runner;

    const withStore = async (
      test: (store: Awaited<ReturnType<typeof open>>) => Promise<void>,
    ): Promise<void> => {
      const store = await open();
      await test(store).finally(() => store.close());
    };
    type Own = Parameters<Parameters<typeof withStore>[0]>[0];
    const feedOf = ({ unitOfWork }: Own) => unitOfWork.read(({ events }) => events.feed());
    const deleteOlder = ({ unitOfWork }: Own, than = later(1), now = later(9)) =>
      unitOfWork.run(({ events }) => events.deleteOlder(than, now));
    const sequences = (events: readonly Event[]) => events.map(({ sequence }) => sequence);

    it('is empty at the begin, has an id of its own, and counts from 1', () =>
      withStore(async (store) => {
        const { id, ...empty } = await feedOf(store);
        expect(empty).to.deep.equal({ first: 1, last: 0 });
        expect(id).to.match(/^.{1,36}$/);
        await withStore(async (other) => {
          expect((await feedOf(other)).id).to.not.equal(id);
        });
        await appendTo(store, [anEvent(), anEvent()]);
        expect(sequences(await visibleEvents(store, 0))).to.deep.equal([1, 2]);
        expect(await feedOf(store)).to.deep.equal({ id, first: 1, last: 2 });
      }));

    it('keeps an event as long as one before it', () =>
      withStore(async (store) => {
        for (const milliseconds of [0, 1, 5, 2, 9])
          await appendTo(store, [anEvent({ timestamp: later(milliseconds) })]);
        expect(await deleteOlder(store, noon)).to.equal(false);
        expect(await feedOf(store)).to.include({ first: 1, last: 5 });
        expect(await deleteOlder(store, later(3))).to.equal(false);
        expect(sequences(await visibleEvents(store, 0))).to.deep.equal([3, 4, 5]);
        expect(await feedOf(store)).to.include({ first: 3, last: 5 });
      }));

    it('deletes events whose time is later than now with an old one behind them, because a clock was ahead', () =>
      withStore(async (store) => {
        const isAhead = (sequence: number) => sequence % 50 === 0;
        const events = Array.from({ length: 450 }, (_, index) =>
          anEvent({ timestamp: isAhead(index + 1) ? later(99) : noon }),
        );
        await appendTo(store, events);
        let batches = 0;
        while (await deleteOlder(store)) {
          batches += 1;
          if (batches > events.length) throw new Error('There seems to be no end.');
        }
        expect(sequences(await visibleEvents(store, 0))).to.deep.equal([450]);
        expect(await feedOf(store)).to.include({ first: 450, last: 450 });
      }));

    it('goes on with its sequences and ids when all events are deleted', () =>
      withStore(async (store) => {
        await appendTo(
          store,
          Array.from({ length: 450 }, () => anEvent()),
        );
        const newest = existing((await visibleEvents(store, 449))[0]);
        const failing = store.unitOfWork.run(async ({ events }) => {
          await events.deleteOlder(later(1), later(9));
          throw new RangeError('changed my mind');
        });
        expect(await rejectionOf(failing)).to.be.instanceOf(RangeError);
        expect(await feedOf(store)).to.include({ first: 1, last: 450 });
        for (let batches = 1; await deleteOlder(store); batches += 1)
          if (batches > 450) throw new Error('There seems to be no end.');
        expect(await feedOf(store)).to.include({ first: 451, last: 450 });
        expect(await visibleEvents(store, 0)).to.deep.equal([]);
        await appendTo(store, [anEvent(), anEvent()]);
        const visible = await visibleEvents(store, 0);
        expect(sequences(visible)).to.deep.equal([451, 452]);
        expect(existing(visible[0]).id > newest.id).to.equal(true);
        expect(await feedOf(store)).to.include({ first: 451, last: 452 });
      }));

    it('brings no deleted event back when it is replaced', () =>
      withStore(async (store) => {
        await appendTo(store, [anEvent(), anEvent({ timestamp: later(5) })]);
        const [gone, kept] = (await visibleEvents(store, 0)).map(existing);
        await deleteOlder(store, later(3));
        const data = aProduct();
        const replaced = [gone, kept].map((event) => ({ ...existing(event), data }));
        await store.unitOfWork.run(({ events }) => events.replace(replaced));
        expect(await visibleEvents(store, 0)).to.deep.equal(replaced.slice(1));
        expect(await feedOf(store)).to.include({ first: 2, last: 2 });
      }));

    it('has another id once it is renewed, keeps its events, and later ids ascend', () =>
      withStore(async (store) => {
        await appendTo(store, [anEvent(), anEvent()]);
        const before = await visibleEvents(store, 0);
        // The feed's id is in those of its events, so each of these would let the next ids descend.
        const ids = ['c', '9', '5', '1'].map((digit) => newId().slice(0, -9) + digit.repeat(9));
        for (const id of ids) {
          await store.unitOfWork.run(({ events }) => events.renew(id));
          await appendTo(store, [anEvent()]);
        }
        expect(await feedOf(store)).to.deep.equal({ id: ids.at(-1), first: 1, last: 6 });
        const visible = await visibleEvents(store, 0);
        expect(visible.slice(0, 2)).to.deep.equal(before);
        const all = visible.map(({ id }) => id);
        expect([...all].sort()).to.deep.equal(all);
      }));

    it('takes no event for deleted that waits for its sequence', () =>
      withStore(async (store) => {
        await store.unitOfWork.run(({ events }) => events.append([anEvent(), anEvent()]));
        await deleteOlder(store);
        await numberAll(store);
        const { first, last } = await feedOf(store);
        expect(last).to.equal(2);
        expect(sequences(await visibleEvents(store, 0))).to.deep.equal(first === 1 ? [1, 2] : []);
      }));
  });
