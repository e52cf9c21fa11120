import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase } from '../lab/databases.ts';
import { openLoad } from '../lab/load/load.ts';
import { orderBytes, requestBytes } from '../lab/load/request.ts';
import { isSuccess, Tally } from '../lab/load/tally.ts';
import { until } from '../support/until.ts';
import { haproxy, hasHaproxy } from './haproxy.ts';
import { createProduct, type RunningServer, serve, token } from './production.ts';
import type { Conditions, Finding, Trial } from './trial.ts';

const credential = { Authorization: `Bearer ${token}` };

/** Requests per second: enough that some are always in flight, also on a busy machine. */
const rate = 60;

/** A rolling restart behind a proxy under load: each server drains and starts again in turn. */
export const shutdown: Trial = {
  name: 'shutdown',
  description: 'stops and restarts servers in turn, under load behind a proxy',
  run: async (conditions) => {
    if (!hasHaproxy()) {
      return [{ expected: 'HAProxy is installed', seen: 'it is not, so the trial was skipped', held: true }];
    }
    const { isShort, log, cleanUp } = conditions;
    const rounds = isShort ? 4 : 100;
    const { url: database } = await openDatabase('postgres', conditions);
    const servers = [await serve(conditions, database), await serve(conditions, database)];
    const port = await haproxy(
      conditions,
      servers.map(({ port, opsPort }) => ({ port, opsPort })),
    );
    await untilUp(port);
    const product = await createProduct(port);
    const order = orderBytes(token, product);
    const read = requestBytes('GET', `/v1/products/${product}`, credential);
    const tally = new Tally();
    let busy = 0;
    const onResponse = (status: number, bytes: Buffer): void => {
      if (status === 503 && bytes.includes('SERVICE_UNAVAILABLE')) busy += 1;
    };
    let isDone = false;
    const load = (async () => {
      while (!isDone) {
        const next = (number: number) => (number % 2 === 0 ? order : read);
        await openLoad({ port, next, tally, onResponse, rate, milliseconds: 2_000, connections: 300 });
      }
    })();
    cleanUp.defer(async () => {
      isDone = true;
      await load;
    });

    const ends: { readonly code: number | null; readonly milliseconds: number }[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const place = round % servers.length;
      const server = servers[place];
      if (server === undefined) break;
      const begun = performance.now();
      server.program.signal('SIGTERM');
      ends.push({ code: await server.program.ended(), milliseconds: performance.now() - begun });
      servers[place] = await startAgain(server, database, conditions);
      if (round % 10 === 9) log(`${round + 1} rounds: ${tally}`);
    }
    isDone = true;
    await load;
    return findingsOf(tally, busy, ends);
  },
};

/** Starts a server on the same ports, and waits until the proxy sees that it is ready. */
const startAgain = async (
  server: RunningServer,
  database: string,
  conditions: Conditions,
): Promise<RunningServer> => {
  const { port, opsPort } = server;
  const again = await serve(conditions, database, { PORT: `${port}`, OPS_PORT: `${opsPort}` });
  // A few check intervals of the proxy.
  await pause(600);
  return { ...again, port, opsPort };
};

const untilUp = (port: number) =>
  until(
    async () => (await fetch(`http://127.0.0.1:${port}/v1/products`)).status,
    (status) => status === 401,
  );

const findingsOf = (
  tally: Tally,
  busy: number,
  ends: readonly { readonly code: number | null; readonly milliseconds: number }[],
): readonly Finding[] => {
  const slowest = Math.max(...ends.map(({ milliseconds }) => milliseconds));
  const requested = tally.count() + tally.failures;
  const bad = tally.failures + tally.count((status) => !isSuccess(status));
  return [
    {
      expected: `no request is dropped or reset in ${ends.length} rounds`,
      seen: `${bad} of ${requested} (${tally}; ${busy} of them shed by a server)`,
      held: bad === 0 && requested > 0,
    },
    {
      expected: 'every server ends within ten seconds',
      seen: `${(slowest / 1000).toFixed(1)} s at most`,
      held: slowest < 10_000,
      isTimed: true,
    },
    {
      expected: 'every server ends with exit code 0',
      seen: `${ends.filter(({ code }) => code !== 0).length} with another`,
      held: ends.every(({ code }) => code === 0),
    },
  ];
};
