import type { Client, Pool, PoolClient } from 'pg';

/** Pools whose idle connections are being dropped: many notice at once, and once is enough. */
const beingSeenTo = new WeakSet<Pool>();

/**
 * Where one connection went silent or leads to the wrong server, the others do too. They are taken before anybody else can
 * take them, so that whoever comes next gets a new one.
 */
export const dropIdle = (pool: Pool): void => {
  if (beingSeenTo.has(pool)) return;
  beingSeenTo.add(pool);
  let isOver = false;
  for (let left = pool.idleCount; left > 0; left -= 1) {
    pool.connect((_, client: (PoolClient & Client) | undefined, release) => {
      // Somebody else took the last of them before, and no other came in time.
      if (client === undefined) return;
      if (!isOver) client.connection.stream.destroy();
      release(!isOver);
    });
  }
  // Idle ones are handed out before; what comes later is somebody's who has done with it, or new.
  setImmediate(() => {
    isOver = true;
    beingSeenTo.delete(pool);
  });
};
