import type { Socket } from 'node:net';
import type { ClientBase } from 'pg';

/** What the driver has and its types omit or call private. It is read through this file only. */
interface DriverInternals {
  /** The server's process of this connection; null where the server sends none. */
  readonly processID: number | null;
  /** With it the server accepts a cancel request. */
  readonly secretKey: number | null;
  /** False while a response is due. */
  readonly readyForQuery: boolean;
  readonly connection: { readonly stream: Socket };
  readonly host: string;
  readonly port: number;
}

export const internalsOf = (client: ClientBase): DriverInternals => client as unknown as DriverInternals;

/**
 * Checks a connection that has had a response, so that a version of the driver without these fields fails at the start and not in a cancellation.
 * @throws TypeError
 */
export const checkInternals = (client: ClientBase): void => {
  const { processID, secretKey, readyForQuery, connection, host, port } = internalsOf(client);
  const isComplete =
    processID !== undefined &&
    secretKey !== undefined &&
    typeof readyForQuery === 'boolean' &&
    typeof connection.stream.bytesWritten === 'number' &&
    typeof host === 'string' &&
    typeof port === 'number';
  if (!isComplete) throw new TypeError('This version of pg lacks what Portico reads of its connections.');
};
