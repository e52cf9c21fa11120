import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:net';

/** A server that listens on a port. */
export const occupy = async (port = 0): Promise<Server> => {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
};

export const portOf = (server: Server): number => (server.address() as AddressInfo).port;

export const leave = async (server: Server): Promise<void> => {
  server.close();
  await once(server, 'close');
};

/** Whether a server could listen on that port now. */
export const isFree = async (port: number): Promise<boolean> => {
  try {
    await leave(await occupy(port));
    return true;
  } catch {
    return false;
  }
};

/**
 * Below the ephemeral ports (Linux: from 32768, others: from 49152): a free one of those may soon be the client end of a
 * connection, and then no server can listen there.
 */
const [first, count] = [20_000, 12_000];
/** Processes that run beside each other have other numbers, so each begins in a block of its own. */
const portsPerProcess = 50;
let next = (process.pid * portsPerProcess) % count;

/** A free port that this process has not used before. */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = first + next;
    next = (next + 1) % count;
    if (await isFree(port)) return port;
  }
};
