import { openPostgres } from '#adapters/persistence/postgres/open.ts';
import { openSqlite } from '#adapters/persistence/sqlite/open.ts';
import type { Store } from '#adapters/persistence/store.ts';
import { leasedWindowLimiter } from '#adapters/rate-limit/leased-window.ts';
import { createMigrated } from '../support/test-databases.ts';
import { describeRateLimiter, type OpenLimiter } from './rate-limiter.ts';

/** Limiters that each have opened the store for themselves, as if each were in a process of its own. */
const over = async (
  count: number,
  open: () => Promise<Store>,
  remove: () => Promise<void>,
): Promise<OpenLimiter> => {
  const stores = [await open()];
  while (stores.length < count) stores.push(await open());
  let next = 0;
  return {
    limiter: (limiting, lag = 0) => {
      const quotas = stores[next % count]?.quotas;
      next += 1;
      if (quotas === undefined) throw new Error('This store is one that can be shared.');
      return leasedWindowLimiter({ ...limiting, quotas, now: () => Date.now() - lag });
    },
    close: async () => {
      for (const store of stores) await store.close();
      await remove();
    },
  };
};

for (const count of [1, 3])
  describeRateLimiter(
    `SQLite, ${count} at once`,
    async () => {
      const { url, remove } = await createMigrated('sqlite');
      return over(count, () => openSqlite({ file: url.replace('sqlite:', '') }), remove);
    },
    count,
  );

describeRateLimiter(
  'PostgreSQL, 3 at once',
  async () => {
    const { url, remove } = await createMigrated('postgres');
    return over(3, () => openPostgres({ url }), remove);
  },
  3,
);
