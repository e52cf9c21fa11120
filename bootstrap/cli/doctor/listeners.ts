import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Server } from 'node:net';
import { onlyProviderEvents } from '#adapters/http/provider-events/handler.ts';
import { validityOf, validityWarning } from '#adapters/system/certificate.ts';
import { type Finding, findingsFor } from '#application/ports/inspection.ts';
import type { Config } from '../../config/config.ts';
import { isLoopback } from '../../config/env-parser.ts';
import { reservePort } from '../../process/port-probe.ts';

const tlsFindings = findingsFor('tls');
const portFindings = {
  PORT: findingsFor('port'),
  OPS_PORT: findingsFor('ops port'),
  PAGES_PORT: findingsFor('pages port'),
  PROVIDER_EVENTS_PORT: findingsFor('events port'),
};

/** Whether the certificate is valid now. That it matches its key was checked with the settings. */
export const checkCertificate = (
  { tls, host, behindProxy }: Pick<Config, 'tls' | 'host' | 'behindProxy'>,
  now = Date.now(),
): Finding => {
  const { ok, warn, fail } = tlsFindings;
  if (tls === undefined) {
    if (behindProxy) return ok('the proxy in front terminates TLS (TRUST_PROXY)');
    return ok(isLoopback(host) ? 'not needed: only this machine can connect' : `not needed on ${host}`);
  }
  const validity = validityOf(tls.cert);
  const warning = validityWarning(now, validity);
  if (warning === undefined) {
    const until = validity.to.toISOString().slice(0, 10);
    return ok(`the certificate matches its key and is valid until ${until}`);
  }
  const message = `the certificate ${warning.message}`;
  if (warning.state === 'early') return fail(message, "Check this machine's clock, or wait until then.");
  const remedy =
    'Renew it, and replace the files in TLS_CERT_FILE and TLS_KEY_FILE. A running server reloads them.';
  return warning.state === 'expired' ? fail(message, remedy) : warn(message, remedy);
};

/** Bounds the wait for the program that has the port. */
const probeTimeoutMs = 3_000;

/** In characters: more than Portico's own response, so that another program cannot send without end. */
const maxProbeLength = 4_096;

interface Listener {
  readonly setting: keyof typeof portFindings;
  readonly host: string;
  readonly port: number;
  readonly isSecure: boolean;
  readonly path: string;
  /** Whether a Portico server sent this response to `path`. */
  readonly isPortico: (response: string) => boolean;
}

/** Whether each port is free, or a Portico server has it already. */
export const checkPorts = async ({
  host,
  port,
  ops,
  pages,
  providerEvents,
  tls,
}: Config): Promise<Finding[]> => {
  if (port !== 0 && ops?.port === port && ops.host === host) return [samePort('OPS_PORT', host, port)];
  const isSecure = tls !== undefined;
  const listeners: Listener[] = [
    { setting: 'PORT', host, port, isSecure, path: '/v1/products', isPortico: isErrorEnvelope },
  ];
  if (ops !== undefined) {
    const probe = { isSecure: false, path: '/livez', isPortico: isLivenessResponse };
    listeners.push({ ...ops, ...probe, setting: 'OPS_PORT' });
  }
  if (pages !== undefined) {
    const probe = { isSecure, path: '/v1/products', isPortico: isErrorEnvelope };
    listeners.push({ ...pages, ...probe, setting: 'PAGES_PORT' });
  }
  if (providerEvents !== undefined) {
    const probe = { isSecure, path: '/', isPortico: isEventsResponse };
    listeners.push({ ...providerEvents, ...probe, setting: 'PROVIDER_EVENTS_PORT' });
  }
  return checkInTurn(listeners);
};

/** Holds each port while it checks the next, which finds conflicts between two names of one address. */
const checkInTurn = async (listeners: readonly Listener[]): Promise<Finding[]> => {
  const findings: Finding[] = [];
  const held = new Map<number, Server>();
  try {
    for (const listener of listeners) findings.push(await checkPort(listener, held));
  } finally {
    for (const server of held.values()) server.close();
  }
  return findings;
};

/** What the listener for events of the provider sends for every other path. */
const isEventsResponse = (response: string): boolean => response === `${onlyProviderEvents}\n`;

const isLivenessResponse = (response: string): boolean => /^alive: process \d+\n$/.test(response);

/** Without a key, Portico responds with an error in its envelope. */
const isErrorEnvelope = (response: string): boolean =>
  /^\{"error":\{"code":"[A-Z_]+".*"request_id":"/.test(response);

/** @param held the ports held by this check; a free port is added */
const checkPort = async (listener: Listener, held: Map<number, Server>): Promise<Finding> => {
  const { setting, host, port } = listener;
  const { ok, fail } = portFindings[setting];
  if (port === 0) return ok('any free port');
  try {
    const server = await reservePort(host, port);
    if (held.has(port)) server.close();
    else held.set(port, server);
    return ok(`${port} on ${host} is free`);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    if (code === 'EADDRINUSE') {
      if (held.has(port)) return samePort(setting, host, port);
      if (await isServedByPortico(listener)) return ok(`${port} on ${host} is in use by a Portico server`);
      const remedy = `Set ${setting} to another port, or stop that program.`;
      return fail(`${port} on ${host} is in use by another program`, remedy);
    }
    if (code === 'EACCES') {
      const remedy = `Set ${setting} to 1024 or higher, and put a proxy in front.`;
      return fail(`${port} is reserved for privileged users`, remedy);
    }
    const hostSetting = setting === 'PROVIDER_EVENTS_PORT' ? 'HOST' : setting.replace('PORT', 'HOST');
    return fail(`cannot listen on ${host} (${code})`, `Set ${hostSetting} to an address of this machine.`);
  }
};

const samePort = (setting: Listener['setting'], host: string, port: number): Finding =>
  portFindings[setting].fail(
    `${port} on ${host} is the port of another listener of Portico, too`,
    'Set PORT, OPS_PORT, PAGES_PORT and PROVIDER_EVENTS_PORT to different ports.',
  );

/** A wildcard address is probed at the loopback address. */
const probeAddresses: ReadonlyMap<string, string> = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
]);

const isServedByPortico = async (listener: Listener): Promise<boolean> => {
  const { host, port, isSecure, path } = listener;
  const signal = AbortSignal.timeout(probeTimeoutMs);
  const options = { host: probeAddresses.get(host) ?? host, port, path, signal };
  // The request carries no secret, so the certificate is not verified.
  const request = isSecure ? httpsRequest({ ...options, rejectUnauthorized: false }) : httpRequest(options);
  try {
    request.end();
    const [response] = await once(request, 'response', { signal });
    return listener.isPortico(await readPrefix(response));
  } catch {
    return false;
  } finally {
    request.destroy();
  }
};

const readPrefix = async (response: AsyncIterable<Buffer>): Promise<string> => {
  let text = '';
  for await (const chunk of response) {
    text += chunk.toString();
    if (text.length > maxProbeLength) break;
  }
  return text;
};
