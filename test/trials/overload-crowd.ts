import { closedLoad } from '../lab/load/load.ts';
import { orderBytes } from '../lab/load/request.ts';
import { isSuccess, Tally } from '../lab/load/tally.ts';
import { createProduct, type RunningServer, token } from './production.ts';
import type { Conditions, Finding } from './trial.ts';

/** Connections of a server that is well used, and of a crowd whose clients retry at once (retry storm). */
const connections = { usual: 32, crowd: 1_000 };

/** Durations in milliseconds, and the share of the orders that a crowd must leave. */
const forms = {
  long: { usual: 4_000, crowd: 10_000, share: 0.4 },
  short: { usual: 1_000, crowd: 3_000, share: 0.25 },
};

/** Expects that many clients, each of which retries as soon as it is rejected, do not keep the server from taking orders. */
export const crowd = async (
  store: string,
  { port }: RunningServer,
  { isShort, log }: Conditions,
): Promise<Finding> => {
  const { usual, crowd, share } = forms[isShort ? 'short' : 'long'];
  const order = orderBytes(token, await createProduct(port));
  const ordersWith = async (count: number, milliseconds: number): Promise<number> => {
    const tally = new Tally();
    await closedLoad({ port, next: () => order, tally, connections: count, milliseconds });
    const rate = (1000 * tally.count(isSuccess)) / milliseconds;
    const times = [50, 99].map((part) => tally.percentile(part, isSuccess).toFixed(0)).join(' and ');
    log(
      `${store}, ${count} connections: ${Math.round(rate)} orders a second; ${tally}; p50 and p99 ${times} ms; rejections p50 ${tally.percentile(50, (status) => status === 503).toFixed(0)} ms`,
    );
    return rate;
  };
  await ordersWith(connections.usual, usual);
  // The machine may be busier at one time than at another, so the usual load is measured on both sides.
  const before = await ordersWith(connections.usual, usual);
  const crowded = await ordersWith(connections.crowd, crowd);
  const after = await ordersWith(connections.usual, usual);
  const kept = (2 * crowded) / (before + after);
  return {
    expected: `orders on ${store}: ${connections.crowd} connections that retry at once leave ${100 * share} % of those with ${connections.usual}`,
    seen: `${Math.round(100 * kept)} %`,
    held: kept >= share,
    isTimed: true,
  };
};
