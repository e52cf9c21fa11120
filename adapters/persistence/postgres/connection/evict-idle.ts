import type { Client, Pool, PoolClient } from 'pg';

/** Pools whose idle connections are being evicted. Many callers notice a failover at once; one eviction is enough. */
const evicting = new WeakSet<Pool>();

/**
 * Closes the idle connections of a pool. Where one connection fell silent or leads to a demoted primary, the others are
 * suspect too; requests that wait for a connection already keep their place.
 */
export const evictIdle = (pool: Pool): void => {
  if (evicting.has(pool)) return;
  evicting.add(pool);
  let hasEnded = false;
  for (let left = pool.idleCount; left > 0; left -= 1) {
    pool.connect((_, client: (PoolClient & Client) | undefined, release) => {
      // Another request acquired the last idle connection first, and no other was free in time.
      if (client === undefined) return;
      if (!hasEnded) client.connection.stream.destroy();
      release(!hasEnded);
    });
  }
  // The pool hands idle connections out before this turn ends. A later one is new, or was in use meanwhile.
  setImmediate(() => {
    hasEnded = true;
    evicting.delete(pool);
  });
};
