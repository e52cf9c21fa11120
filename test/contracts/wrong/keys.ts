import type { IdempotencyRecord, IdempotencyStore } from '#application/ports/idempotency.ts';
import { Instant } from '#domain/instant.ts';
import type { UserId } from '#domain/user.ts';
import { describeConstraints } from '../constraints.ts';
import type { Harness } from '../harness.ts';
import { describeIdempotencyKeys } from '../idempotency-keys.ts';
import { describeIdempotencyLists } from '../idempotency-lists.ts';
import { describeLeases } from '../leader-lease.ts';
import { later } from '../samples.ts';
import { type WrongAdapter, withMethods, wrongInWork, wrongKeys, wrongRepositories } from './wrapping.ts';

const dayMs = 86_400_000;

/** Adding and saving an idempotency record both write it, whether there is one or not. */
const keysWrittenAnyway = (): Promise<Harness> =>
  wrongKeys((right) => {
    const write: typeof right.add = async (record) => {
      const there = await right.find(record.userId, record.key);
      await (there === undefined ? right.add(record) : right.save(record));
    };
    return { add: write, save: write };
  });

/** A key of one user is found by others who have none of that name. */
const sharedKeys = (): Promise<Harness> => {
  const owners = new Map<string, UserId>();
  return wrongKeys((right) => ({
    find: async (userId, key) =>
      (await right.find(userId, key)) ?? right.find(owners.get(key) ?? userId, key),
    add: (record) => {
      owners.set(record.key, record.userId);
      return right.add(record);
    },
  }));
};

/** A unit of work that finds committed keys overlooks those that it has added itself. */
const ownKeysOverlooked = (method: 'findStale' | 'findMentioning' | 'page') => (): Promise<Harness> =>
  wrongInWork(({ idempotencyKeys: right }) => {
    const own = new Set<string>();
    const committed = <T extends Pick<IdempotencyRecord, 'userId' | 'key'>>(all: readonly T[]) => {
      const found = all.filter(({ userId, key }) => !own.has(`${userId} ${key}`));
      return found.length > 0 ? found : all;
    };
    const methods: Pick<IdempotencyStore, typeof method> = {
      findStale: async (query) => committed(await right.findStale(query)),
      findMentioning: async (ids, limit) => committed(await right.findMentioning(ids, limit)),
      page: async (filter, request) => {
        const { rows, hasMore } = await right.page(filter, request);
        return { rows: committed(rows), hasMore };
      },
    };
    return {
      idempotencyKeys: withMethods(right, {
        add: (record) => {
          own.add(`${record.userId} ${record.key}`);
          return right.add(record);
        },
        [method]: methods[method],
      }),
    };
  });

