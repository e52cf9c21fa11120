import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { openLoad } from '../load/load.ts';
import { requestBytes } from '../load/request.ts';
import { isSuccess, Tally } from '../load/tally.ts';
import { deafClients } from './deaf-clients.ts';
import { productOf, serve, token } from './production.ts';
import type { Finding, Trial } from './trial.ts';

const credential = { Authorization: `Bearer ${token}` };

/** Ways of holding a connection open for as little work as possible. */
const manners: Readonly<Record<string, string>> = {
  'say nothing': '',
  'send headers a letter at a time': 'GET /v1/products HTTP/1.1\r\nHost: a\r\n',
  'send a body a letter at a time': `POST /v1/products HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n`,
};

/**
 * How many connections, requests a second of honest clients meanwhile, and within how many milliseconds 99 of 100 of those
 * are answered. The short form is held where others use the machine as well.
 */
const lengths = {
  long: { count: 1_000, rate: 100, soon: 100 },
  short: { count: 300, rate: 40, soon: 1_000 },
};

/** Connections on which almost nothing is sent, for as long as the server lets them. */
export const slowClients: Trial = {
  name: 'slow-clients',
  says: 'a thousand connections on which almost nothing comes, and some on which nothing is read',
  run: async ({ isShort, tell, cleanUp }) => {
    const { count, rate, soon } = lengths[isShort ? 'short' : 'long'];
    const deaf = deafClients({ cleanUp });
    // One after the other only where there is time.
    if (!isShort) await deaf;
    const { port } = await serve({ cleanUp }, 'memory:');
    const product = await productOf(port);
    const slow = Array.from({ length: count }, (_, place) => holdOpen(port, place));
    const begun = performance.now();
    cleanUp.defer(() => {
      for (const { socket } of slow) socket.destroy();
    });
    const talking = setInterval(() => {
      for (const { socket, talks } of slow) if (talks && socket.writable) socket.write('a');
    }, 1_000);
    const tally = new Tally();
    const order = requestBytes('POST', '/v1/orders', credential, { product_id: product, quantity: 1 });
    let isOver = false;
    const load = (async () => {
      while (!isOver) {
        await openLoad({ port, next: () => order, tally, rate, milliseconds: 1_000, connections: 100 });
      }
    })();
    const limit = 25_000;
    while (slow.some(({ socket }) => !socket.closed) && performance.now() - begun < limit + 5_000) {
      await pause(50);
    }
    const took = performance.now() - begun;
    isOver = true;
    await load;
    clearInterval(talking);
    const left = slow.filter(({ socket }) => !socket.closed).length;
    tell(
      `closed one after the other from ${Math.round(firstEnd(slow) - begun)} ms to ${Math.round(took)} ms`,
    );
    return [...findingsOf({ count, left, took, limit, soon, tally }), ...(await deaf)];
  },
};

interface Held {
  readonly socket: Socket;
  readonly talks: boolean;
  closedAt: number;
}

const holdOpen = (port: number, place: number): Held => {
  const all = Object.values(manners);
  const beginning = all[place % all.length] ?? '';
  const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(beginning));
  const held: Held = { socket, talks: beginning !== '', closedAt: Number.POSITIVE_INFINITY };
  socket.on('error', () => undefined).on('data', () => undefined);
  socket.on('close', () => {
    held.closedAt = performance.now();
  });
  return held;
};

const firstEnd = (slow: readonly Held[]): number => Math.min(...slow.map(({ closedAt }) => closedAt));

interface Seen {
  readonly count: number;
  readonly left: number;
  readonly took: number;
  readonly limit: number;
  readonly soon: number;
  readonly tally: Tally;
}

const findingsOf = ({ count, left, took, limit, soon, tally }: Seen): readonly Finding[] => {
  const slowest = tally.percentile(99, isSuccess);
  const bad = tally.failures + tally.count((status) => !isSuccess(status));
  return [
    {
      expected: `all of ${count} slow connections are closed within 25 s`,
      seen: `${left} left after ${(took / 1000).toFixed(1)} s`,
      held: left === 0 && took < limit,
    },
    {
      expected: `others are answered within ${soon} ms meanwhile (99 of 100)`,
      seen: `${slowest.toFixed(1)} ms, half of them within ${tally.percentile(50, isSuccess).toFixed(1)} ms`,
      held: slowest < soon && tally.count(isSuccess) > 0,
    },
    { expected: 'and all of them are', seen: `${bad} were not (${tally})`, held: bad === 0 },
  ];
};
