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
 * connection, and then no server can listen there, nor one that is down come back.
 */
const firstPort = 10_000;

/** A process owns blocks of ports. Two processes with a port in common would take it from each other, or answer each other's clients. */
const blocks = { count: 220, ports: 100 };

/** Whether this process listens there now, and will for as long as it lives. */
const claim = async (port: number): Promise<boolean> => {
  try {
    (await occupy(port)).unref();
    return true;
  } catch {
    return false;
  }
};

/**
 * Claims a block that no other process has: its first port says that it is taken.
 * @returns its other ports
 * @throws when all are taken
 */
const claimBlock = async (): Promise<number[]> => {
  for (let tried = 0; tried < blocks.count; tried += 1) {
    const first = firstPort + ((process.pid + tried) % blocks.count) * blocks.ports;
    if (await claim(first)) return Array.from({ length: blocks.ports - 1 }, (_, index) => first + 1 + index);
  }
  throw new Error('Other processes have all blocks of ports.');
};

let left: Promise<number[]> = Promise.resolve([]);

/** The next port of this process. Calls at once share a claim. */
const nextPort = async (): Promise<number> => {
  const block = left;
  const port = (await block).shift();
  if (port !== undefined) return port;
  if (left === block) left = claimBlock();
  return nextPort();
};

/** A free port that no other process of the tests has, and that this one has not used before. */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = await nextPort();
    if (await isFree(port)) return port;
  }
};
