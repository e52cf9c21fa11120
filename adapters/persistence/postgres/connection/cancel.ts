import { connect, type NetConnectOpts } from 'node:net';
import type { Client, PoolClient } from 'pg';

/** How long the server is given to take it, in milliseconds. */
const patience = 500;

/**
 * Asks the server to end what a connection is at. As the protocol has it, that goes over a way of its own, which the server
 * closes once it has passed it on. https://www.postgresql.org/docs/18/protocol-flow.html#PROTOCOL-FLOW-CANCELING-REQUESTS
 * @returns whether the server was there to take it
 */
export const cancel = (client: PoolClient): Promise<boolean> =>
  new Promise((resolve) => {
    const { processID, secretKey } = client as PoolClient & Secret;
    const socket = connect(addressOf(client as PoolClient & Client));
    let wasTaken = false;
    socket.setTimeout(patience, () => socket.destroy());
    socket.once('connect', () => socket.write(request(processID, secretKey)));
    socket.once('end', () => {
      wasTaken = true;
    });
    socket.on('error', () => undefined);
    socket.once('close', () => resolve(wasTaken));
    socket.resume();
  });

/** The driver knows them, and its types do not. */
interface Secret {
  readonly processID: number;
  readonly secretKey: number;
}

/** The very server that the connection leads to: a name may lead to another one by now. */
const addressOf = ({ connection, host, port }: PoolClient & Client): NetConnectOpts => {
  const { remoteAddress, remotePort } = connection.stream as { remoteAddress?: string; remotePort?: number };
  if (remoteAddress !== undefined && remotePort !== undefined)
    return { host: remoteAddress, port: remotePort };
  return host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
};

const request = (processId: number, secretKey: number): Buffer => {
  const packet = Buffer.alloc(16);
  packet.writeInt32BE(packet.length, 0);
  packet.writeInt32BE(80_877_102, 4);
  packet.writeInt32BE(processId, 8);
  packet.writeInt32BE(secretKey, 12);
  return packet;
};
