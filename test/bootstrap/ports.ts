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

/** A port that was free a moment ago. */
export const freePort = async (): Promise<number> => {
  const server = await occupy();
  const port = portOf(server);
  await leave(server);
  return port;
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
