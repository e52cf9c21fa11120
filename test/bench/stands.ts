import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { answerTo, type Canned } from './canned.ts';
import { type Catalogue, catalogueOf, type Shown } from './catalogue.ts';
import type { Databases } from './databases.ts';
import { fillMemory, writeRows } from './memory.ts';
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
  /** Whether each Portico writes into the folder, as it ends, what it spent its time on. */
  readonly isProfiled?: boolean;
}

/** All the servers that the scenarios need, each in a process of its own; those that they do not need are Portico again. */
export const openStands = async (
  { databases, chosen, seconds, isProfiled = false }: Wanted,
  cleanUp: AsyncDisposableStack,
): Promise<Stands> => {
  const { folder } = databases;
  const started = (server: Server): Server => {
    cleanUp.defer(() => server.end());
    return server;
  };
  const flagsOf = (name: string): string[] =>
    isProfiled ? ['--cpu-prof', `--cpu-prof-dir=${folder}`, `--cpu-prof-name=${name}.cpuprofile`] : [];
  const start = async (
    database: string,
    name: string,
    environment: Readonly<Record<string, string>> = {},
  ): Promise<Server> =>
    started(await startPortico(database, { folder, name, environment, flags: flagsOf(name) }));
  const served = async (database: string, name: string, token: string, step = 100): Promise<Stand> => {
    const server = await start(database, name);
    return { ...server, token, seconds, catalogue: await catalogueOf(server.port, token, { step }) };
  };
  const filled = async (server: Server): Promise<Stand> => {
    const { products = 0, rows = '' } = databases.unfilled ?? {};
    await fillMemory(server.port, products);
    const all: Shown[] = [];
    const catalogue = await catalogueOf(server.port, operatorKey, { meet: (product) => all.push(product) });
    await writeRows(rows, all);
    return { ...server, token: operatorKey, seconds, catalogue };
  };
  const isWanted = (role: Role): boolean =>
    chosen.some(({ who, against }) => who === role || against === role);

  const { smaller: less, unfilled } = databases;
  const portico =
    unfilled === undefined
      ? await served(databases.portico, 'portico', databases.token)
      : await filled(await start(databases.portico, 'portico'));
  const larger = isWanted('larger') ? await served(databases.portico, 'larger', databases.token) : portico;
  // As many different pages as of the others: where there are fewer, several want the same at once, and share an answer.
  const smaller =
    isWanted('smaller') && less !== undefined ? await served(less.url, 'smaller', less.token, 10) : portico;
  let limited = portico;
  if (isWanted('limited')) {
    // The one request that it allows is lost on the way to the refusals.
    const environment = { RATE_LIMIT_MAX: '1', RATE_LIMIT_WINDOW_SECONDS: '86400' };
    const server = await start(databases.limited, 'limited', environment);
    limited = { ...server, token: operatorKey, seconds, catalogue: nothing };
    await answerTo(limited.port, `GET /v1/products HTTP/1.1\r\nAuthorization: Bearer ${operatorKey}\r\n\r\n`);
  }
  const file = join(folder, 'canned.json');
  await writeFile(file, JSON.stringify(await cannedOf(chosen, { portico, limited, larger, smaller })));
  const server = started(
    await startYardstick(databases.yardstick, { folder, name: 'yardstick', environment: { CANNED: file } }),
  );
  const yardstick = { ...server, token: databases.token, seconds, catalogue: portico.catalogue };
  return { portico, limited, larger, smaller, yardstick };
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
