import { randomUUID } from 'node:crypto';
import { cpus } from 'node:os';
import { cpuOf } from '../lab/cpu.ts';
import { openDatabase } from '../lab/databases.ts';
import { closedLoad } from '../lab/load/load.ts';
import { orderBytes, requestBytes } from '../lab/load/request.ts';
import { isSuccess, Tally } from '../lab/load/tally.ts';
import { sumOf } from '../lab/statistics.ts';
import { PostgresServer } from '../support/postgres-server.ts';
import { createProduct, type RunningServer, serve, token } from './production.ts';
import type { Conditions, Finding, Trial } from './trial.ts';

const credential = { Authorization: `Bearer ${token}` };

/** Connections per process. */
const connections = 32;

type CleanUp = Pick<Conditions, 'cleanUp'>;

/** Databases that sync each commit to disk, as in production. */
const places = {
  SQLite: async (conditions: CleanUp): Promise<string> => (await openDatabase('sqlite', conditions)).url,
  PostgreSQL: async ({ cleanUp }: CleanUp): Promise<string> => {
    const server = await PostgresServer.make(['fsync=on', 'shared_buffers=512MB']);
    cleanUp.defer(() => server.remove());
    await server.start();
    return server.url;
  },
};

/** The database, and the number of processes. */
const settings = [
  ['SQLite', 1],
  ['SQLite', 2],
  ['PostgreSQL', 1],
  ['PostgreSQL', 2],
  ['PostgreSQL', 3],
] as const;

/** Measures the throughput of one process and of several, and the CPU that each part uses. */
export const capacity: Trial = {
  name: 'capacity',
  description:
    'measures the throughput of one process and of several; expects only a response to each request',
  run: async (conditions) => {
    const findings: Finding[] = [];
    conditions.log(`${cpus().length} cores, which the load shares; CPU in cores`);
    for (const [store, count] of settings) {
      await using cleanUp = new AsyncDisposableStack();
      const database = await places[store]({ cleanUp });
      const all: RunningServer[] = [];
      for (let number = 0; number < count; number += 1)
        all.push(await serve({ cleanUp }, database, { LOG_LEVEL: 'info' }));
      const [first] = all;
      if (first === undefined) continue;
      for (const [name, next] of scenariosOf(await fill(first.port))) {
        const seen = await measure(all, next, conditions);
        findings.push({
          expected: `${store}, ${count} process${count === 1 ? '' : 'es'}, ${name}: every request gets a response`,
          seen: seen.figures,
          held: seen.isAllAnswered,
        });
      }
    }
    return findings;
  },
};

/** Creates many products. @returns the id of the last one */
const fill = async (port: number): Promise<string> => {
  for (let count = 0; count < 100; count += 1) await createProduct(port);
  return createProduct(port);
};

type NextRequest = () => Buffer;

const scenariosOf = (product: string): readonly (readonly [string, NextRequest])[] => {
  const one = requestBytes('GET', `/v1/products/${product}`, credential);
  const list = requestBytes('GET', '/v1/products?limit=20', credential);
  return [
    ['one product', () => one],
    ['a list of 20', () => list],
    ['an order with a key', () => orderBytes(token, product, randomUUID())],
  ];
};

const measure = async (all: readonly RunningServer[], next: NextRequest, { isShort }: Conditions) => {
  const milliseconds = isShort ? 500 : 6_000;
  const load = async (): Promise<Tally> => {
    const tally = new Tally();
    await Promise.all(all.map(({ port }) => closedLoad({ port, next, tally, connections, milliseconds })));
    return tally;
  };
  await load();
  const before = usage(all);
  const tally = await load();
  const after = usage(all);
  const used = (part: keyof Usage): string => ((after[part] - before[part]) / milliseconds).toFixed(2);
  const rejected = tally.count((status) => status === 503);
  const rate = Math.round((1000 * tally.count(isSuccess)) / milliseconds);
  return {
    figures: `${rate} a second${rejected > 0 ? ` and ${rejected} in all shed` : ''}, p50 ${tally.percentile(50).toFixed(1)} ms, p99 ${tally.percentile(99).toFixed(1)} ms; CPU: Portico ${used('portico')}, load ${used('load')}, everything ${used('everything')}`,
    isAllAnswered:
      tally.failures === 0 && tally.count((status) => isSuccess(status) || status === 503) === tally.count(),
  };
};

/** Milliseconds of CPU time. */
interface Usage {
  readonly portico: number;
  readonly load: number;
  /** Of the whole machine, including the database. */
  readonly everything: number;
}

const usage = (all: readonly RunningServer[]): Usage => {
  const { user, system } = process.cpuUsage();
  const busy = cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0);
  const own = sumOf(all.map(({ program }) => 1000 * cpuOf(program.id ?? 0)));
  return { portico: own, load: (user + system) / 1000, everything: busy };
};
