import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Config } from '../config.ts';
import { type Finding, findingsOf } from './finding.ts';

/** How long whoever listens there is waited for, in milliseconds. */
const patience = 3_000;

interface Door {
  readonly setting: 'PORT' | 'OPS_PORT';
  readonly host: string;
  readonly port: number;
  readonly isSecure: boolean;
  readonly path: string;
  /** Whether such an answer comes from a Portico. */
  readonly isOurs: (answer: string) => boolean;
}

/** Whether the server could listen, or a Portico does so already. */
export const checkPorts = async ({ host, port, ops, tls }: Config): Promise<Finding[]> => {
  if (port !== 0 && ops?.port === port && ops.host === host) {
    const { fail } = findingsOf('ops port');
    return [fail(`${port} on ${host} is the port of the API, too`, 'Set PORT or OPS_PORT to another.')];
  }
  const isSecure = tls !== undefined;
  const doors: Door[] = [{ setting: 'PORT', host, port, isSecure, path: '/v1/products', isOurs: isEnvelope }];
  if (ops !== undefined) {
    doors.push({ ...ops, setting: 'OPS_PORT', isSecure: false, path: '/livez', isOurs: isAlive });
  }
  return Promise.all(doors.map(check));
};

const isAlive = (answer: string): boolean => answer === 'alive\n';

/** Nobody who shows no key is let in, and is told so in the envelope of the API. */
const isEnvelope = (answer: string): boolean => /^\{"error":\{"code":"[A-Z_]+".*"request_id":"/.test(answer);

const check = async (door: Door): Promise<Finding> => {
  const { setting, host, port } = door;
  const { ok, fail } = findingsOf(setting === 'PORT' ? 'port' : 'ops port');
  if (port === 0) return ok('any that is free');
  const code = await obstacle(host, port);
  if (code === undefined) return ok(`${port} on ${host} is free`);
  if (code === 'EADDRINUSE') {
    return (await isPortico(door))
      ? ok(`${port} on ${host}: a Portico serves there now`)
      : fail(
          `${port} on ${host} is somebody else's`,
          `Set ${setting} to another, or end whoever listens there.`,
        );
  }
  if (code === 'EACCES') {
    return fail(`${port} is not for everybody`, `Set ${setting} to 1024 or more, with a proxy in front.`);
  }
  const hostSetting = setting === 'PORT' ? 'HOST' : 'OPS_HOST';
  return fail(`nothing can listen on ${host} (${code})`, `Set ${hostSetting} to an address of this machine.`);
};

/** Why nobody can listen there; undefined when one can. */
const obstacle = async (host: string, port: number): Promise<string | undefined> => {
  const server = createServer();
  try {
    server.listen({ host, port, exclusive: true });
    await once(server, 'listening');
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  } finally {
    server.close();
  }
};

/** Who listens on every address is asked on this machine's own. */
const toAsk: ReadonlyMap<string, string> = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
]);

const isPortico = async ({ host, port, isSecure, path, isOurs }: Door): Promise<boolean> => {
  const signal = AbortSignal.timeout(patience);
  const options = { host: toAsk.get(host) ?? host, port, path, signal };
  try {
    // Nothing secret is sent, so whoever it is need not prove it.
    const asked = isSecure ? httpsRequest({ ...options, rejectUnauthorized: false }) : httpRequest(options);
    asked.end();
    const [answer] = await once(asked, 'response', { signal });
    return isOurs(await text(answer));
  } catch {
    return false;
  }
};
