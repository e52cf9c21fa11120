import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { answerTo, type Canned } from './canned.ts';
import { type Catalogue, catalogueOf } from './catalogue.ts';
import type { Databases } from './databases.ts';
import type { Stand } from './requests.ts';
import type { Role, Scenario } from './scenarios.ts';
import { operatorKey, type Server, startPortico, startYardstick } from './servers.ts';

const nothing: Catalogue = { ids: [], uncounted: [], cursors: [] };

export type Stands = Readonly<Record<Role, Stand>>;

interface Wanted {
  readonly databases: Databases;
  readonly chosen: readonly Scenario[];
  /** As for a stand. */
  readonly seconds: number;
}

/** All the servers that the scenarios need, each in a process of its own; those that they do not need are Portico again. */
export const openStands = async (
  { databases, chosen, seconds }: Wanted,
  cleanUp: AsyncDisposableStack,
): Promise<Stands> => {
  const { folder } = databases;
  const started = (server: Server): Server => {
    cleanUp.defer(() => server.end());
    return server;
  };
  const served = async (database: string, name: string, token: string): Promise<Stand> => {
    const server = started(await startPortico(database, { folder, name }));
    return { ...server, token, seconds, catalogue: await catalogueOf(server.port, token) };
  };
  const isWanted = (role: Role): boolean =>
    chosen.some(({ who, against }) => who === role || against === role);

  const portico = await served(databases.portico, 'portico', databases.token);
  const { smaller: less } = databases;
  const smaller =
    isWanted('smaller') && less !== undefined ? await served(less.url, 'smaller', less.token) : portico;
  let limited = portico;
  if (isWanted('limited')) {
    // The one request that it allows is lost on the way to the refusals.
    const environment = { RATE_LIMIT_MAX: '1', RATE_LIMIT_WINDOW_SECONDS: '86400' };
    const server = started(await startPortico(databases.limited, { folder, name: 'limited', environment }));
    limited = { ...server, token: operatorKey, seconds, catalogue: nothing };
    await answerTo(limited.port, `GET /v1/products HTTP/1.1\r\nAuthorization: Bearer ${operatorKey}\r\n\r\n`);
  }
  const file = join(folder, 'canned.json');
  await writeFile(file, JSON.stringify(await cannedOf(chosen, { portico, limited, smaller })));
  const server = started(
    await startYardstick(databases.yardstick, { folder, name: 'yardstick', environment: { CANNED: file } }),
  );
  const yardstick = { ...server, token: databases.token, seconds, catalogue: portico.catalogue };
  return { portico, limited, smaller, yardstick };
};

const cannedPath = (id: string): string => `/canned/${id}`;

/** The same request, to where the yardstick has its answer. */
export const toCanned = (wire: string, id: string): string =>
  wire.replace(/ \S+ HTTP/, ` ${cannedPath(id)} HTTP`);

const cannedOf = async (
  chosen: readonly Scenario[],
  stands: Omit<Stands, 'yardstick'>,
): Promise<Record<string, Canned>> => {
  const canned: Record<string, Canned> = {};
  for (const { id, who, asked, isCanned } of chosen) {
    if (!isCanned) continue;
    const [wire = ''] = await asked(stands[who]);
    canned[cannedPath(id)] = await answerTo(stands[who].port, wire);
  }
  return canned;
};
