import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { type Server, startServer } from '../bootstrap/support/server.ts';
import { memoryOf } from '../lab/cpu.ts';
import { openDatabase } from '../lab/databases.ts';
import { Connection } from '../lab/load/connection.ts';
import { closedLoad } from '../lab/load/load.ts';
import { orderBytes, requestBytes } from '../lab/load/request.ts';
import { isSuccess, Tally } from '../lab/load/tally.ts';
import { until } from '../support/until.ts';
import type { Conditions, Finding, Trial } from './trial.ts';

/** The warm-up is long because V8 grows its heap in steps, the last of them late. */
const lengths = {
  long: { warmUp: 500_000, requests: 1_000_000, aborts: 10_000 },
  short: { warmUp: 15_000, requests: 15_000, aborts: 500 },
};

/** The allowed growth of memory after the warm-up. The short form detects only large leaks. */
const maxGrowth = { long: 0.05, short: 0.5 };

const connections = 32;

/** Files that a database opens occasionally. */
const maxExtraFiles = 5;

/** Sends a million requests, aborts ten thousand, and looks for leaks of memory and connections. */
export const soak: Trial = {
  name: 'soak',
  description: 'sends a million requests, aborts ten thousand, and looks for leaks',
  run: async ({ isShort, log, cleanUp }: Conditions): Promise<readonly Finding[]> => {
    const kind = isShort ? 'short' : 'long';
    const { warmUp, requests, aborts } = lengths[kind];
    const database = await openDatabase('postgres', { cleanUp });
    const server = await startServer({ DATABASE_URL: database.url, LOG_LEVEL: 'info' });
    cleanUp.defer(() => server.program.kill());
    const traffic = await trafficOf(server);
    const databaseConnections = () =>
      database.query(
        'select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() ' +
          "and backend_type = 'client backend'",
      );

    const tally = new Tally();
    const load = (count: number) =>
      closedLoad({
        port: traffic.port,
        next: traffic.next,
        tally,
        connections,
        requests: count,
      });
    await load(warmUp);
    await abort(traffic, Math.ceil(aborts / 20));
    const before = await settled(server);
    log(`After ${warmUp} requests: ${describe(before)}.`);
    const pieces = 10;
    for (let piece = 1; piece <= pieces; piece += 1) {
      await load(requests / pieces);
      await abort(traffic, aborts / pieces);
      log(`${(requests / pieces) * piece} more: ${describe(await measure(server))}.`);
    }
    const after = await settled(server);
    const inDatabase = (await databaseConnections()).length;
    const growth = after.memory / before.memory - 1;
    return [
      {
        expected: `Memory grows by less than ${100 * maxGrowth[kind]} % after the warm-up`,
        seen: `${before.memory} MB, then ${after.memory} MB (${(100 * growth).toFixed(1)} %)`,
        held: growth < maxGrowth[kind],
      },
      {
        expected: 'No connection leaks',
        seen: `${after.files} open files for ${before.files}, ${inDatabase} connections to the database`,
        held: after.files <= before.files + maxExtraFiles && inDatabase <= 10,
      },
      {
        expected: 'Every request succeeds',
        seen: `${tally}; ${aborts} aborted`,
        held: tally.failures === 0 && tally.count(isSuccess) === warmUp + requests,
      },
    ];
  },
};

interface Traffic {
  readonly port: number;
  next(number: number): Buffer;
}

/** Seven reads in ten, two orders, and a payment of one of them. */
const trafficOf = async ({ client }: Server): Promise<Traffic> => {
  const made = await client.post('/v1/products', { name: 'Tea', price: { amount: 350, currency: 'EUR' } });
  const { id: product } = made.body.data;
  for (let count = 0; count < 40; count += 1) {
    await client.post('/v1/products', { name: 'Tea', price: { amount: 350, currency: 'EUR' } });
  }
  const order = (await client.post('/v1/orders', { product_id: product, quantity: 1 })).body.data.id;
  const credential = { Authorization: `Bearer ${client.token}` };
  const reads = [`/v1/products/${product}`, '/v1/products?limit=20', `/v1/orders/${order}`].map((path) =>
    requestBytes('GET', path, credential),
  );
  const key = { ...credential, 'Idempotency-Key': randomUUID() };
  const payment = { order_id: order, payment_method: 'tok_ok' };
  // The first pays; all later ones are replays.
  await client.send('POST', '/v1/payments', payment, { 'Idempotency-Key': key['Idempotency-Key'] });
  const replay = requestBytes('POST', '/v1/payments', key, payment);
  return {
    port: Number(new URL(client.base).port),
    next: (number) => {
      const kind = number % 10;
      if (kind < 7) return reads[number % reads.length] ?? replay;
      return kind < 9 ? orderBytes(client.token ?? '', product, randomUUID()) : replay;
    },
  };
};

/** Clients that disconnect before the response, half of them before the end of their request. */
const abort = async ({ port, next }: Traffic, count: number): Promise<void> => {
  for (let number = 0; number < count; number += 1) {
    const connection = new Connection(port);
    const request = next(number);
    connection.send(number % 2 ? request : request.subarray(0, request.length - 5), () => undefined);
    if (number % 50 === 0) await pause(5);
    else await new Promise((resolve) => setImmediate(resolve));
    connection.destroy();
  }
};

interface Measure {
  /** Resident, in MB. */
  readonly memory: number;
  /** Open files, including sockets. */
  readonly files: number;
}

const measure = async ({ program }: Server): Promise<Measure> => {
  const memory = Math.round(memoryOf(program.id ?? 0));
  return { memory, files: (await readdir(`/proc/${program.id}/fd`)).length };
};

/** Resolves when the connections of aborted requests are closed. */
const settled = async (server: Server): Promise<Measure> => {
  let last = await measure(server);
  await until(
    async () => {
      const now = await measure(server);
      const isSteady = now.files === last.files;
      last = now;
      await pause(500);
      return isSteady;
    },
    (isSteady) => isSteady,
  );
  return last;
};

const describe = ({ memory, files }: Measure): string => `${memory} MB, ${files} open files`;
