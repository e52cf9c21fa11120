import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type CannedResponse, sendOnce } from '../load/canned.ts';
import type { Target } from '../requests.ts';
import type { Role, Scenario } from '../scenarios.ts';
import { type Catalogue, type ProductView, readCatalogue } from './catalogue.ts';
import type { Databases } from './databases.ts';
import { fillMemory, writeRows } from './fill-memory.ts';
import { operatorKey, type Server, startPortico, startYardstick } from './servers.ts';

const nothing: Catalogue = { ids: [], uncounted: [], counted: '', cursors: [] };

export type Targets = Readonly<Record<Role, Target>>;

interface TargetOptions {
  readonly databases: Databases;
  readonly chosen: readonly Scenario[];
  /** As in `Target`. */
  readonly seconds: number;
  /** Whether each Portico writes a CPU profile into the folder when it ends. */
  readonly isProfiled?: boolean;
}

/** Starts the servers that the scenarios need. Roles that they do not need are Portico itself. */
export const startTargets = async (
  { databases, chosen, seconds, isProfiled = false }: TargetOptions,
  cleanUp: AsyncDisposableStack,
): Promise<Targets> => {
  const { folder } = databases;
  const started = (server: Server): Server => {
    cleanUp.defer(() => server.stop());
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
  const served = async (database: string, name: string, token: string, step = 100): Promise<Target> => {
    const server = await start(database, name);
    return {
      ...server,
      token,
      seconds,
      catalogue: await readCatalogue(server.port, token, { pageSize: step }),
    };
  };
  const filled = async (server: Server): Promise<Target> => {
    const { products = 0, rows = '' } = databases.unfilled ?? {};
    await fillMemory(server.port, products);
    const all: ProductView[] = [];
    const catalogue = await readCatalogue(server.port, operatorKey, {
      onProduct: (product) => all.push(product),
    });
    await writeRows(rows, all);
    return { ...server, token: operatorKey, seconds, catalogue };
  };
  const isWanted = (role: Role): boolean =>
    chosen.some(({ subject: who, baseline: against }) => who === role || against === role);

  const { smaller: less, unfilled } = databases;
  const portico =
    unfilled === undefined
      ? await served(databases.portico, 'portico', databases.token)
      : await filled(await start(databases.portico, 'portico'));
  const larger = isWanted('larger') ? await served(databases.portico, 'larger', databases.token) : portico;
  // Smaller pages, so that there are as many different ones: equal lists would be coalesced.
  const smaller =
    isWanted('smaller') && less !== undefined ? await served(less.url, 'smaller', less.token, 10) : portico;
  let limited = portico;
  if (isWanted('limited')) {
    // The first request uses the limit up.
    const environment = { RATE_LIMIT_MAX: '1', RATE_LIMIT_WINDOW_SECONDS: '86400' };
    const server = await start(databases.limited, 'limited', environment);
    limited = { ...server, token: operatorKey, seconds, catalogue: nothing };
    await sendOnce(limited.port, `GET /v1/products HTTP/1.1\r\nAuthorization: Bearer ${operatorKey}\r\n\r\n`);
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

/** The same request, sent to the path of the yardstick's canned response. */
export const toCanned = (wire: string, id: string): string =>
  wire.replace(/ \S+ HTTP/, ` ${cannedPath(id)} HTTP`);

const cannedOf = async (
  chosen: readonly Scenario[],
  stands: Omit<Targets, 'yardstick'>,
): Promise<Record<string, CannedResponse>> => {
  const canned: Record<string, CannedResponse> = {};
  for (const { id, subject, requests, isCanned } of chosen) {
    if (!isCanned) continue;
    const [wire = ''] = await requests(stands[subject]);
    canned[cannedPath(id)] = await sendOnce(stands[subject].port, wire);
  }
  return canned;
};
