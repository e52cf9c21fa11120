import type { FeedRow } from '#adapters/persistence/memory/events.ts';
import { MemoryUnitOfWork, openMemory } from '#adapters/persistence/memory/open.ts';
import { emptyTables } from '#adapters/persistence/memory/unit-of-work.ts';
import { sleep } from '#adapters/support/time.ts';
import type { EventStore } from '#application/ports/events.ts';
import type { StoreUnitOfWork } from '#application/ports/unit-of-work.ts';
import { type Event, isKnownEvent, type NewEvent } from '#domain/event.ts';
import { EventId } from '#domain/event-id.ts';
import type { Instant } from '#domain/instant.ts';
import type { Product } from '#domain/product.ts';
import { Random } from '../../support/random.ts';
import { describeEvents, describeFeeds } from '../events.ts';
import { describeFeedOrder } from '../feed-order.ts';
import { existing, type Harness } from '../harness.ts';
import { type WrongAdapter, withMethods, wrongly } from './wrapping.ts';

/** A memory store whose feed has some other methods, in work and in reads. */
const wrongFeed = (wrap: (right: EventStore) => Partial<EventStore>): Promise<Harness> =>
  wrongly((right) => ({
    run: (work, context) =>
      right.run((all) => work({ ...all, events: withMethods(all.events, wrap(all.events)) }), context),
    read: (reading, context) =>
      right.read(
        (all) => reading({ ...all, events: withMethods(all.events, wrap(all.events as EventStore)) }),
        context,
      ),
  }));

/** What a unit of work has appended, before anything is numbered. */
type Collected<T> = { readonly result: T; readonly appended: readonly NewEvent[] };

/** Runs work, and collects what its last run has appended. @param onAppend called at each `append` */
const collecting = async <T>(
  inner: StoreUnitOfWork,
  [work, context]: Parameters<typeof inner.run<T>>,
  onAppend: (events: readonly NewEvent[]) => void = () => undefined,
): Promise<Collected<T>> => {
  let appended: NewEvent[] = [];
  const result = await inner.run((all) => {
    appended = [];
    const append = async (list: readonly NewEvent[]) => {
      onAppend(list);
      appended.push(...list);
    };
    return work({ ...all, events: withMethods(all.events, { append }) });
  }, context);
  return { result, appended };
};

type Waiting = { readonly event: NewEvent; readonly begun: number };

interface SequencerFaults {
  /** In which order waiting events are numbered; by default that of their commits. */
  readonly sort?: (list: readonly Waiting[]) => readonly Waiting[];
  /** Reads what waits before it has the lock. */
  readonly readsBeforeLock?: true;
  /** How many events one call numbers, although it says that there are no more. */
  readonly batchSize?: number;
}

/** A memory store with a queue and a sequencer. */
const sequenced = async ({
  sort = (list) => list,
  readsBeforeLock,
  batchSize = Number.POSITIVE_INFINITY,
}: SequencerFaults): Promise<Harness> => {
  const inner = new MemoryUnitOfWork();
  let queue: readonly Waiting[] = [];
  let begun = 0;
  const random = new Random(1);
  const unitOfWork: StoreUnitOfWork = {
    run: async (work, context) => {
      // Transactions that begin at the same time may get their numbers in any order.
      begun += 1;
      const own = begun + random.next() * 16;
      const { result, appended } = await collecting(inner, [work, context]);
      queue = [...queue, ...appended.map((event) => ({ event, begun: own }))];
      return result;
    },
    read: (reading, context) => inner.read(reading, context),
  };
  const numberEvents = async () => {
    const early = queue;
    let numbered = 0;
    if (early.length === 0) return { numbered, hasMore: false };
    await inner.run(async ({ events }) => {
      const list = (readsBeforeLock ? early : queue).slice(0, batchSize);
      queue = queue.filter((waiting) => !list.includes(waiting));
      numbered = list.length;
      await events.append(sort(list).map(({ event }) => event));
    });
    return { numbered, hasMore: false };
  };
  return { ...(await openMemory()), isSerial: true, unitOfWork, numberEvents };
};

