import type { Server } from 'node:net';
import type { Config } from '../config/config.ts';
import { SettingError } from '../config/env-parser.ts';
import { reservePort } from './port-probe.ts';

/**
 * Looks whether the server will be able to listen, before anything is made that a start shows once.
 * @throws SettingError that names the setting to mend
 */
export const requireFreePorts = async ({ host, port, ops }: Config): Promise<void> => {
  const held: Server[] = [];
  try {
    held.push(await reservePort(host, port).catch((error) => refuse('', port, error)));
    if (ops !== undefined) {
      held.push(await reservePort(ops.host, ops.port).catch((error) => refuse('OPS_', ops.port, error)));
    }
  } finally {
    await Promise.all(held.map((server) => new Promise((resolve) => server.close(resolve))));
  }
};

type Obstacle = NodeJS.ErrnoException & { readonly address?: string; readonly hostname?: string };

const refuse = (prefix: '' | 'OPS_', port: number, error: Obstacle): never => {
  const { code, syscall, hostname, address } = error;
  if (syscall === 'getaddrinfo' || code === 'EADDRNOTAVAIL') {
    const remedy = `takes an address of this machine, which ${hostname ?? address} is not (${code}).`;
    throw new SettingError(`${prefix}HOST`, remedy);
  }
  throw new SettingError(`${prefix}PORT`, remedies[code ?? '']?.(port) ?? `${port} cannot be had (${code}).`);
};

const remedies: Readonly<Partial<Record<string, (port: number) => string>>> = {
  EADDRINUSE: (port) =>
    `${port} is taken: choose another, or end whoever listens there; PORT and OPS_PORT have to differ (EADDRINUSE).`,
  EACCES: (port) => `${port} is not for everybody: choose 1024 or more, with a proxy in front (EACCES).`,
};
