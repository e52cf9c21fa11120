import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { StoreKindName } from '#bootstrap/config/store-kinds.ts';
import { Network } from '../support/network.ts';
import { SimulatedTime } from '../support/simulated-time.ts';
import type { CallCounter } from './call-counter.ts';
import { mariadbTraffic } from './mariadb-traffic.ts';
import { type Operation, operationsOf } from './operations.ts';
import { postgresTraffic } from './postgres-traffic.ts';
import { openShop, settle } from './shop.ts';
import { countSqlite } from './sqlite-traffic.ts';
import type { Costs } from './table.ts';
import type { Traffic } from './traffic.ts';

/** Times that an operation is carried out before it is counted, so that what is done once is done. */
const warmUp = 3;

/** Times that it is counted. The least counts, because something else may come in between, such as another piece of a response. */
const counted = 5;

export interface NewDatabase {
  readonly kind: StoreKindName;
  readonly url: string;
}

export interface Measurement {
  readonly costs: Costs;
  /** The files of Portico that the operation passes through, from the root of the repository. */
  readonly paths: readonly string[];
}

/** Counts what each operation costs. */
export const countCosts = async (
  { kind, url: databaseUrl }: NewDatabase,
  counter: CallCounter,
): Promise<Record<string, Measurement>> => {
  await using cleanUp = new AsyncDisposableStack();
  const traffic: Traffic = { statements: 0, commits: 0 };
  const url = await observed(kind, databaseUrl, traffic, cleanUp);
  const json = countJson();
  // While something is counted no timer runs, so nothing that happens at intervals is counted.
  const time = new SimulatedTime();
  cleanUp.defer(() => time.end());
  const shop = await openShop(url, time, cleanUp);
  const operations = await operationsOf(shop, cleanUp);
  const measured: Record<string, Measurement> = {};
  for (const [name, operation] of Object.entries(operations))
    measured[name] = await measure(operation, { kind, traffic, json, time, counter });
  return measured;
};

/** @returns the address under which the shop finds its database */
const observed = async (
  kind: StoreKindName,
  url: string,
  traffic: Traffic,
  cleanUp: AsyncDisposableStack,
): Promise<string> => {
  if (kind === 'memory') return url;
  if (kind === 'sqlite') {
    cleanUp.defer(countSqlite(traffic));
    return url;
  }
  const network = await Network.to(url, (kind === 'postgres' ? postgresTraffic : mariadbTraffic)(traffic));
  cleanUp.defer(() => network.close());
  return network.through(url);
};

interface Measuring {
  readonly kind: StoreKindName;
  readonly traffic: Traffic;
  readonly json: () => number;
  readonly time: SimulatedTime;
  readonly counter: CallCounter;
}

const measure = async (
  operation: Operation,
  { kind, traffic, json, time, counter }: Measuring,
): Promise<Measurement> => {
  const calls = new LeastCalls();
  const seen: (Traffic & { readonly sent: number; readonly json: number })[] = [];
  for (let nth = 0; nth < warmUp + counted; nth += 1) {
    const prepared = await operation.prepare();
    // Some things are remembered for a millisecond.
    time.work(1);
    await settle();
    if (nth < warmUp) {
      await operation.run(prepared);
      continue;
    }
    const before = { ...traffic };
    await counter.takeCalls();
    const jsonBefore = json();
    const sent = await operation.run(prepared);
    await settle();
    const jsonCalls = json() - jsonBefore;
    const made = await counter.takeCalls();
    calls.add(made);
    seen.push({ ...difference(traffic, before), sent, json: jsonCalls });
  }
  const least = (figure: keyof (typeof seen)[number]): number =>
    Math.min(...seen.map((each) => each[figure] ?? 0));
  const hasConnection = kind === 'postgres' || kind === 'mariadb';
  const isCertain = (figure: keyof Costs): boolean => operation.uncertain?.[kind]?.includes(figure) !== true;
  const { ofProduct, ofPackages, paths } = calls;
  const costs: Costs = {
    ...(kind !== 'memory' && { statements: least('statements') }),
    ...(hasConnection && { exchanges: least('exchanges') }),
    ...(kind !== 'memory' && { commits: least('commits') }),
    ...(hasConnection && isCertain('bytesToDatabase') && { bytesToDatabase: least('bytes') }),
    ...(least('sent') > 0 && { bytesToClient: least('sent') }),
    ...{ json: least('json'), calls: ofProduct },
    ...(isCertain('callsOfPackages') && { callsOfPackages: ofPackages }),
    files: paths.length,
  };
  return { costs, paths };
};

/** Counts the calls of JSON's functions in this thread. They are V8's own, which its coverage leaves out. */
const countJson = (): (() => number) => {
  let calls = 0;
  const { stringify, parse } = JSON;
  const counted = <F extends (...given: never[]) => unknown>(counts: F): F =>
    ((...given: never[]) => {
      calls += 1;
      return counts(...given);
    }) as F;
  JSON.stringify = counted(stringify as never) as typeof stringify;
  JSON.parse = counted(parse);
  return () => calls;
};

const difference = (now: Traffic, before: Traffic): Traffic => ({
  statements: now.statements - before.statements,
  exchanges: (now.exchanges ?? 0) - (before.exchanges ?? 0),
  commits: now.commits - before.commits,
  bytes: (now.bytes ?? 0) - (before.bytes ?? 0),
});

const root = fileURLToPath(new URL('../..', import.meta.url));
/** MariaDB's driver calls more functions where a response arrives in more pieces. */
const isPackage = /\/node_modules\/(?!mysql2\/)/;
const isProduct = new RegExp(`^${root}(domain|application|adapters|bootstrap)/`);

/** The least number of calls of each function: a collection of garbage or a timer adds to some requests only. */
class LeastCalls {
  #least: ReadonlyMap<string, number> | undefined;

  add(calls: ReadonlyMap<string, number>): void {
    const before = this.#least ?? calls;
    this.#least = new Map(
      [...before]
        .map(([name, count]) => [name, Math.min(count, calls.get(name) ?? 0)] as const)
        .filter(([, count]) => count > 0),
    );
  }

  get ofProduct(): number {
    return this.#sum(isProduct);
  }

  get ofPackages(): number {
    return this.#sum(isPackage);
  }

  get paths(): readonly string[] {
    const files = [...(this.#least ?? [])].map(([name]) => name.slice(0, name.lastIndexOf('#')));
    return [...new Set(files.filter((file) => isProduct.test(file)))]
      .map((file) => relative(root, file))
      .sort();
  }

  #sum(isCounted: RegExp): number {
    return [...(this.#least ?? [])]
      .filter(([name]) => isCounted.test(name))
      .reduce((total, [, count]) => total + count, 0);
  }
}
