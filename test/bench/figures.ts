import { memoryOf } from '../lab/cpu.ts';
import type { Generator } from './load/generator.ts';
import { deepPages, firstPage, newOrders, singleProducts, wire } from './requests.ts';
import { coldStart } from './servers/cold-start.ts';
import type { Databases } from './servers/databases.ts';
import { installed } from './servers/installed.ts';
import { operatorKey } from './servers/servers.ts';
import type { Targets } from './servers/stands.ts';

/** A figure with a limit of its own, compared with no other server. */
export interface Figure {
  readonly name: string;
  readonly seen: number;
  readonly unit: string;
  /** `seen` must stay below it. */
  readonly limit: number;
}

/** Requests that a whole run sends before it reads the memory of the process. */
export const soakRequests = 1_000_000;

const maxMemoryMb = 250;
const maxStartMs = { migrated: 1_200, new: 2_500 };

/** Databases made so far: the guard measures again after a miss, and needs new ones then. */
let freshDatabases = 0;

interface FigureOptions {
  readonly generator: Generator;
  /** Requests still to send. */
  readonly requests: number;
  /** Requests sent before. */
  readonly before: number;
  /** How many starts are measured; their median counts. */
  readonly starts: number;
}

/** Measures memory after all requests, and the time to the first response of new processes. */
export const figuresOf = async (
  { portico }: Targets,
  databases: Databases,
  { generator, requests, before, starts }: FigureOptions,
): Promise<Figure[]> => {
  const [orders, products, [list = '']] = [
    newOrders(portico),
    singleProducts(portico),
    await firstPage(20)(portico),
  ];
  const all = [...products, ...deepPages(portico), list, ...orders.slice(0, products.length / 10)];
  const deadline = performance.now() + 15 * 60_000;
  let count = before;
  while (count < before + requests && performance.now() < deadline) {
    const { port } = portico;
    const load = { port, requests: all, from: count, connections: 32, seconds: 5 };
    count += (await generator.run(load)).requests;
  }
  const millions = (count / 1e6).toFixed(2);
  const { folder, portico: url, create } = databases;
  const start = { folder, starts };
  const figures = [
    {
      name: `memory after ${millions} million requests`,
      seen: memoryOf(portico.id),
      unit: 'MB',
      limit: maxMemoryMb,
    },
    {
      name: 'first response on a migrated database',
      seen: await coldStart({ ...start, database: async () => url, request: list, status: 200 }),
      unit: 'ms',
      limit: maxStartMs.migrated,
    },
  ];
  if (create === undefined) return figures;
  const fresh = (): Promise<string> => create(`fresh_${++freshDatabases}`);
  const anyList = wire('GET', '/v1/products?limit=20', operatorKey);
  return [
    ...figures,
    {
      name: 'first response on a new database',
      seen: await coldStart({ ...start, database: fresh, request: anyList, status: 200 }),
      unit: 'ms',
      limit: maxStartMs.new,
    },
  ];
};

export const isWithinLimit = ({ seen, limit }: Figure): boolean => seen < limit;

/** What a production install adds to a machine. */
export const installation = (): Figure[] => {
  const { packages, size } = installed();
  return [
    { name: 'packages of a production install', seen: packages, unit: '', limit: 120 },
    { name: 'their size', seen: size, unit: 'MB', limit: 80 },
  ];
};
