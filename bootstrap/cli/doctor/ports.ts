import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Server } from 'node:net';
import type { Config } from '../../config/config.ts';
import { reservePort } from '../../process/port-probe.ts';
import { type Finding, findingsOf } from './finding.ts';

/** How long whoever listens there is waited for, in milliseconds. */
const patience = 3_000;

/** More than a Portico says to that, in characters. */
const longestAnswer = 4_096;

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
    return [findingsOf('ops port').fail(...sharedWithTheApi(host, port))];
  }
  const isSecure = tls !== undefined;
  const doors: Door[] = [{ setting: 'PORT', host, port, isSecure, path: '/v1/products', isOurs: isEnvelope }];
  if (ops !== undefined) {
    doors.push({ ...ops, setting: 'OPS_PORT', isSecure: false, path: '/livez', isOurs: isAlive });
  }
  return checkEach(doors);
};

/** One after the other, with those before it held: so two names of one address are noticed, too. */
const checkEach = async (doors: readonly Door[]): Promise<Finding[]> => {
  const findings: Finding[] = [];
  const held = new Map<number, Server>();
  try {
    for (const door of doors) findings.push(await check(door, held));
  } finally {
    for (const server of held.values()) server.close();
  }
  return findings;
};

const isAlive = (answer: string): boolean => answer === 'alive\n';

/** Nobody who shows no key is let in, and is told so in the envelope of the API. */
const isEnvelope = (answer: string): boolean => /^\{"error":\{"code":"[A-Z_]+".*"request_id":"/.test(answer);

/** @param held by this very check; what can be held is added */
const check = async (door: Door, held: Map<number, Server>): Promise<Finding> => {
  const { setting, host, port } = door;
  const { ok, fail } = findingsOf(setting === 'PORT' ? 'port' : 'ops port');
  if (port === 0) return ok('any that is free');
  try {
    const server = await reservePort(host, port);
    if (held.has(port)) server.close();
    else held.set(port, server);
    return ok(`${port} on ${host} is free`);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    if (code === 'EADDRINUSE') {
      if (held.has(port)) return fail(...sharedWithTheApi(host, port));
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
    return fail(
      `nothing can listen on ${host} (${code})`,
      `Set ${hostSetting} to an address of this machine.`,
    );
  }
};

const sharedWithTheApi = (host: string, port: number) =>
  [`${port} on ${host} is the port of the API, too`, 'Set PORT or OPS_PORT to another.'] as const;

/** Who listens on every address is asked on this machine's own. */
const toAsk: ReadonlyMap<string, string> = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
]);

const isPortico = async ({ host, port, isSecure, path, isOurs }: Door): Promise<boolean> => {
  const signal = AbortSignal.timeout(patience);
  const options = { host: toAsk.get(host) ?? host, port, path, signal };
  // Nothing secret is sent, so whoever it is need not prove it.
  const asked = isSecure ? httpsRequest({ ...options, rejectUnauthorized: false }) : httpRequest(options);
  try {
    asked.end();
    const [answer] = await once(asked, 'response', { signal });
    return isOurs(await beginningOf(answer));
  } catch {
    return false;
  } finally {
    asked.destroy();
  }
};

/** A stranger may send without end. */
const beginningOf = async (answer: AsyncIterable<Buffer>): Promise<string> => {
  let text = '';
  for await (const chunk of answer) {
    text += chunk.toString();
    if (text.length > longestAnswer) break;
  }
  return text;
};
