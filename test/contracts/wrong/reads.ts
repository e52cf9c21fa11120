import { MemoryUnitOfWork, openMemory } from '#adapters/persistence/memory/open.ts';
import { emptyTables } from '#adapters/persistence/memory/unit-of-work.ts';
import { sleep } from '#adapters/support/time.ts';
import { collectionNames } from '#application/ports/repositories.ts';
import type { StoreUnitOfWork } from '#application/ports/unit-of-work.ts';
import type { Id, Resource } from '#domain/resource.ts';
import type { User, UserId } from '#domain/user.ts';
import { rawMemory } from '../../support/raw-readers.ts';
import { describeCommits } from '../commits.ts';
import type { AnyRepository } from '../every-collection.ts';
import { filteredBy } from '../filters.ts';
import type { Harness } from '../harness.ts';
import { describeIsolation } from '../isolation.ts';
import { describeLocks } from '../locks.ts';
import { describeOwnChanges } from '../own-changes.ts';
import { describeOwnMatches, ownMatches } from '../own-matches.ts';
import { describeSeveral } from '../several.ts';
import { describeUnitOfWork } from '../unit-of-work.ts';
import {
  everyRepository,
  type Wrap,
  type WrongAdapter,
  withMethods,
  wrapRepositories,
  wrongCollections,
  wrongInWork,
  wrongly,
} from './wrapping.ts';

/** Notes which users a unit of work has added, until some time after it has ended. */
const notingUsers = (right: StoreUnitOfWork, lingersMs: number) => {
  const pending = new Map<UserId, User>();
  const wrap: Wrap = ({ users }) => ({
    users: withMethods(users, {
      add: async (user) => {
        await users.add(user);
        pending.set(user.id, user);
      },
    }),
  });
  const run: StoreUnitOfWork['run'] = (work, context) =>
    wrapRepositories(right, wrap)
      .run(work, context)
      .finally(async () => {
        const ended = [...pending.keys()];
        if (lingersMs > 0) await sleep(lingersMs, { ref: false });
        for (const id of ended) pending.delete(id);
      });
  return { pending, run };
};

/** A reader finds users that a unit of work has added and not committed. */
const dirtyReads = (): Promise<Harness> =>
  wrongly((right) => {
    const { pending, run } = notingUsers(right, 0);
    const dirty: Wrap = ({ users }) => ({
      users: withMethods(users, { find: async (id) => pending.get(id) ?? users.find(id) }),
    });
    return { run, read: wrapRepositories(right, dirty).read };
  });

const dirtyLists = (): Promise<Harness> =>
  wrongly((right) => {
    const { pending, run } = notingUsers(right, 0);
    const dirty: Wrap = ({ users }) => ({
      users: withMethods(users, {
        page: async (filter, request) => {
          const { rows, hasMore } = await users.page(filter, request);
          return { rows: [...rows, ...pending.values()], hasMore };
        },
      }),
    });
    return { run, read: wrapRepositories(right, dirty).read };
  });

/** The next unit of work finds users that the one before it has added, although that was rolled back. */
const dirtyWork = (): Promise<Harness> =>
  wrongly((right) => {
    const { pending, run } = notingUsers(right, 10);
    const dirty: Wrap = ({ users }) => ({
      users: withMethods(users, { find: async (id) => pending.get(id) ?? users.find(id) }),
    });
    return { run: wrapRepositories({ ...right, run }, dirty).run };
  });

/** A snapshot from before the wait for a lock: what is only found or listed is as it was when the unit of work was begun. */
const staleSnapshot = (): Promise<Harness> =>
  wrongly((right) => ({
    run: async (work, context) => {
      const { items, products } = await right.read(async (all) => ({
        items: (await all.orderItems.page({}, { limit: 1_000 })).rows,
        products: (await all.products.page({}, { limit: 1_000 })).rows,
      }));
      const stale: Wrap = (all) => ({
        products: withMethods(all.products, { find: async (id) => products.find((each) => each.id === id) }),
        orderItems: withMethods(all.orderItems, {
          findBy: async (_, values) => items.filter(({ orderId }) => (values as unknown[]).includes(orderId)),
        }),
      });
      return wrapRepositories(right, stale).run(work, context);
    },
  }));

