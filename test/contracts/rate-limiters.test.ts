import { expect } from 'chai';
import { openPostgres } from '#adapters/persistence/postgres/open.ts';
import { openSqlite } from '#adapters/persistence/sqlite/open.ts';
import type { Store } from '#adapters/persistence/store.ts';
import { fixedWindowLimiter } from '#adapters/rate-limit/fixed-window.ts';
import { leasedWindowLimiter } from '#adapters/rate-limit/leased-window.ts';
import { freshDatabase } from '../support/postgres.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { resultOf } from './failures.ts';
import { describeRateLimiter, type OpenLimiter } from './rate-limiter.ts';
import { wrongLimiters } from './wrong/limiters.ts';

const now = Date.now;

/** Limiters that each have opened the store for themselves, as if each were in a process of its own. */
const over = async (
  count: number,
  openStore: () => Promise<Store>,
  remove = async () => undefined as unknown,
): Promise<OpenLimiter> => {
  const stores = [await openStore()];
  while (stores.length < count) stores.push(await openStore());
  let next = 0;
  return {
    limiter: (limiting, lag = 0) => {
      const quotas = stores[next % count]?.quotas;
      next += 1;
      if (quotas === undefined) throw new Error('This store is one that can be shared.');
      return leasedWindowLimiter({ ...limiting, quotas, now: () => now() - lag });
    },
    close: async () => {
      for (const store of stores) await store.close();
      await remove();
    },
  };
};

const alone = async (): Promise<OpenLimiter> => ({
  limiter: (limiting) => fixedWindowLimiter({ ...limiting, now }),
  close: async () => undefined,
});

describeRateLimiter('Memory', alone, 1);

describe('On SQLite', () => {
  const inFolder = temporaryFolder();
  for (const count of [1, 2, 3]) {
    const open = () => over(count, () => openSqlite({ file: inFolder(`${count}.db`) }));
    describeRateLimiter(`SQLite, ${count} at once`, open, count);
  }
});

for (const count of [1, 3]) {
  const open = async () => {
    const { url, drop } = await freshDatabase();
    return over(count, () => openPostgres({ url }), drop);
  };
  describeRateLimiter(`PostgreSQL, ${count} at once`, open, count);
}

describe('The contract suite of rate limiters rejects those that', () => {
  for (const [fault, open, count, ...promises] of wrongLimiters) {
    it(fault, async () => {
      const { failed, passed } = await resultOf((runner) => {
        // The random bursts take too long, and what they find has other names.
        const it: typeof runner.it = (title, body) => {
          if (!title.startsWith('never allows more than the limit')) runner.it(title, body);
        };
        describeRateLimiter('wrong', open, count, { ...runner, it });
      });
      expect(failed).to.include.members(promises);
      // What has nothing to do with the fault is kept.
      expect(passed).to.be.above(0);
    });
  }
});