/** Adapters that mix up idempotency keys or leases. */
export const wrongKeysAndLeases: readonly WrongAdapter[] = [
  [
    'keys that are added twice, and saved although they do not exist',
    keysWrittenAnyway,
    describeConstraints,
    'let no idempotency key be added twice, and none be saved that does not exist',
  ],
  [
    'keys older than a day that are overwritten',
    () =>
      wrongKeys((right) => ({
        add: async (record) => {
          const there = await right.find(record.userId, record.key);
          const isOld = there !== undefined && there.createdAt <= Instant.plus(record.createdAt, -dayMs);
          await (isOld ? right.save(record) : right.add(record));
        },
      })),
    describeConstraints,
    'let no idempotency key be added twice, however old it is',
  ],
  [
    'lists with the first 100 characters of a response',
    () =>
      wrongKeys((right) => ({
        page: async (filter, request) => {
          const { rows, hasMore } = await right.page(filter, request);
          return {
            hasMore,
            rows: rows.map((row) => ({ ...row, responseStart: row.responseStart?.slice(0, 100) ?? null })),
          };
        },
      })),
    describeIdempotencyLists,
    'has at least the first 1,000 characters of a response, and not a long one as a whole',
  ],
  [
    'lists of at most 500 keys',
    () =>
      wrongKeys((right) => ({
        page: (filter, request) => right.page(filter, { ...request, limit: Math.min(request.limit, 500) }),
      })),
    describeIdempotencyLists,
    'lists as many as were asked for',
  ],
  [
    'keys that all users share',
    sharedKeys,
    describeIdempotencyKeys,
    'are found as they were added, and by no other key or user',
  ],
  [
    'stale keys in any order, and all of them',
    () =>
      wrongKeys((right) => ({
        findStale: async (query) => (await right.findStale({ ...query, limit: 1_000 })).toReversed(),
      })),
    describeIdempotencyKeys,
    'are stale when both instants have passed, the longest idle first',
  ],
  [
    'keys that are found by the id of their user only',
    () =>
      wrongKeys((right) => ({
        findMentioning: async (ids, limit) =>
          (await right.findMentioning(ids, limit)).filter(({ userId }) => ids.includes(userId)),
      })),
    describeIdempotencyKeys,
    'are found by the id of their user and by an id in their response, unless unsettled',
  ],
  [
    'keys that are found by the first id alone',
    () =>
      wrongKeys((right) => ({
        findMentioning: ([id], limit) => right.findMentioning(id ? [id] : [], limit),
      })),
    describeIdempotencyKeys,
    'are found by the id of their user and by an id in their response, unless unsettled',
  ],
  [
    'leases that anybody gets',
    () =>
      wrongRepositories(({ leases }) => ({
        leases: { acquire: async (lease, now) => (await leases.acquire(lease, now)) || true },
      })),
    describeLeases,
    'is denied to other processes until it expires, however often they ask',
    'is acquired by one of twenty processes that ask at once, free or expired',
  ],
  [
    'a purge that takes along keys whose process is under way',
    () =>
      wrongKeys((right) => ({
        add: (record) =>
          right.add({ ...record, lease: record.lease && { ...record.lease, leaseUntil: null } }),
      })),
    describeIdempotencyKeys,
    'are deleted when they were created at the instant or before, but never while a process is under way',
  ],
  [
    'a purge that ends with its first batch',
    () =>
      wrongKeys((right) => ({
        deleteExpired: async (createdBefore) => (await right.deleteExpired(createdBefore)) && false,
      })),
    describeIdempotencyKeys,
    'are deleted in batches, however many they are, and none created later is',
  ],
  [
    'a purge that never ends',
    () =>
      wrongKeys((right) => ({
        deleteExpired: async (createdBefore) => (await right.deleteExpired(createdBefore)) || true,
      })),
    describeIdempotencyKeys,
    'are deleted in batches, however many they are, and none created later is',
  ],
  [
    'at most 50 keys that are stale or mention an id',
    () =>
      wrongKeys((right) => ({
        findStale: (query) => right.findStale({ ...query, limit: Math.min(query.limit, 50) }),
        findMentioning: (ids, limit) => right.findMentioning(ids, Math.min(limit, 50)),
      })),
    describeIdempotencyKeys,
    'are found as many as were asked for, by an id and when they are stale',
  ],
  ...(['findStale', 'findMentioning', 'page'] as const).map(
    (method): WrongAdapter => [
      `keys of a unit of work that ${method} does not find beside others`,
      ownKeysOverlooked(method),
      describeIdempotencyKeys,
      'are found as a unit of work has left them, together with what was committed',
    ],
  ),
  [
    'fencing tokens that are not kept',
    () =>
      wrongKeys((right) => ({
        save: (record) =>
          right.save({ ...record, lease: record.lease && { ...record.lease, fencingToken: 1 } }),
      })),
    describeIdempotencyKeys,
    'are locked by one unit of work at a time: twenty increment a fencing token',
  ],
  [
    'keys that are found by their id once they are settled',
    () =>
      wrongKeys((right) => ({
        findById: async (id) => {
          const found = await right.findById(id);
          return found?.lease?.leaseUntil ? undefined : found;
        },
      })),
    describeIdempotencyLists,
    'finds one by the id of its resource, settled or not, and none by another id',
  ],
  [
    'lists with expired keys',
    () =>
      wrongKeys((right) => ({
        page: (filter, request) => right.page({ ...filter, expiredBefore: later(-1_000_000) }, request),
      })),
    describeIdempotencyLists,
    'lists the records of one user in the order of their ids, in pages of any length',
  ],
  [
    'lists of every lease that has not ended, however late it ends',
    () =>
      wrongKeys((right) => ({
        page: (filter, request) => right.page({ ...filter, latestExpiry: later(10 ** 9) }, request),
      })),
    describeIdempotencyLists,
    'lists by status, which a lease has by the time that it ends',
  ],
  [
    'lists without the response and the process of a saved key',
    () =>
      wrongKeys((right) => ({ save: (record) => right.save({ ...record, response: null, lease: null }) })),
    describeIdempotencyLists,
    'shows what a save has changed, and nothing of what was removed',
  ],
];
