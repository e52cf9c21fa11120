import { sleep } from '#adapters/support/time.ts';
import { UnavailableError } from '#application/errors.ts';
import type { User } from '#domain/user.ts';
import { describeDeadlines } from '../deadlines.ts';
import type { Harness } from '../harness.ts';
import { describeIsolation } from '../isolation.ts';
import { describeRaces } from '../races.ts';
import { describeSandboxLedger } from '../sandbox-ledger.ts';
import { describeSeveral } from '../several.ts';
import { describeUnitOfWork } from '../unit-of-work.ts';
import {
  storing,
  type WrongAdapter,
  withMethods,
  wrapRepositories,
  wrongCollections,
  wrongInWork,
  wrongly,
} from './wrapping.ts';

/** What a failed unit of work has added is added nevertheless. */
const halfRollback = (): Promise<Harness> =>
  wrongly((right) => ({
    run: async (work, context) => {
      const added: User[] = [];
      const noting = wrapRepositories(right, ({ users }) => ({
        users: withMethods(users, {
          add: async (user) => {
            await users.add(user);
            added.push(user);
          },
        }),
      }));
      try {
        return await noting.run(work, context);
      } catch (error) {
        await right.run(({ users }) => users.addAll(added)).catch(() => undefined);
        throw error;
      }
    },
  }));

/** An idempotency key is committed by itself, so that it stays when its unit of work is rolled back. */
const keysOfTheirOwn = (): Promise<Harness> =>
  wrongly((right) => ({
    run: async (work, context) => {
      const added: Parameters<Parameters<typeof work>[0]['idempotencyKeys']['add']>[0][] = [];
      const noting = wrapRepositories(right, ({ idempotencyKeys }) => ({
        idempotencyKeys: withMethods(idempotencyKeys, {
          add: async (record) => {
            await idempotencyKeys.add(record);
            added.push(record);
          },
        }),
      }));
      return noting.run(work, context).catch(async (error: unknown) => {
        for (const record of added)
          await right.run((all) => all.idempotencyKeys.add(record)).catch(() => undefined);
        throw error;
      });
    },
  }));

/** A call that comes after the unit of work has ended takes effect by itself. */
const lateCalls = (): Promise<Harness> =>
  wrongly((right) => ({
    run: (work, context) => {
      let hasEnded = false;
      const lasting = wrapRepositories(right, ({ products }) => ({
        products: withMethods(products, {
          add: (product) =>
            hasEnded ? right.run((all) => all.products.add(product)) : products.add(product),
        }),
      }));
      return lasting.run(work, context).finally(() => {
        hasEnded = true;
      });
    },
  }));

/** Work is acknowledged when it ends, and committed a moment later. */
const earlyAcknowledgment = (): Promise<Harness> =>
  wrongly((right) => ({
    run: (work, context) =>
      new Promise((resolve, reject) => {
        const committing = right.run(async (all) => {
          resolve(await work(all));
          await sleep(20);
        }, context);
        committing.catch(reject);
      }),
  }));

/** Work that meets a conflict is not run again. */
const noRetry = (): Promise<Harness> =>
  wrongly((right) => ({
    run: (work, context) => {
      let runs = 0;
      return right.run((all) => {
        runs += 1;
        if (runs > 1) throw new UnavailableError('conflict');
        return work(all);
      }, context);
    },
  }));

/** Changes are made with whatever version there is. */
const lostUpdates = (): Promise<Harness> =>
  wrongCollections((right) => ({
    save: async (resource) => {
      const there = await right.find(resource.id);
      await right.save({ ...resource, version: there === undefined ? resource.version : there.version + 1 });
    },
  }));

const okForTheRemoved = (): Promise<Harness> =>
  wrongCollections((right) => ({
    save: async (resource) => {
      if ((await right.find(resource.id)) !== undefined) await right.save(resource);
    },
  }));

/** Of several resources those are saved that no other unit of work has changed. */
const halfSaved = (): Promise<Harness> =>
  wrongCollections((right) => ({
    saveAll: async (resources) => {
      for (const resource of resources) {
        const there = await right.find(resource.id);
        if (there?.version === resource.version - 1) await right.save(resource);
      }
    },
  }));

/** A rejected change that work catches is forgotten, and the rest of its changes is committed. */
const caughtRejections = (): Promise<Harness> =>
  wrongInWork(({ users }) => ({
    users: withMethods(users, {
      add: async (user) => {
        if ((await users.findBy('email', [user.email])).length > 0) throw new RangeError('taken');
        await users.add(user);
      },
    }),
  }));

const lastVerdict = async (): Promise<Harness> => {
  const store = await storing((resource) => resource);
  const verdicts = new Map<string, string>();
  return {
    ...store,
    sandboxLedger: {
      find: async (id) => verdicts.get(id),
      keep: async (id, verdict) => {
        verdicts.set(id, verdict);
        return verdict;
      },
    },
  };
};

/** Adapters that commit what they should not, or not what they should. */
export const wrongTransactions: readonly WrongAdapter[] = [
  [
    'commits after the deadline',
    () => wrongly((right) => ({ run: (work) => right.run(work), read: (reading) => right.read(reading) })),
    describeDeadlines,
    'does not start after it, nor does a read',
    'commits nothing after it, and does not affect others',
  ],
  [
    'a rollback of half the changes',
    halfRollback,
    describeIsolation,
    'leave nothing behind when they fail: no resource, no key, no lease',
  ],
  [
    'keys that outlive the rollback of their unit of work',
    keysOfTheirOwn,
    describeIsolation,
    'leave nothing behind when they fail: no resource, no key, no lease',
  ],
  [
    'late calls that take effect',
    lateCalls,
    describeIsolation,
    'change nothing by a call that comes after they have ended, whether they committed or failed',
  ],
  [
    'an acknowledgment before the commit',
    earlyAcknowledgment,
    describeUnitOfWork,
    'returns what its work returns, and commits its changes',
  ],
  [
    'a rejected change that work can catch',
    caughtRejections,
    describeUnitOfWork,
    'rolls back after a rejected change, even if the work catches the error',
  ],
  [
    'work that is not run again',
    noRetry,
    describeRaces,
    'are retried when they save over a newer version (optimistic concurrency)',
  ],
  [
    'lost updates',
    lostUpdates,
    describeRaces,
    'are retried when they save over a newer version (optimistic concurrency)',
    'fail in the end, without a change, when the conflict persists',
  ],
  [
    'a change of a removed row that says OK',
    okForTheRemoved,
    describeRaces,
    'are retried when they save what was removed',
  ],
  [
    'changes of several rows that are made in part',
    halfSaved,
    describeSeveral,
    'are changed all or none when another unit of work has changed one of them',
  ],
  [
    'verdicts that are replaced',
    lastVerdict,
    describeSandboxLedger,
    'keeps the first verdict, and returns it to later calls',
  ],
];
