import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../bootstrap/support/ports.ts';
import { type ObservedDatabase, openDatabase } from '../../lab/databases.ts';
import { openLoad } from '../../lab/load/load.ts';
import { orderBytes } from '../../lab/load/request.ts';
import { isSuccess, Tally } from '../../lab/load/tally.ts';
import { Violations } from '../../lab/violations.ts';
import { until } from '../../support/until.ts';
import { createProduct, type RunningServer, serve, token } from '../production.ts';
import type { Conditions, Trial } from '../trial.ts';
import { createEndpoint, webhookSettings } from './endpoint.ts';
import { judgeFollowers } from './followers.ts';
import { maxJudged, Receiver } from './receiver.ts';
import { growth, head, measure, row, type Sample } from './samples.ts';
import { countStored, countUntried, describeStored } from './stored.ts';

/**
 * The allowed growth of memory from the middle third to the last one: V8 takes its heap in steps, the last of them late. And how long
 * after the last order the endpoints that work may be behind.
 */
const forms = {
  long: { seconds: 3_600, rate: 500, maxGrowth: { memory: 0.1, heap: 0.2 }, samples: 240, drainSeconds: 60 },
  // It runs beside other programs, and so measures no rate.
  short: { seconds: 20, rate: 100, maxGrowth: { memory: 0.5, heap: 0.5 }, samples: 20, drainSeconds: 300 },
};

/** How many samples are printed. */
const rows = 20;

const connections = { idle: 8, most: 128 };

/** How many deliveries of an endpoint may wait for their first attempt. */
const maxUntried = 1_000;

/** Orders at a steady rate, with three webhook endpoints, one of which is dead. */
export const webhookSoak: Trial = {
  name: 'webhook-soak',
  description:
    'orders for an hour at a steady rate, with three webhook endpoints, one of them dead, and looks for leaks',
  run: async (conditions) => {
    const { isShort, cleanUp, log, kind = 'postgres' } = conditions;
    const form = forms[isShort ? 'short' : 'long'];
    const { seconds = form.seconds, rate = form.rate } = conditions;
    const database = await openDatabase(kind, conditions);
    const server = await serve({ cleanUp }, database.url, webhookSettings);
    const product = await createProduct(server.port);
    const receivers = [await Receiver.start({ cleanUp }), await Receiver.start({ cleanUp })];
    const urls = [...receivers.map(({ url }) => url), `http://127.0.0.1:${await freePort()}/`];
    const endpoints: string[] = [];
    for (const url of urls)
      endpoints.push(await createEndpoint(server.port, { url, event_types: ['order.*'] }));

    log(`${rate} orders a second for ${seconds} s, on ${kind}`);
    const before = await countStored(database, kind);
    const tally = new Tally();
    const ended = new AbortController();
    const dead = endpoints.at(-1) ?? '';
    const sampled = { server, database, receivers, dead, tally, log };
    const sampling = sample(sampled, seconds, form.samples, ended.signal);
    await order(server, product, { seconds, rate, tally });
    const orderedAt = performance.now();
    ended.abort();
    const samples = await sampling;

    const orders = tally.count(isSuccess);
    const stored = () => countStored(database, kind);
    const { events } = await until(stored, (all) => all.events >= orders).catch(stored);
    const arrived = () => receivers.map((receiver) => receiver.events);
    const isComplete = (counts: readonly number[]) => counts.every((count) => count >= events);
    await until(async () => arrived(), isComplete, 1000 * form.drainSeconds).catch(() => undefined);
    const drainedAfter = ((performance.now() - orderedAt) / 1000).toFixed(1);
    const violations = new Violations(log);
    const judged = await judgeFollowers(database, events, [
      ...receivers.map(({ receipts }, place) => ({ id: endpoints[place] ?? '', works: true, receipts })),
      { id: dead, works: false, receipts: [] },
    ]);
    violations.add(...judged);
    const { status, position, failing_since: failingSince } = await endpointOf(server, dead);
    const after = await countStored(database, kind);
    const grown = growth(samples);
    const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
    const most = Math.max(...samples.map(({ untried }) => untried));
    log(
      `${describeStored(after)} for ${describeStored(before)}; ${tally}; ${(orders / seconds).toFixed(0)} orders a second`,
    );
    return [
      {
        expected: `Memory grows by less than ${percent(form.maxGrowth.memory)} after the first third, the heap by less than ${percent(form.maxGrowth.heap)}`,
        seen: `${percent(grown.memory)} and ${percent(grown.heap)}`,
        held: grown.memory < form.maxGrowth.memory && grown.heap < form.maxGrowth.heap,
      },
      {
        expected: 'Every order has its event',
        seen: `${orders} orders, ${events} events`,
        held: orders > 0 && events >= orders,
      },
      {
        expected: `Every event reaches both endpoints that work within ${form.drainSeconds} s of the last order`,
        seen: `${arrived().join(' and ')} of ${events} after ${drainedAfter} s, ${receivers.map(({ repetitions }) => repetitions).join(' and ')} repetitions`,
        held: isComplete(arrived()),
      },
      {
        expected: 'Each version has one event, and each endpoint got its events and no others, as is stored',
        seen: events > maxJudged ? 'too many to be compared' : `${violations.total} violations`,
        held: violations.total === 0,
      },
      {
        expected: `The dead endpoint keeps its place, and at most ${maxUntried} deliveries that were never tried`,
        seen: `${most} untried, position ${position}, ${failingSince === null ? 'not failing' : 'failing'}`,
        held: most <= maxUntried && status === 'enabled' && failingSince !== null,
      },
    ];
  },
};

interface Ordering {
  readonly seconds: number;
  readonly rate: number;
  readonly tally: Tally;
}

const order = async ({ port }: RunningServer, product: string, { seconds, rate, tally }: Ordering) => {
  const next = (): Buffer => orderBytes(token, product, randomUUID());
  await openLoad({
    ...{ port, next, tally, rate, milliseconds: seconds * 1000 },
    ...{ idleConnections: connections.idle, connections: connections.most },
  });
};

interface Sampled extends Pick<Conditions, 'log'> {
  readonly server: RunningServer;
  readonly database: ObservedDatabase;
  readonly receivers: readonly Receiver[];
  /** The id of the dead endpoint. */
  readonly dead: string;
  readonly tally: Tally;
}

const sample = async (
  { server, database, receivers, dead, tally, log }: Sampled,
  seconds: number,
  count: number,
  signal: AbortSignal,
): Promise<readonly Sample[]> => {
  const begun = performance.now();
  const samples: Sample[] = [];
  log(head);
  while (!signal.aborted) {
    await pause((1000 * seconds) / count, undefined, { signal }).catch(() => undefined);
    const untried = await countUntried(database, dead);
    const measured = await measure(server.opsPort, dead);
    const orders = tally.count(isSuccess);
    const taken: Sample = {
      ...{ ...measured, orders, untried },
      seconds: (performance.now() - begun) / 1000,
      missing: receivers.map(({ events }) => Math.max(0, orders - events)),
    };
    samples.push(taken);
    if (samples.length % Math.ceil(count / rows) === 0 || signal.aborted) log(row(taken));
  }
  return samples;
};

interface Endpoint {
  readonly status: string;
  readonly position: number;
  readonly failing_since: string | null;
}

const endpointOf = async ({ port }: RunningServer, id: string): Promise<Endpoint> => {
  const response = await fetch(`http://127.0.0.1:${port}/v1/webhook-endpoints/${id}`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  return ((await response.json()) as { readonly data: Endpoint }).data;
};
