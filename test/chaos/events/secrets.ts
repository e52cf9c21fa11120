import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Request } from '../../lab/clients/send-request.ts';
import type { ObservedDatabase } from '../../lab/databases.ts';
import { dumpRows } from '../../lab/dump.ts';
import { Program } from '../../lab/program.ts';
import type { Fleet } from '../fleet.ts';
import { findLeaks } from '../live/secrets.ts';
import { call, getJson } from './calls.ts';
import type { Subscriber } from './subscribers.ts';

interface Options {
  readonly database: Pick<ObservedDatabase, 'url' | 'query'>;
  readonly fleet: Fleet;
  readonly admin: string;
  readonly subscribers: readonly Pick<Subscriber, 'id' | 'secret' | 'creation'>[];
  /** The key of the secrets, in base64. */
  readonly key: string;
  readonly folder: string;
}

/**
 * Finds where the secret of an endpoint, or the key of the secrets, is shown: in rows (those of keys are among them), a backup,
 * logs, metrics, errors, or responses but the first to its creation.
 */
export const findEndpointSecrets = async (options: Options): Promise<readonly string[]> => {
  const { database, fleet, subscribers, key, folder } = options;
  const has = secretsIn([...subscribers.map(({ secret }) => secret.slice('whsec_'.length)), key]);
  const leaks: string[] = [];
  for await (const { table, text } of dumpRows(database)) if (has(text)) leaks.push(`${table}: ${text}`);
  if (has(await readBackup(database.url, folder))) leaks.push('the backup');
  for (const server of fleet.servers) leaks.push(...(await findLeaks(server, has)));
  return [...leaks, ...(await findInResponses(options, has))];
};

/**
 * @param secrets in base64
 * @returns whether a text contains one of them, in base64, in the alphabet of URLs, percent-encoded, or in hexadecimal
 */
export const secretsIn = (secrets: readonly string[]): ((text: string) => boolean) => {
  const spellings = secrets.flatMap((base64) => {
    const bytes = Buffer.from(base64, 'base64');
    const unpadded = base64.replace(/=+$/, '');
    return [unpadded, encodeURIComponent(unpadded), bytes.toString('base64url'), bytes.toString('hex')];
  });
  return (text) => spellings.some((spelling) => text.includes(spelling));
};

/** @returns all of a backup; nothing for a server's database, whose backup holds the rows and no more */
export const readBackup = async (url: string, folder: string): Promise<string> => {
  if (!url.startsWith('sqlite:')) return '';
  const file = join(folder, 'backup.db');
  const environment = { DATABASE_URL: url };
  await new Program('bootstrap/portico.mjs', { environment, folder, words: ['backup', file] }).succeeded();
  return readFile(file, 'latin1');
};

/** A request, and the status that it must get, so that each is about what it is meant for. */
type Probe = readonly [status: number, request: Request];

const findInResponses = async (
  { fleet, admin, subscribers }: Options,
  has: (text: string) => boolean,
): Promise<readonly string[]> => {
  const read = (path: string): Probe => [200, { method: 'GET', path, token: admin, body: '' }];
  const probes: Probe[] = [read('/v1/webhook-endpoints'), read('/v1/webhook-deliveries?limit=100')];
  for (const { id, secret, creation } of subscribers) {
    const path = `/v1/webhook-endpoints/${id}`;
    const { data } = (await getJson(fleet, admin, `${path}/secrets`)) ?? {};
    const write = (
      status: number,
      request: Pick<Request, 'method' | 'path' | 'key'>,
      body?: object,
    ): Probe => [status, { ...request, token: admin, body: body === undefined ? '' : JSON.stringify(body) }];
    const create = { method: 'POST', path: '/v1/webhook-endpoints', key: creation.key };
    probes.push(
      read(`${path}/secrets`),
      read(`/v1/idempotency-keys?key=${creation.key}`),
      write(201, create, creation.body),
      write(422, create, { ...creation.body, description: 'another' }),
      write(422, { method: 'PATCH', path }, { [secret]: secret }),
      write(409, { method: 'DELETE', path: `${path}/secrets/${data?.[0]?.id}` }),
    );
  }
  const leaks: string[] = [];
  for (const [expected, request] of probes) {
    const { status, text } = await call(fleet, request);
    const what = `${request.method} ${request.path}`;
    if (status !== expected) throw new Error(`${what} got ${status} instead of ${expected}: ${text}`);
    if (has(text)) leaks.push(`${what}: ${text}`);
  }
  return leaks;
};
