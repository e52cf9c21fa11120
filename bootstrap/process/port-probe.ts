import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/**
 * Listens on a port, and says nothing to whoever comes, so that nobody else has it until it is closed.
 * @throws the system's error when nobody can listen there
 */
export const reservePort = async (host: string, port: number): Promise<Server> => {
  const server = createServer((socket) => socket.destroy());
  server.listen({ host, port, exclusive: true });
  await once(server, 'listening');
  return server;
};
