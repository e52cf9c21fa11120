import type { Ports } from '#application/application.ts';
import { ApplicationError } from '#application/errors.ts';
import type { IdempotencyRecord, IdempotencyStore } from '#application/ports/idempotency.ts';
import {
  collectionNames,
  type Repositories,
  type StoreRepositories,
} from '#application/ports/repositories.ts';
import type { NewId } from '#application/ports/system.ts';
import type { StoreUnitOfWork } from '#application/ports/unit-of-work.ts';
import { Instant } from '#domain/instant.ts';
import { replacing } from '../replacing.ts';
import type { Planted } from '../simulation.ts';

/** Parts with faults in them. */

/** Replaces repositories of every unit of work. */
export const withRepositories = (
  ports: Ports,
  change: (to: StoreRepositories) => Partial<Omit<Repositories, 'events'>>,
): Ports => ({
  ...ports,
  unitOfWork: {
    run: (work) => ports.unitOfWork.run((to) => work({ ...to, ...change(to) })),
    read: (reading) => ports.unitOfWork.read(reading),
  },
});

export const withKeys = (ports: Ports, change: (keys: IdempotencyStore) => IdempotencyStore): Ports =>
  withRepositories(ports, ({ idempotencyKeys }) => ({ idempotencyKeys: change(idempotencyKeys) }));

/** Each server reads the fencing token that it wrote itself, whatever others have written since. */
export const withoutFencingToken = () => {
  const own = new Map<string, number>();
  const note = ({ userId, key, lease }: IdempotencyRecord): void => {
    if (lease !== null) own.set(`${userId} ${key}`, lease.fencingToken);
  };
  return (keys: IdempotencyStore): IdempotencyStore =>
    replacing(keys, {
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

export const withoutLease = (keys: IdempotencyStore): IdempotencyStore =>
  replacing(keys, {
    lock: async (userId, key) => {
      const known = await keys.lock(userId, key);
      if (!known?.lease?.leaseUntil) return known;
      const longAgo = Instant.at(0);
      return { ...known, lease: { ...known.lease, leaseUntil: longAgo } };
    },
  });

export const deletingUnsettled = (keys: IdempotencyStore): IdempotencyStore =>
  replacing(keys, {
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
  replacing(stockChanges, { add: async () => undefined });

/** Of several items the last is not added. */
export const withoutLast = ({ orderItems }: Repositories): Repositories['orderItems'] =>
  replacing(orderItems, {
    addAll: (items) => orderItems.addAll(items.slice(0, Math.max(1, items.length - 1))),
  });

/** Each erasure begins once more under another id. */
export const twice = ({ erasures }: Repositories, newId: NewId): Repositories['erasures'] =>
  replacing(erasures, {
    add: async (erasure) => {
      await erasures.add(erasure);
      await erasures.add({ ...erasure, id: newId() });
    },
  });

/** Commits each call of the work in a transaction of its own. */
export const inPieces = (unitOfWork: StoreUnitOfWork): StoreUnitOfWork => {
  const piece = <C extends keyof Repositories>(collection: C): Repositories[C] =>
    new Proxy({} as StoreRepositories[C], {
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
  const names = [...collectionNames, 'idempotencyKeys', 'leases', 'events'] as const;
  const pieces = Object.fromEntries(names.map((name) => [name, piece(name)])) as unknown as StoreRepositories;
  return { run: (work) => work(pieces), read: (reading) => unitOfWork.read(reading) };
};

type Idempotency = Parameters<NonNullable<Planted['application']>>[0]['idempotency'];

export const storingFailures = (sound: Idempotency, unitOfWork: StoreUnitOfWork): Idempotency => ({
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
