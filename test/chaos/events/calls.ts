import { setTimeout as pause } from 'node:timers/promises';
import type { Json } from '../../http/support/client.ts';
import { type RawResponse, type Request, sendRequest } from '../../lab/clients/send-request.ts';
import type { Fleet } from '../fleet.ts';

/** How long a call is repeated, in milliseconds. */
const callTimeoutMs = 60_000;

/** Sends a request to one server after the other until one has responded, and not with an error of its own. */
export const call = async (fleet: Fleet, request: Request): Promise<RawResponse> => {
  const deadline = performance.now() + callTimeoutMs;
  for (let turn = 0; ; turn += 1) {
    const server = fleet.servers[turn % fleet.servers.length] ?? fleet.servers[0];
    const response = await sendRequest(server, request, { keepAlive: false, cutAfter: undefined });
    if (typeof response !== 'string' && response.status < 500 && response.status !== 429) return response;
    if (performance.now() > deadline)
      throw new Error(`No server responds to ${request.method} ${request.path}.`);
    await pause(100);
  }
};

/** @returns undefined for what was not found */
export const getJson = async (fleet: Fleet, token: string, path: string): Promise<Json | undefined> => {
  const { status, text } = await call(fleet, { method: 'GET', path, token, body: '' });
  if (status === 404) return undefined;
  if (status !== 200) throw new Error(`GET ${path} got ${status} ${text}`);
  return JSON.parse(text);
};
