import type { Pool, PoolClient } from 'pg';
import { internalsOf } from './driver-internals.ts';

/** The interval between two checks: at most so many milliseconds, and at most this fraction of the timeout. */
const checkInterval = { maxMs: 250, divisor: 10 };

/**
 * Closes connections whose server owes a response and has sent nothing for too long, not even a timeout error. One timer
 * checks all connections; the driver's `query_timeout` sets a timer for each statement and keeps the statement in memory.
 * @param timeout how long a connection may be silent while a response is due, in milliseconds
 * @returns the function that stops it
 */
export const closeDeadConnections = (pool: Pool, timeout: number): (() => void) => {
  /** The bytes that went over each connection in both directions, and since when their number has not changed. */
  const activity = new Map<PoolClient, { readonly bytes: number; readonly since: number }>();
  pool.on('connect', (client) => activity.set(client, { bytes: 0, since: performance.now() }));
  pool.on('remove', (client) => activity.delete(client));

  const check = (): void => {
    const now = performance.now();
    for (const [client, before] of activity) {
      const { connection, readyForQuery } = internalsOf(client);
      const { stream } = connection;
      const bytes = stream.bytesRead + stream.bytesWritten;
      if (readyForQuery || before.bytes !== bytes) {
        activity.set(client, { bytes, since: now });
      } else if (now - before.since >= timeout) {
        // The message of the driver's own `query_timeout`, which `errors.ts` knows.
        stream.destroy(new Error('Query read timeout'));
      }
    }
  };
  const timer = setInterval(check, Math.min(checkInterval.maxMs, timeout / checkInterval.divisor)).unref();
  return () => clearInterval(timer);
};
