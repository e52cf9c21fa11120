import { ApplicationError } from '#application/errors.ts';
import type { IdempotencyRecord, IdempotencyStore } from '#application/ports/idempotency.ts';
import { collectionNames, type Repositories } from '#application/ports/repositories.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import { Instant } from '#domain/instant.ts';
import { play } from './play.ts';
import type { Planted } from './simulation.ts';

const hour = 3_600_000;

/** The number of seeds among which each fault must be noticed. */
export const noticedWithin = 1_000;

/** Seeds that are played before the failures are checked. Most faults are noticed by the first batch. */
const batchSize = 50;

export interface Fault {
  readonly planted: Planted;
  /** The failure that shows this fault. Any other failure may be a mistake in the planting. */
  readonly sign: RegExp;
}

/**
 * Faults that a server like this might have. Each is planted by replacing a port or a part of the application. Each must be
 * noticed, because otherwise a clean run of the simulation proves nothing.
 */
export const faults: Readonly<Record<string, Fault>> = {
  'a random key at the provider': {
    planted: {
      provider: (provider) => {
        provider.knowsKeys = false;
      },
    },
    sign: /has moved money 2 times/,
  },
  'no fencing token': {
    planted: {
      ports: (given) => ({ ...given, unitOfWork: withKeys(given.unitOfWork, withoutFencingToken()) }),
    },
    sign: /was settled, and another process overwrote it/,
  },
  'no lease': {
    planted: {
      ports: (given) => ({ ...given, unitOfWork: withKeys(given.unitOfWork, withoutLease) }),
    },
    sign: /was taken over while another process held the lease/,
  },
  'a claim and a settlement in several transactions': {
    planted: { ports: (given) => ({ ...given, unitOfWork: inPieces(given.unitOfWork) }) },
    sign: /is stranded|is being paid for ever|has made \d orders|left and \d/,
  },
  "expiry by the process's own clock": {
    planted: {
      ports: (given, place) => {
        const skew = place === 0 ? 0 : 25 * hour;
        return { ...given, clock: { now: () => Instant.plus(given.clock.now(), skew) } };
      },
    },
    sign: /was answered .* and then|was taken over while another process held the lease/s,
  },
  'a stored 5xx': {
    planted: {
      application: (sound, { unitOfWork }) => ({
        ...sound,
        idempotency: storingFailures(sound.idempotency, unitOfWork),
      }),
    },
    sign: /is stranded/,
  },
  'an unresolved key swept away': {
    planted: {
      ports: (given) => ({ ...given, unitOfWork: withKeys(given.unitOfWork, deletingUnsettled) }),
    },
    sign: /is stranded/,
  },
  'a charge believed never to have been made': {
    planted: {
      provider: (provider) => {
        provider.closesForGood = false;
      },
    },
    sign: /is failed, and its money has moved/,
  },
  'a charge repeated when the provider has forgotten it': {
    planted: {
      ports: (given) => ({
        ...given,
        provider: { ...given.provider, idempotencyWindowMs: Number.POSITIVE_INFINITY },
      }),
    },
    sign: /has moved money 2 times/,
  },
  'unpaid orders that stay for ever': {
    planted: {
      application: (sound) => ({
        ...sound,
        backgroundJobs: { ...sound.backgroundJobs, expireOrders: async () => ({ done: 0, errors: [] }) },
      }),
    },
    sign: /waits to be paid for ever/,
  },
};

/** Finds the first failure that shows the fault. */
export const notice = async (
  { planted, sign }: Fault,
  seeds = { first: 1, count: noticedWithin },
): Promise<{ readonly seed: number; readonly problem: string } | undefined> => {
  const { first, count } = seeds;
  for (let played = 0; played < count; played += batchSize) {
    const some = { first: first + played, count: Math.min(batchSize, count - played) };
    for (const { seed, problems } of (await play(some, { planted })).failures) {
      const problem = problems.find((one) => sign.test(one));
      if (problem !== undefined) return { seed, problem };
    }
  }
  return undefined;
};

const withKeys = (
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
});

/** Each server reads the fencing token that it wrote itself, whatever others have written since. */
const withoutFencingToken = () => {
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

const withoutLease = (keys: IdempotencyStore): IdempotencyStore => ({
  ...delegate(keys),
  lock: async (userId, key) => {
    const known = await keys.lock(userId, key);
    if (!known?.lease?.leaseUntil) return known;
    const longAgo = Instant.at(0);
    return { ...known, lease: { ...known.lease, leaseUntil: longAgo } };
  },
});

const deletingUnsettled = (keys: IdempotencyStore): IdempotencyStore => ({
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

/** Commits each call of the work in a transaction of its own. */
const inPieces = (unitOfWork: UnitOfWork): UnitOfWork => {
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

const storingFailures = (sound: Idempotency, unitOfWork: UnitOfWork): Idempotency => ({
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