/** Gives a sequence when an event is appended. It is visible a moment after the commit: of every second one, a longer moment. */
const numberedAtInsertion = async (): Promise<Harness> => {
  const rows = emptyTables();
  const inner = new MemoryUnitOfWork(rows);
  let [last, units] = [0, 0];
  const unitOfWork: StoreUnitOfWork = {
    run: async (work, context) => {
      const sequences = new Map<NewEvent, number>();
      const { result, appended } = await collecting(inner, [work, context], (list) => {
        for (const event of list) {
          last += 1;
          sequences.set(event, last);
        }
      });
      units += 1;
      await sleep(units % 2 === 0 ? 1 : 8);
      for (const event of appended) show(rows, event, sequences.get(event) ?? 0);
      return result;
    },
    read: (reading, context) => inner.read(reading, context),
  };
  return { ...(await openMemory()), isSerial: true, unitOfWork };
};

const show = (rows: ReturnType<typeof emptyTables>, event: NewEvent, sequence: number): void => {
  const feed = rows.feed.get('feed') as FeedRow;
  const id = EventId.of(EventId.prefix(Date.parse(event.timestamp), feed.id), sequence);
  const placed: Event = {
    ...{ ...event, id, sequence, version: 1 },
    ...{ createdAt: event.timestamp, updatedAt: event.timestamp },
  };
  rows.events.put(`${sequence}`.padStart(16, '0'), placed);
  rows.feed.put('feed', { ...feed, last: Math.max(feed.last, sequence), lastId: id });
};

/** A counter that a rollback does not set back. */
const holesOfRollbacks = async (): Promise<Harness> => {
  const rows = emptyTables();
  const inner = new MemoryUnitOfWork(rows);
  return {
    ...(await openMemory()),
    isSerial: true,
    unitOfWork: {
      run: async (work, context) => {
        let count = 0;
        try {
          return await inner.run((all) => {
            count = 0;
            const append = async (list: readonly NewEvent[]) => {
              count += list.length;
              await all.events.append(list);
            };
            return work({ ...all, events: withMethods(all.events, { append }) });
          }, context);
        } catch (error) {
          const feed = rows.feed.get('feed') as FeedRow;
          rows.feed.put('feed', { ...feed, last: feed.last + count });
          throw error;
        }
      },
      read: (reading, context) => inner.read(reading, context),
    },
  };
};

/** Events have a transaction of their own. */
const outsideOfTransactions = (): Promise<Harness> =>
  wrongly((right) => ({
    run: (work, context) =>
      right.run((all) => {
        const append = async (list: readonly NewEvent[]) =>
          void right.run(({ events }) => events.append(list));
        return work({ ...all, events: withMethods(all.events, { append }) });
      }, context),
  }));

/** A replacement writes its event, whether there is one or not. */
const bringingBack = async (): Promise<Harness> => {
  const rows = emptyTables();
  const inner = new MemoryUnitOfWork(rows);
  return {
    ...(await openMemory()),
    isSerial: true,
    unitOfWork: {
      run: (work, context) =>
        inner.run((all) => {
          const replace: EventStore['replace'] = async (events) => {
            await all.events.replace(events);
            for (const event of events) {
              const key = `${event.sequence}`.padStart(16, '0');
              if (rows.events.get(key) === undefined) rows.events.put(key, event);
            }
          };
          return work({ ...all, events: withMethods(all.events, { replace }) });
        }, context),
      read: (reading, context) => inner.read(reading, context),
    },
  };
};

const asLongAsAsked = 'are listed in a page as long as it was asked for, all of them and those of a user';
const wholeBatch = 'are replaced in batches as long as an erasure makes them, with long texts, and again';
const notBroughtBack = 'brings no deleted event back when it is replaced';
const ofRollback = 'of a unit of work that is rolled back leave nothing, not even a hole';
const inOrder = 'shows no sequence before a smaller one, and what has seen a change behind it';
const once = 'has each event once, although several processes number at the same time';
const whole = 'come back as they were appended, whatever characters they contain';
const ofLaterRelease = 'of a later release come back as they were appended, whatever they tell of';
const inPages = 'are listed in pages, all of them and those of an order, of a type or of several types';

/**
 * A memory store that deletes other old events.
 * @param select of all events in their order
 */
