import { connect, type NetConnectOpts } from 'node:net';
import type { PoolClient } from 'pg';
import { withTimeout } from '#adapters/support/timeout.ts';
import { impliesStaleConnections, isConnectionUsable, translateError } from '../errors.ts';
import { internalsOf } from './driver-internals.ts';

/** How long the server may take to accept a cancel request, in milliseconds. */
const cancelTimeoutMs = 500;

/** How long a cancelled statement, and the rollback behind it, may each last, in milliseconds. */
const drainTimeoutMs = 1_000;

/** A statement under way whose response is no longer awaited, because its deadline has passed. */
export interface Abandoned {
  readonly response: Promise<unknown>;
  /** A commit is never cancelled: it may be done already and wait for a standby only. */
  readonly isCommit: boolean;
}

/** `usable`: the pool may hand it out again. `silent`: the server gave no response, so the other connections are suspect. */
type Outcome = 'usable' | 'broken' | 'silent';

/**
 * Cancels an abandoned statement, waits for its end and rolls back, because a commit behind a write that failed was skipped.
 * The connection stays out of the pool meanwhile, so that the server never carries out more statements than the pool has
 * connections.
 */
export const cancelAndDrain = async (
  client: PoolClient,
  { response, isCommit }: Abandoned,
): Promise<Outcome> => {
  const settled = outcomeOf(response);
  if (!isCommit && !(await cancel(client))) return 'silent';
  const outcome = isCommit
    ? await settled
    : await withTimeout<Outcome, Outcome>(drainTimeoutMs, settled, 'silent');
  if (outcome !== 'usable') return outcome;
  return withTimeout<Outcome, Outcome>(drainTimeoutMs, outcomeOf(client.query('rollback')), 'silent');
};

const outcomeOf = (response: Promise<unknown>): Promise<Outcome> =>
  response.then(
    () => 'usable',
    (error: unknown) => {
      if (impliesStaleConnections(error)) return 'silent';
      return isConnectionUsable(translateError(error)) ? 'usable' : 'broken';
    },
  );

/**
 * Asks the server to cancel the statement of a connection. The request goes over a connection of its own, which the server
 * closes once it has passed the request on.
 * https://www.postgresql.org/docs/18/protocol-flow.html#PROTOCOL-FLOW-CANCELING-REQUESTS
 * @returns whether the server accepted the request
 */
const cancel = async (client: PoolClient): Promise<boolean> => {
  const { processID, secretKey } = internalsOf(client);
  // A server that sent no key accepts no cancel request.
  if (processID === null || secretKey === null) return false;
  const socket = connect(addressOf(client));
  socket.once('connect', () => socket.write(encodeCancelRequest(processID, secretKey)));
  const accepted = new Promise<boolean>((resolve) => {
    socket.once('end', () => resolve(true));
    socket.once('close', () => resolve(false));
  });
  socket.on('error', () => undefined);
  socket.resume();
  const isAccepted = await withTimeout(cancelTimeoutMs, accepted, false);
  socket.destroy();
  return isAccepted;
};

/** The server that the connection leads to, by address: its name may resolve to another server by now. */
const addressOf = (client: PoolClient): NetConnectOpts => {
  const { connection, host, port } = internalsOf(client);
  const { remoteAddress, remotePort } = connection.stream;
  if (remoteAddress !== undefined && remotePort !== undefined)
    return { host: remoteAddress, port: remotePort };
  return host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
};

/** The code of a cancel request in the protocol: 1234 in the upper half, 5678 in the lower. */
const cancelRequestCode = 80_877_102;

const encodeCancelRequest = (processId: number, secretKey: number): Buffer => {
  const packet = Buffer.alloc(16);
  packet.writeInt32BE(packet.length, 0);
  packet.writeInt32BE(cancelRequestCode, 4);
  packet.writeInt32BE(processId, 8);
  packet.writeInt32BE(secretKey, 12);
  return packet;
};
