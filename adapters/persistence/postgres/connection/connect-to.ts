import { Pool } from 'pg';
import { ConnectionPool } from './pool.ts';

/**
 * Creates a pool for a server that MikroORM has not opened, such as a replica. It connects when the first connection is
 * acquired.
 * @param size the maximum number of connections
 * @param timeout of locks and statements, in milliseconds
 */
export const connectTo = (url: string, size: number, timeout: number): ConnectionPool => {
  const connections = new ConnectionPool({ timeout });
  const pool = new Pool({ connectionString: url, max: size, ...connections.driverOptions });
  // The request that uses a broken connection gets the error; the pool drops an idle one.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  connections.attach(pool);
  return connections;
};
