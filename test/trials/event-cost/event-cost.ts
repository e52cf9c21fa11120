import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { KeptKindName } from '#bootstrap/config/store-kinds.ts';
import { cpuOf, cpuOfFamily } from '../../lab/cpu.ts';
import { type ObservedDatabase, openDatabase, testedKinds } from '../../lab/databases.ts';
import { closedLoad } from '../../lab/load/load.ts';
import { orderBytes } from '../../lab/load/request.ts';
import { Tally } from '../../lab/load/tally.ts';
import { median } from '../../lab/statistics.ts';
import { newId } from '../../support/machine.ts';
import { productOf } from '../../support/test-databases.ts';
import { createProduct, serve, token } from '../production.ts';
import type { Conditions, Finding, Trial } from '../trial.ts';

/** How much more processor time an order may use with its event at most, and what is too much on any machine, as fractions. */
const aim = 0.1;
const limit = 0.5;

const withoutEvents = fileURLToPath(new URL('without-events.mjs', import.meta.url));

/** The processor time of an order, in microseconds. */
interface Costs {
  readonly without: number;
  readonly recorded: number;
}

/** How the process of a server is found. SQLite has none. */
const serverProcesses: Readonly<
  Record<KeptKindName, (query: ObservedDatabase['query']) => Promise<() => number>>
> = {
  sqlite: async () => () => 0,
  postgres: async (query) => {
    const [row] = await query("select current_setting('data_directory') as folder");
    const id = Number.parseInt(readFileSync(`${row?.['folder']}/postmaster.pid`, 'utf8'), 10);
    return () => cpuOfFamily(id);
  },
  mariadb: async (query) => {
    const [row] = await query('select @@pid_file as file');
    const id = Number.parseInt(readFileSync(String(row?.['file']), 'utf8'), 10);
    return () => cpuOf(id);
  },
};

/** Compares the processor time of an order with that of an order without its event: the server's and the database's. */
export const eventCost: Trial = {
  name: 'event-cost',
  description: `compares the processor time of orders with and without their events (aims at ${100 * aim} % more)`,
  run: async ({ isShort, log }) => {
    const findings: Finding[] = [];
    for (const kind of testedKinds) {
      await using cleanUp = new AsyncDisposableStack();
      const name = productOf(kind);
      const without = await startSide({ cleanUp }, kind, ['--import', withoutEvents]);
      const recorded = await startSide({ cleanUp }, kind, []);
      const orders = isShort ? 1_000 : 3_000;
      for (const side of [without, recorded, without, recorded]) await side.place(orders);
      const costs: Costs[] = [];
      for (let round = 0; round < (isShort ? 3 : 9); round += 1)
        costs.push({ without: await without.place(orders), recorded: await recorded.place(orders) });
      const less = median(costs.map((cost) => cost.without));
      const share = median(costs.map((cost) => cost.recorded / cost.without)) - 1;
      const seen = `${(100 * share).toFixed(0)} % more than ${less.toFixed(0)} µs`;
      log(`${name}: ${seen}`);
      const expected = `${name}: an order with its event costs at most ${100 * limit} % more`;
      findings.push({ expected, seen, held: share <= limit, isTimed: true });
    }
    return findings;
  },
};

const startSide = async (
  conditions: Pick<Conditions, 'cleanUp'>,
  kind: KeptKindName,
  flags: readonly string[],
) => {
  const { url, query } = await openDatabase(kind, conditions);
  const databaseCpu = await serverProcesses[kind](query);
  const { port, program } = await serve(conditions, url, {}, flags);
  const product = await createProduct(port);
  await fetch(`http://127.0.0.1:${port}/v1/products/${product}`, {
    method: 'PATCH',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ status: 'active' }),
  });
  const total = () => cpuOf(program.id ?? 0) + databaseCpu();
  return {
    /** @returns the processor time of one order in microseconds */
    place: async (orders: number): Promise<number> => {
      const tally = new Tally();
      const before = total();
      await closedLoad({
        ...{ port, tally, connections: 16 },
        requests: orders,
        next: () => orderBytes(token, product, newId()),
      });
      const used = total() - before;
      if (tally.count((status) => status === 201) !== orders) throw new Error(`Orders failed: ${tally}`);
      return (1e6 * used) / orders;
    },
  };
};
