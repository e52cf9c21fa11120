import { openDatabase } from '../lab/databases.ts';
import { closedLoad, openLoad } from '../lab/load/load.ts';
import { isSuccess, Tally } from '../lab/load/tally.ts';
import { productOf } from '../support/test-databases.ts';
import { crowd } from './overload-crowd.ts';
import { type Payments, paymentsAt } from './overload-payments.ts';
import { serve, usualKinds } from './production.ts';
import type { Conditions, Finding, Trial } from './trial.ts';

/** Durations of the measurement of the peak and of the overload, in milliseconds. */
const lengths = { long: { peak: 10_000, load: 10_000 }, short: { peak: 1_000, load: 3_000 } };

/**
 * Latency goals in milliseconds, and the percentile that must meet them. The short form runs on busy machines, so it judges the
 * median only: without load shedding, the median would grow with the duration of the load.
 */
const goals = {
  long: { percentile: 99, accepted: 500, refused: 500, livez: 1_000 },
  short: { percentile: 50, accepted: 1_500, refused: 1_000, livez: 2_000 },
};

/** The share of the peak that must remain. The short form runs on busy machines. */
const goodputShare = { long: 0.8, short: 0.3 };

/** The maximum of requests for the warm-up. */
const warmUpRequests = 20_000;

/**
 * Requests a second. In the short form the load generator shares two cores with the server, and beyond this its own delay counts as
 * the server's.
 */
const maxRate = { long: Number.POSITIVE_INFINITY, short: 9_000 };

/** Connections that are open from the start, as a proxy keeps them. */
const idleConnections = 4_000;

/** Enough connections for all requests in flight (Little's law): with fewer, the load generator would be the bottleneck. */
const connectionsFor = (rate: number, milliseconds: number): number =>
  Math.max(idleConnections, Math.ceil((rate * milliseconds) / 1000));

const isRefused = (status: number): boolean => status === 503;

/** Measures how many payments a server handles, then sends three times as many. */
export const overload: Trial = {
  name: 'overload',
  description: 'sends three times as many payments as the server can handle',
  run: async (conditions) => {
    const findings: Finding[] = [];
    for (const kind of usualKinds) {
      await using cleanUp = new AsyncDisposableStack();
      const store = productOf(kind);
      const { url } = await openDatabase(kind, { cleanUp });
      const served = await serve({ cleanUp }, url);
      findings.push(await crowd(store, served, conditions));
      const payments = await paymentsAt(served.port);
      findings.push(...(await overwhelm(store, served, payments, conditions)));
    }
    return findings;
  },
};

const overwhelm = async (
  store: string,
  { port, opsPort }: { readonly port: number; readonly opsPort: number },
  payments: Payments,
  { isShort, log }: Conditions,
): Promise<readonly Finding[]> => {
  const name = `payments on ${store}`;
  const kind = isShort ? 'short' : 'long';
  const { load: milliseconds, peak: length } = lengths[kind];
  const peak = await peakOf(port, payments, length);
  const rate = Math.min(3 * peak, maxRate[kind]);
  await payments.provide((rate * milliseconds) / 1000);
  const tally = new Tally();
  const livez = watchLivez(opsPort);
  const goal = goals[kind];
  const connections = connectionsFor(rate, goal.refused);
  await openLoad({ port, next: payments.next, tally, rate, milliseconds, idleConnections, connections });
  const slowestLivez = await livez();
  const goodput = (1000 * tally.count(isSuccess)) / milliseconds;
  const share = goodputShare[kind];
  const accepted = tally.percentile(goal.percentile, isSuccess);
  const rejected = tally.percentile(goal.percentile, isRefused);
  log(
    `${name}: ${Math.round(peak)} a second at the peak, ${Math.round(rate)} sent; ${tally}; 50 % of the rejections within ${tally.percentile(50, isRefused).toFixed(1)} ms`,
  );
  return [
    timed(
      `${name}: goodput stays at ${100 * share} % of its peak`,
      `${Math.round((100 * goodput) / peak)} %`,
      goodput >= share * peak,
    ),
    timed(
      `${name}: admitted requests get a response within ${goal.accepted} ms (${goal.percentile} of 100)`,
      `${accepted.toFixed(0)} ms`,
      accepted < goal.accepted,
    ),
    timed(
      `${name}: rejections are sent within ${goal.refused} ms (${goal.percentile} of 100)`,
      `${rejected.toFixed(1)} ms`,
      rejected < goal.refused,
    ),
    {
      expected: `${name}: every request gets success or 503`,
      seen: `${tally.failures} failed, ${tally.count((status) => !isSuccess(status) && !isRefused(status))} got another status`,
      held:
        tally.failures === 0 &&
        tally.count() === tally.count((status) => isSuccess(status) || isRefused(status)),
    },
    timed(
      `${name}: /livez responds within ${goal.livez} ms`,
      `${slowestLivez.toFixed(0)} ms at most`,
      slowestLivez < goal.livez,
    ),
  ];
};

const timed = (expected: string, seen: string, held: boolean): Finding => ({
  ...{ expected, seen, held, isTimed: true },
});

/** Responses per second under a closed-loop load that keeps the server busy. */
const peakOf = async (port: number, { next, provide }: Payments, milliseconds: number): Promise<number> => {
  const run = async (maxRequests: number): Promise<number> => {
    await provide(maxRequests);
    const tally = new Tally();
    const begun = performance.now();
    await closedLoad({ port, next, tally, connections: 32, requests: maxRequests, milliseconds });
    return (1000 * tally.count(isSuccess)) / (performance.now() - begun);
  };
  // The first run is a warm-up, and estimates how many requests the second needs.
  const warm = await run(warmUpRequests);
  return run(Math.ceil((3 * warm * milliseconds) / 1000));
};

const watchLivez = (opsPort: number): (() => Promise<number>) => {
  let isDone = false;
  let slowest = 0;
  const watching = (async () => {
    while (!isDone) {
      const begun = performance.now();
      // A probe that gets no response has failed, however soon.
      const isAlive = await fetch(`http://127.0.0.1:${opsPort}/livez`).then(
        async (response) => (await response.text()) !== '',
        () => false,
      );
      if (!isAlive) slowest = Number.POSITIVE_INFINITY;
      slowest = Math.max(slowest, performance.now() - begun);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  })();
  return async () => {
    isDone = true;
    await watching;
    return slowest;
  };
};