/** A unit of work that reads what was committed, and not what it has changed itself. */
const blindToItself = (): Promise<Harness> =>
  wrongly((right) => ({
    run: wrapRepositories(right, ({ products }) => ({
      products: withMethods(products, { find: (id) => right.read((all) => all.products.find(id)) }),
    })).run,
  }));

/** What was found is found again, until the unit of work that is wrapped here saves it, or so much time has passed. */
const cached = (right: StoreUnitOfWork, lifetimeMs: number): StoreUnitOfWork => {
  const known = new Map<Id, { readonly found: Resource | undefined; readonly at: number }>();
  const wrap = everyRepository((repository) => {
    const forgetting = async (id: Id, changed: Promise<void>) => {
      await changed;
      known.delete(id);
    };
    return {
      find: async (id) => {
        const before = known.get(id);
        if (before !== undefined && performance.now() < before.at + lifetimeMs) return before.found;
        const found = await repository.find(id);
        known.set(id, { found, at: performance.now() });
        return found;
      },
      add: (resource) => forgetting(resource.id, repository.add(resource)),
      save: (resource) => forgetting(resource.id, repository.save(resource)),
      remove: (id) => forgetting(id, repository.remove(id)),
    };
  });
  return { run: right.run.bind(right), read: wrapRepositories(right, wrap).read };
};

/** Two processes, each with a cache that does not learn what the other has changed. */
const cachedReads = async (): Promise<Harness> => {
  const store = await openMemory();
  const another = { unitOfWork: cached(store.unitOfWork, 60_000), close: async () => undefined };
  return { ...store, openAnother: async () => another };
};

const laggingReads = (): Promise<Harness> => wrongly((right) => ({ read: cached(right, 100).read }));

/** A cache that answers for the store: changes of what is in the cache never reach the rows below it. */
const lostBehindCache = async (): Promise<Harness> => {
  const rows = emptyTables();
  const right = rawMemory(rows);
  const first = new Map<Id, Resource>();
  return {
    ...(await openMemory()),
    unitOfWork: new MemoryUnitOfWork(rows),
    raw: {
      ...right,
      find: async (collection, id) => {
        const found = first.get(id) ?? (await right.find(collection, id));
        if (found !== undefined) first.set(id, found);
        return found;
      },
    },
  };
};

/** What is removed is no longer found, and still listed. */
const softRemoval = (): Promise<Harness> => {
  const removed = new Set<Id>();
  return wrongCollections((right) => {
    const unlessRemoved = async (id: Id, found: ReturnType<AnyRepository['find']>) =>
      removed.has(id) ? undefined : found;
    return {
      find: (id) => unlessRemoved(id, right.find(id)),
      lock: (id) => unlessRemoved(id, right.lock(id)),
      remove: async (id) => void removed.add(id),
    };
  });
};

type Found = readonly Resource[];

/** A unit of work that finds committed resources overlooks those that it has added itself. */
const ownRowsOverlooked = (method: 'findBy' | 'lockBy' | 'firstBy' | 'page') => (): Promise<Harness> =>
  wrongInWork(
    everyRepository((right) => {
      const own = new Set<Id>();
      const committed = (all: Found): Found => {
        const found = all.filter(({ id }) => !own.has(id));
        return found.length > 0 ? found : all;
      };
      const methods: Pick<AnyRepository, typeof method> = {
        findBy: async (field, values) => committed(await right.findBy(field, values)),
        lockBy: async (field, values) => committed(await right.lockBy(field, values)),
        firstBy: async (field, values, limit) => committed(await right.firstBy(field, values, limit)),
        page: async (filter, request) => {
          const { rows, hasMore } = await right.page(filter, request);
          return { rows: committed(rows), hasMore };
        },
      };
      return {
        add: (resource) => {
          own.add(resource.id);
          return right.add(resource);
        },
        [method]: methods[method],
      };
    }),
  );

