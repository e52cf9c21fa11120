import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { openLoad } from '../lab/load/load.ts';
import { orderBytes } from '../lab/load/request.ts';
import { isSuccess, Tally } from '../lab/load/tally.ts';
import { createProduct, serve, token } from './production.ts';
import { slowReaders } from './slow-readers.ts';
import type { Finding, Trial } from './trial.ts';

/** Slowloris: ways of holding a connection open by sending little. */
const slowClientKinds: Readonly<Record<string, string>> = {
  'send nothing': '',
  'send headers a letter at a time': 'GET /v1/products HTTP/1.1\r\nHost: a\r\n',
  'send a body a letter at a time': `POST /v1/products HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n`,
};

/**
 * The number of slow connections, the requests per second of honest clients, and the goal for the 99th percentile of their
 * latency in milliseconds. The short form runs on busy machines.
 */
const lengths = {
  long: { count: 1_000, rate: 100, maxLatencyMs: 100 },
  short: { count: 300, rate: 40, maxLatencyMs: 1_000 },
};

/** Opens connections that send almost nothing, until the server closes them. */
export const slowClients: Trial = {
  name: 'slow-clients',
  description:
    'opens a thousand connections that send almost nothing, and some that read nothing (slowloris, slow read)',
  run: async ({ isShort, log, cleanUp }) => {
    const { count, rate, maxLatencyMs } = lengths[isShort ? 'short' : 'long'];
    const readers = slowReaders({ cleanUp });
    // One after the other in the long form only.
    if (!isShort) await readers;
    const { port } = await serve({ cleanUp }, 'memory:');
    const product = await createProduct(port);
    const slow = Array.from({ length: count }, (_, place) => holdOpen(port, place));
    const begun = performance.now();
    cleanUp.defer(() => {
      for (const { socket } of slow) socket.destroy();
    });
    const sending = setInterval(() => {
      for (const { socket, sendsMore } of slow) if (sendsMore && socket.writable) socket.write('a');
    }, 1_000);
    const tally = new Tally();
    const order = orderBytes(token, product);
    let isDone = false;
    const load = (async () => {
      while (!isDone) {
        await openLoad({ port, next: () => order, tally, rate, milliseconds: 1_000, connections: 100 });
      }
    })();
    const limit = 25_000;
    while (slow.some(({ socket }) => !socket.closed) && performance.now() - begun < 5 * limit) {
      await pause(50);
    }
    const took = performance.now() - begun;
    isDone = true;
    await load;
    clearInterval(sending);
    const left = slow.filter(({ socket }) => !socket.closed).length;
    log(`closed from ${Math.round(firstEnd(slow) - begun)} ms to ${Math.round(took)} ms`);
    return [...findingsOf({ count, left, took, limit, maxLatencyMs, tally }), ...(await readers)];
  },
};

interface HeldConnection {
  readonly socket: Socket;
  readonly sendsMore: boolean;
  closedAt: number;
}

const holdOpen = (port: number, place: number): HeldConnection => {
  const all = Object.values(slowClientKinds);
  const beginning = all[place % all.length] ?? '';
  const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(beginning));
  const held: HeldConnection = { socket, sendsMore: beginning !== '', closedAt: Number.POSITIVE_INFINITY };
  socket.on('error', () => undefined).on('data', () => undefined);
  socket.on('close', () => {
    held.closedAt = performance.now();
  });
  return held;
};

const firstEnd = (slow: readonly HeldConnection[]): number =>
  Math.min(...slow.map(({ closedAt }) => closedAt));

interface ProfileResult {
  readonly count: number;
  readonly left: number;
  readonly took: number;
  readonly limit: number;
  readonly maxLatencyMs: number;
  readonly tally: Tally;
}

const findingsOf = ({ count, left, took, limit, maxLatencyMs, tally }: ProfileResult): readonly Finding[] => {
  const slowest = tally.percentile(99, isSuccess);
  const bad = tally.failures + tally.count((status) => !isSuccess(status));
  return [
    {
      expected: `all of ${count} slow connections are closed`,
      seen: `${left} left`,
      held: left === 0,
    },
    {
      expected: `within ${limit / 1000} s`,
      seen: `after ${(took / 1000).toFixed(1)} s`,
      held: took < limit,
      isTimed: true,
    },
    {
      expected: `other clients get a response within ${maxLatencyMs} ms meanwhile (99th percentile)`,
      seen: `${slowest.toFixed(1)} ms, half of them within ${tally.percentile(50, isSuccess).toFixed(1)} ms`,
      held: slowest < maxLatencyMs && tally.count(isSuccess) > 0,
      isTimed: true,
    },
    { expected: 'and all of them succeed', seen: `${bad} failed (${tally})`, held: bad === 0 },
  ];
};
