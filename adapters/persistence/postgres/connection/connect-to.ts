import { Pool } from 'pg';
import { ConnectionPool } from './pool.ts';

/**
 * Creates a pool for a server that MikroORM has not opened, such as a replica. It connects when the first connection is
 * acquired.
 * @param size the maximum number of connections
 * @param timeout of locks and statements, in milliseconds
 */
export const connectTo = (url: string, size: number, timeout: number): ConnectionPool => {
  const pool = new Pool({ connectionString: url, max: size });
  // The request that uses a broken connection gets the error; the pool drops an idle one.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return new ConnectionPool(pool, timeout);
};
