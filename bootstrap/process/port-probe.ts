import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import type { Config } from '../config/config.ts';
import { SettingError } from '../config/env-parser.ts';

/**
 * Checks that the server will be able to listen, before a first start creates keys that it shows only once.
 * @throws SettingError that names the setting to change
 */
export const requireFreePorts = async ({ host, port, ops, pages, providerEvents }: Config): Promise<void> => {
  const listeners = [
    ['', { host, port }],
    ['OPS_', ops],
    ['PAGES_', pages],
    ['PROVIDER_EVENTS_', providerEvents],
  ] as const;
  const reserved: Server[] = [];
  try {
    for (const [prefix, listener] of listeners) {
      if (listener === undefined) continue;
      const { host: address, port: number } = listener;
      reserved.push(await reservePort(address, number).catch((error) => rejectPort(prefix, number, error)));
    }
  } finally {
    await Promise.all(reserved.map((server) => new Promise((resolve) => server.close(resolve))));
  }
};

/**
 * Listens on a port and closes every connection, so that no other process gets the port until the server is closed.
 * @throws the system's error when no process can listen there
 */
export const reservePort = async (host: string, port: number): Promise<Server> => {
  const server = createServer((socket) => socket.destroy());
  server.listen({ host, port, exclusive: true });
  await once(server, 'listening');
  return server;
};

type ListenError = NodeJS.ErrnoException & { readonly address?: string; readonly hostname?: string };

type Prefix = '' | 'OPS_' | 'PAGES_' | 'PROVIDER_EVENTS_';

const rejectPort = (prefix: Prefix, port: number, error: ListenError): never => {
  const { code, syscall, hostname, address } = error;
  if (syscall === 'getaddrinfo' || code === 'EADDRNOTAVAIL') {
    const advice = `must be an address of this machine, which ${hostname ?? address} is not (${code}).`;
    throw new SettingError(`${prefix}HOST`, advice);
  }
  throw new SettingError(
    `${prefix}PORT`,
    adviceFor[code ?? '']?.(port) ?? `${port} cannot be used (${code}).`,
  );
};

const adviceFor: Readonly<Partial<Record<string, (port: number) => string>>> = {
  EADDRINUSE: (port) =>
    `${port} is taken: choose another port, or stop the process that listens there. PORT, OPS_PORT, PAGES_PORT and PROVIDER_EVENTS_PORT must differ (EADDRINUSE).`,
  EACCES: (port) => `${port} needs privileges: choose 1024 or more, with a proxy in front (EACCES).`,
};