const wrongDeletion =
  (select: (events: readonly Event[], than: Instant) => readonly Event[]): WrongAdapter[1] =>
  async () => {
    const rows = emptyTables();
    const inner = new MemoryUnitOfWork(rows);
    const unitOfWork: StoreUnitOfWork = {
      run: (work, context) =>
        inner.run((repositories) => {
          const deleteOlder: EventStore['deleteOlder'] = async (than) => {
            const entries = [...rows.events.walk()];
            const all = entries.map(([, event]) => event);
            const deleted = new Set(select(all, than));
            for (const [key, event] of entries) if (deleted.has(event)) rows.events.delete(key);
            return false;
          };
          const events = withMethods(repositories.events, { deleteOlder });
          return work({ ...repositories, events });
        }, context),
      read: (reading, context) => inner.read(reading, context),
    };
    return { ...(await openMemory()), isSerial: true, unitOfWork };
  };

/** Adapters whose feeds lose, repeat or misplace events. */
export const wrongFeeds: readonly WrongAdapter[] = [
  [
    'events that are numbered when they are inserted',
    numberedAtInsertion,
    describeFeedOrder,
    inOrder,
    'has no hole where units of work fail beside others',
  ],
  [
    'events in the order of the begins of their transactions',
    () => sequenced({ sort: (list) => list.toSorted((one, other) => one.begun - other.begun) }),
    describeFeedOrder,
    inOrder,
  ],
  [
    'a sequencer that reads what waits before it has the lock',
    () => sequenced({ readsBeforeLock: true }),
    describeFeedOrder,
    once,
  ],
  ['holes where a unit of work was rolled back', holesOfRollbacks, describeEvents, ofRollback],
  ['events outside of the transaction', outsideOfTransactions, describeEvents, ofRollback],
  [
    'events that are given twice',
    () => wrongFeed((right) => ({ append: (list) => right.append([...list, ...list]) })),
    describeEvents,
    ofRollback,
    'of one unit of work keep their order, however many they are',
  ],
  [
    'events of one unit of work in any order',
    () => wrongFeed((right) => ({ append: (list) => right.append(list.toReversed()) })),
    describeEvents,
    'of one unit of work keep their order, however many they are',
  ],
  [
    'texts of events in another normal form',
    () =>
      wrongFeed((right) => ({
        append: (list) => right.append(JSON.parse(JSON.stringify(list).normalize('NFC'))),
      })),
    describeEvents,
    whole,
  ],
  [
    'pages of the types that this release knows',
    () =>
      wrongFeed((right) => ({
        page: async (filter, request) => {
          const { rows, hasMore } = await right.page(filter, request);
          return { rows: rows.filter(isKnownEvent), hasMore };
        },
      })),
    describeEvents,
    ofLaterRelease,
  ],
  [
    'a type and a subject of a later release that are stored as others',
    () =>
      wrongFeed((right) => ({
        append: (list) =>
          right.append(
            list.map((event) => (isKnownEvent(event) ? event : { ...event, type: 'order.updated' })),
          ),
      })),
    describeEvents,
    ofLaterRelease,
  ],
  [
    'pages of the first type alone',
    () =>
      wrongFeed((right) => ({
        page: ({ types, ...filter }, request) =>
          right.page(types === undefined ? filter : { ...filter, types: types.slice(0, 1) }, request),
      })),
    describeEvents,
    inPages,
  ],
  [
    'replacements of everything',
    () =>
      wrongFeed((right) => ({
        replace: async (list) => {
          const [event] = list;
          await right.replace(list);
          if (event !== undefined) await right.append([event]);
        },
      })),
    describeEvents,
    'are replaced in data and cause, and in nothing else',
  ],
  [
    'replacements that keep the cause',
    () =>
      wrongFeed((right) => ({
        replace: async (list) => {
          for (const event of list) {
            const { cause } = existing(await right.find(event.id));
            await right.replace([{ ...event, cause }]);
          }
        },
      })),
    describeEvents,
    'are replaced in data and cause, and in nothing else',
  ],
  [
    'replacements of the first 50 events alone',
    () => wrongFeed((right) => ({ replace: (list) => right.replace(list.slice(0, 50)) })),
    describeEvents,
    wholeBatch,
  ],
  [
    'replacements whose texts are cut at 60,000 characters',
    () =>
      wrongFeed((right) => ({
        replace: (list) =>
          right.replace(
            list.map((event) => {
              const { description } = event.data as Partial<Product>;
              const data = { ...event.data, description: description?.slice(0, 60_000) };
              return description === undefined ? event : { ...event, data };
            }),
          ),
      })),
    describeEvents,
    wholeBatch,
  ],
  [
    'events that are replaced once at most',
    () => {
      const replaced = new Set<EventId>();
      return wrongFeed((right) => ({
        replace: async (list) => {
          await right.replace(list.filter(({ id }) => !replaced.has(id)));
          for (const { id } of list) replaced.add(id);
        },
      }));
    },
    describeEvents,
    wholeBatch,
  ],
  [
    'pages of the first five types alone',
    () =>
      wrongFeed((right) => ({
        page: ({ types, ...filter }, request) =>
          right.page(types === undefined ? filter : { ...filter, types: types.slice(0, 5) }, request),
      })),
    describeEvents,
    inPages,
  ],
  [
    'deletions that end with their first batch',
    () =>
      wrongFeed((right) => ({
        deleteOlder: async (than, now) => (await right.deleteOlder(than, now)) && false,
      })),
    describeFeeds,
    'goes on with its sequences and ids when all events are deleted',
  ],
  [
    'deletions that never end',
    () =>
      wrongFeed((right) => ({
        deleteOlder: async (than, now) => (await right.deleteOlder(than, now)) || true,
      })),
    describeFeeds,
    'goes on with its sequences and ids when all events are deleted',
  ],
  [
    'a sequencer that ends with its first batch',
    () => sequenced({ batchSize: 100 }),
    describeEvents,
    'of one unit of work keep their order, however many they are',
  ],
  ['replacements that bring a deleted event back', bringingBack, describeFeeds, notBroughtBack],
  [
    'pages of at most 100 events',
    () =>
      wrongFeed((right) => ({
        page: (filter, { after, limit }) => right.page(filter, { after, limit: Math.min(limit, 100) }),
      })),
    describeEvents,
    asLongAsAsked,
  ],
  [
    'at most 100 events of a user',
    () =>
      wrongFeed((right) => ({
        ofUser: (userId, { after, limit }) => right.ofUser(userId, { after, limit: Math.min(limit, 100) }),
      })),
    describeEvents,
    asLongAsAsked,
  ],
  [
    'sequences that begin again when all events are deleted',
    async () => {
      const rows = emptyTables();
      const inner = new MemoryUnitOfWork(rows);
      const unitOfWork: StoreUnitOfWork = {
        run: async (work, context) => {
          const result = await inner.run(work, context);
          const { value } = rows.events.walk().next();
          const feed = rows.feed.get('feed') as FeedRow;
          if (value === undefined) rows.feed.put('feed', { ...feed, last: 0 });
          return result;
        },
        read: (reading, context) => inner.read(reading, context),
      };
      return { ...(await openMemory()), isSerial: true, unitOfWork };
    },
    describeFeeds,
    'goes on with its sequences and ids when all events are deleted',
  ],
  [
    'a feed that is the same everywhere',
    async () => ({
      ...(await openMemory()),
      isSerial: true,
      unitOfWork: new MemoryUnitOfWork(emptyTables(), '0b8f4a52-3f2e-4c55-9d4e-0a53f1f0c9aa'),
    }),
    describeFeeds,
    'is empty at the begin, has an id of its own, and counts from 1',
  ],
  [
    'deletions of every old event, wherever it is',
    wrongDeletion((events, than) => events.filter(({ timestamp }) => timestamp < than)),
    describeFeeds,
    'keeps an event as long as one before it',
  ],
  [
    'a deletion that ends at the first event with a later time',
    wrongDeletion((events, than) => {
      const firstLater = events.findIndex(({ timestamp }) => timestamp >= than);
      return firstLater < 0 ? events : events.slice(0, firstLater);
    }),
    describeFeeds,
    'deletes events whose time is later than now with an old one behind them, because a clock was ahead',
  ],
];
