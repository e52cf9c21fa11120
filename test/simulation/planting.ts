import { ApplicationError } from '#application/errors.ts';
import type { IdempotencyRecord, IdempotencyStore } from '#application/ports/idempotency.ts';
import { collectionNames, type Repositories } from '#application/ports/repositories.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import { Instant } from '#domain/instant.ts';
import type { OrderItem } from '#domain/order.ts';
import type { Planted } from './simulation.ts';

/** Parts with faults in them. */

export const withKeys = (
  unitOfWork: UnitOfWork,
  change: (keys: IdempotencyStore) => IdempotencyStore,
): UnitOfWork => ({
  run: (work) =>
    unitOfWork.run((repositories) =>
      work({ ...repositories, idempotencyKeys: change(repositories.idempotencyKeys) }),
    ),
  read: (reading) => unitOfWork.read(reading),
});

/** Delegates every call unchanged. */
const delegate = (keys: IdempotencyStore): IdempotencyStore => ({
  find: (userId, key) => keys.find(userId, key),
  lock: (userId, key) => keys.lock(userId, key),
  add: (record) => keys.add(record),
  save: (record) => keys.save(record),
  remove: (userId, key) => keys.remove(userId, key),
  deleteExpired: (createdBefore) => keys.deleteExpired(createdBefore),
  findStale: (query) => keys.findStale(query),
  findMentioning: (id, limit) => keys.findMentioning(id, limit),
});

/** Each server reads the fencing token that it wrote itself, whatever others have written since. */
export const withoutFencingToken = () => {
  const own = new Map<string, number>();
  const note = ({ userId, key, lease }: IdempotencyRecord): void => {
    if (lease !== null) own.set(`${userId} ${key}`, lease.fencingToken);
  };
  return (keys: IdempotencyStore): IdempotencyStore => ({
    ...delegate(keys),
    lock: async (userId, key) => {
      const known = await keys.lock(userId, key);
      const fencingToken = own.get(`${userId} ${key}`);
      if (!known?.lease || fencingToken === undefined) return known;
      return { ...known, lease: { ...known.lease, fencingToken } };
    },
    add: async (record) => {
      note(record);
      await keys.add(record);
    },
    save: async (record) => {
      note(record);
      await keys.save(record);
    },
  });
};

export const withoutLease = (keys: IdempotencyStore): IdempotencyStore => ({
  ...delegate(keys),
  lock: async (userId, key) => {
    const known = await keys.lock(userId, key);
    if (!known?.lease?.leaseUntil) return known;
    const longAgo = Instant.at(0);
    return { ...known, lease: { ...known.lease, leaseUntil: longAgo } };
  },
});

export const deletingUnsettled = (keys: IdempotencyStore): IdempotencyStore => ({
  ...delegate(keys),
  deleteExpired: async (createdBefore) => {
    const never = Instant.at(Date.UTC(2100, 0, 1));
    for (const { userId, key } of await keys.findStale({
      createdBefore,
      now: never,
      leaseMs: 0,
      limit: 100,
    })) {
      await keys.remove(userId, key);
    }
    return keys.deleteExpired(createdBefore);
  },
});

export const unrecorded = ({ stockChanges }: Repositories): Repositories['stockChanges'] =>
  Object.create(stockChanges, { add: { value: async () => undefined } });

/** Of several items the last is not added. */
export const withoutLast = ({ orderItems }: Repositories): Repositories['orderItems'] =>
  Object.create(orderItems, {
    addAll: {
      value: (items: readonly OrderItem[]) =>
        orderItems.addAll(items.slice(0, Math.max(1, items.length - 1))),
    },
  });

/** Commits each call of the work in a transaction of its own. */
export const inPieces = (unitOfWork: UnitOfWork): UnitOfWork => {
  const piece = <C extends keyof Repositories>(collection: C): Repositories[C] =>
    new Proxy({} as Repositories[C], {
      get:
        (_, method) =>
        (...values: readonly unknown[]) =>
          unitOfWork.run((repositories) => {
            const whole = repositories[collection];
            const act: unknown = Reflect.get(whole, method);
            if (typeof act !== 'function') throw new TypeError(`Nothing can be ${String(method)}.`);
            return act.apply(whole, values);
          }),
    });
  const names = [...collectionNames, 'idempotencyKeys', 'leases'] as const;
  const pieces = Object.fromEntries(names.map((name) => [name, piece(name)])) as unknown as Repositories;
  return { run: (work) => work(pieces), read: (reading) => unitOfWork.read(reading) };
};

type Idempotency = Parameters<NonNullable<Planted['application']>>[0]['idempotency'];

export const storingFailures = (sound: Idempotency, unitOfWork: UnitOfWork): Idempotency => ({
  ...sound,
  process: async (attempt, phases, write) => {
    try {
      return await sound.process(attempt, phases, write);
    } catch (error) {
      if (error instanceof ApplicationError && error.kind.startsWith('provider')) {
        await unitOfWork.run(async ({ idempotencyKeys }) => {
          const known = await idempotencyKeys.lock(attempt.userId, attempt.key);
          if (known?.lease) {
            const lease = { ...known.lease, leaseUntil: null };
            await idempotencyKeys.save({ ...known, response: error.kind, lease });
          }
        });
      }
      throw error;
    }
  },
});
