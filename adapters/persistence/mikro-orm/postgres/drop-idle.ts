import type { Client, Pool, PoolClient } from 'pg';

/**
 * Where one connection went silent or leads to the wrong server, the others do too. They are taken before anybody else can
 * take them, so that whoever comes next gets a new one.
 */
export const dropIdle = (pool: Pool): void => {
  for (let left = pool.idleCount; left > 0; left -= 1) {
    pool.connect((_, client, release) => {
      (client as (PoolClient & Client) | undefined)?.connection.stream.destroy();
      release(true);
    });
  }
};