/** A unit of work finds by the values that were committed: what it has changed is found as it was before. */
const foundByOldValues = (method: 'findBy' | 'lockBy' | 'firstBy') => (): Promise<Harness> =>
  wrongInWork(
    everyRepository((right) => {
      const before = new Map<Id, Resource>();
      const old = (field: string, values: readonly unknown[], found: Found): Found => {
        const changed = [...before.values()].filter((row) => values.includes(Reflect.get(row, field)));
        const others = found.filter(({ id }) => !before.has(id));
        return field === 'id'
          ? found
          : [...others, ...changed].toSorted((one, other) => (one.id < other.id ? -1 : 1));
      };
      const methods: Pick<AnyRepository, typeof method> = {
        findBy: async (field, values) => old(field, values, await right.findBy(field, values)),
        lockBy: async (field, values) => old(field, values, await right.lockBy(field, values)),
        firstBy: async (field, values, limit) =>
          old(field, values, await right.firstBy(field, values, limit)),
      };
      return {
        save: async (resource) => {
          const found = await right.find(resource.id);
          if (found !== undefined) before.set(found.id, found);
          await right.save(resource);
        },
        [method]: methods[method],
      };
    }),
  );

const inOrderOfIds = 'are added, found by one of their fields in the order of their ids, and changed';

/** Adapters that read what they should not, or not what they should. */
export const wrongReads: readonly WrongAdapter[] = [
  ['dirty reads', dirtyReads, describeUnitOfWork, 'never shows others what it rolls back'],
  ['dirty lists', dirtyLists, describeUnitOfWork, 'is visible to others as a whole or not at all'],
  [
    'work that finds what another has rolled back',
    dirtyWork,
    describeUnitOfWork,
    'never shows another unit of work what it rolls back',
  ],
  [
    'a stale snapshot behind a lock',
    staleSnapshot,
    describeLocks,
    'let those behind them read the latest commit: the locked resource, others, and lists',
  ],
  [
    'units of work that do not see their own changes',
    blindToItself,
    describeOwnChanges,
    'are found, locked and listed by itself as soon as they are made',
  ],
  ...(['findBy', 'lockBy', 'firstBy', 'page'] as const).map(
    (method): WrongAdapter =>
      [
        `rows of a unit of work that ${method} does not find beside others`,
        ownRowsOverlooked(method),
        describeOwnMatches,
        ...collectionNames
          .filter(
            (name) => method === 'findBy' || method === 'lockBy' || Object.keys(filteredBy[name]).length > 0,
          )
          .map(ownMatches),
      ] as unknown as WrongAdapter,
  ),
  ...(['findBy', 'lockBy', 'firstBy'] as const).map(
    (method): WrongAdapter => [
      `rows that ${method} finds by the values that they had before`,
      foundByOldValues(method),
      describeOwnMatches,
      ownMatches('orderItems'),
      ownMatches('webhookDeliveries'),
    ],
  ),
  [
    'a cache that misses the changes of another process',
    cachedReads,
    describeCommits,
    'are seen by another process at once, although it has read what was there before',
  ],
  [
    'reads that lag behind',
    laggingReads,
    describeIsolation,
    'are seen by each read that begins after them, although others of the same resource are under way',
  ],
  [
    'a cache that answers for the store',
    lostBehindCache,
    describeCommits,
    'reach the database with each collection and key, but not before the unit of work ends',
  ],
  [
    'removed rows that are still listed',
    softRemoval,
    describeOwnChanges,
    'are found, locked and listed by itself as soon as they are made',
  ],
  [
    'rows in the order of the values that they are found by',
    () =>
      wrongCollections((right) => ({
        findBy: async (field, values) =>
          (await Promise.all(values.map((value) => right.findBy(field, [value])))).flat(),
      })),
    describeSeveral,
    inOrderOfIds,
    'are each found once, although values are repeated',
  ],
  [
    'rows in the order of the ids that they are found by',
    () =>
      wrongCollections((right) => ({
        findBy: async (field, values) => {
          if (field !== 'id') return right.findBy(field, values);
          const found = await Promise.all([...new Set(values)].map((id) => right.find(id as Resource['id'])));
          return found.flatMap((each) => each ?? []);
        },
      })),
    describeSeveral,
    'are found and locked by their ids, in ascending order and each once',
  ],
  [
    'rows that are found by 500 values at most',
    () =>
      wrongCollections((right) => ({ findBy: (field, values) => right.findBy(field, values.slice(0, 500)) })),
    describeSeveral,
    inOrderOfIds,
  ],
];
