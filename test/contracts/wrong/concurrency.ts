import { MemoryUnitOfWork, openMemory } from '#adapters/persistence/memory/open.ts';
import { emptyTables } from '#adapters/persistence/memory/unit-of-work.ts';
import type { Lease } from '#application/ports/repositories.ts';
import { conflictOn } from '#domain/errors.ts';
import type { Id } from '#domain/resource.ts';
import { describeBuyers } from '../buyers.ts';
import { describeCollections } from '../collections.ts';
import type { Harness } from '../harness.ts';
import { describeLeases } from '../leader-lease.ts';
import { describeOwnChanges } from '../own-changes.ts';
import { describeRaces } from '../races.ts';
import { describeSideBySide } from '../side-by-side.ts';
import { describeTogether } from '../together.ts';
import {
  everyRepository,
  type WrongAdapter,
  withMethods,
  wrapRepositories,
  wrongCollections,
  wrongly,
  wrongRepositories,
} from './wrapping.ts';

/** Units of work run side by side, although they lock the same. */
const locksOfNothing = async (): Promise<Harness> => {
  const rows = emptyTables();
  const unitOfWork = new MemoryUnitOfWork(rows);
  return {
    ...(await openMemory()),
    unitOfWork: {
      run: (work, context) => new MemoryUnitOfWork(rows).run(work, context),
      read: (reading, context) => unitOfWork.read(reading, context),
    },
  };
};

/** Removals wait for the other changes of their unit of work. */
const removalsAtTheEnd = (): Promise<Harness> =>
  wrongly((right) => ({
    run: (work, context) =>
      right.run(async (all) => {
        const removals: (() => Promise<void>)[] = [];
        const later = everyRepository((repository) => ({
          remove: async (id) => void removals.push(() => repository.remove(id)),
        }));
        const result = await work({ ...all, ...later(all) });
        for (const remove of removals) await remove();
        return result;
      }, context),
  }));

/** An error of one unit of work is given to all that were begun together with it. */
const sharedErrors = (): Promise<Harness> => {
  let group: { running: number; error?: unknown } = { running: 0 };
  return wrongly((right) => ({
    run: async (work, context) => {
      const own = group;
      own.running += 1;
      try {
        const result = await right.run(work, context);
        if (own.error !== undefined) throw own.error;
        return result;
      } catch (error) {
        own.error ??= error;
        throw error;
      } finally {
        own.running -= 1;
        if (own.running === 0) group = { running: 0 };
      }
    },
  }));
};

/** An address stays taken, although the unit of work that has added its user is rolled back. */
const takenForEver = (): Promise<Harness> => {
  const taken = new Map<string, Id>();
  return wrongRepositories(({ users }) => ({
    users: withMethods(users, {
      add: async (user) => {
        if ((taken.get(user.email) ?? user.id) !== user.id) throw conflictOn('email');
        taken.set(user.email, user.id);
        await users.add(user);
      },
    }),
  }));
};

/** Reads that arrive together are answered by one query, whose rows are given out in the wrong order. */
const mixedReads = (): Promise<Harness> => {
  let batch: Id[] | undefined;
  return wrongly((right) => ({
    read: wrapRepositories(
      right,
      everyRepository((repository, name) => ({
        find: async (id) => {
          if (name !== 'products') return repository.find(id);
          batch ??= [];
          const own = batch;
          own.push(id);
          await new Promise(setImmediate);
          if (batch === own) batch = undefined;
          const [first = id] = own;
          return repository.find(first);
        },
      })),
    ).read,
  }));
};

/** A read overtakes the changes that were issued before it. */
const overtakingReads = (): Promise<Harness> =>
  wrongCollections((right) => ({
    save: async (resource) => {
      await new Promise(setImmediate);
      await right.save(resource);
    },
  }));

/** A lease counts until it expires, however late that is. */
const leasesForEver = (): Promise<Harness> => {
  const held = new Map<string, Lease>();
  return wrongRepositories(() => ({
    leases: {
      acquire: async (lease, now) => {
        const current = held.get(lease.name);
        if (current && current.holder !== lease.holder && current.expiresAt > now) return false;
        held.set(lease.name, lease);
        return true;
      },
    },
  }));
};

/** Adapters that are right as long as one thing happens at a time. */
export const wrongConcurrency: readonly WrongAdapter[] = [
  [
    'locks that keep no other unit of work waiting',
    locksOfNothing,
    describeRaces,
    'lose no update when each locks what it changes: twenty increments',
  ],
  [
    'leases that keep no other unit of work waiting',
    locksOfNothing,
    describeRaces,
    'see what those before them have written when each acquires one lease for one holder',
  ],
  [
    'the last unit sold twice',
    locksOfNothing,
    describeBuyers,
    'of the last unit: one gets it, and to the others it is out of stock',
  ],
  [
    'removals that wait for the end',
    removalsAtTheEnd,
    describeOwnChanges,
    'happen in the order of the calls',
  ],
  [
    'errors that are given to a whole group',
    sharedErrors,
    describeTogether,
    'are independent when some of them fail, each in its own way',
  ],
  [
    'addresses that a rollback leaves taken',
    takenForEver,
    describeTogether,
    'are rejected because of another one’s change only if that commits',
  ],
  [
    'reads that are mixed up when they arrive together',
    mixedReads,
    describeCollections,
    'return to each reader what it asked for, however many read at once',
  ],
  [
    'reads that overtake changes',
    overtakingReads,
    describeSideBySide,
    'see each other in the order of the calls',
  ],
  [
    'leases that outlive a clock that was set back',
    leasesForEver,
    describeLeases,
    'is free when it expires implausibly late, because it was written before the clock was set back',
  ],
];
