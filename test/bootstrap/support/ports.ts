import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:net';

/** Something that holds a port. */
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

/** Whether somebody could listen there now. */
export const isFree = async (port: number): Promise<boolean> => {
  try {
    await leave(await occupy(port));
    return true;
  } catch {
    return false;
  }
};

/**
 * Below the ports that systems give to whoever connects (Linux: from 32768 on, others: from 49152): one of those that is free
 * now may soon be the other end of somebody's request, and then nobody can listen there.
 */
const [first, count] = [20_000, 12_000];
let next = randomInt(count);

/** A port that is free, and that this process has not been given before. */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = first + next;
    next = (next + 1) % count;
    if (await isFree(port)) return port;
  }
};
