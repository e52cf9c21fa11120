import { closedLoad, openLoad } from '../load/load.ts';
import { requestBytes } from '../load/request.ts';
import { isSuccess, Tally } from '../load/tally.ts';
import { databases, productOf, serve, token } from './production.ts';
import type { Conditions, Finding, Trial } from './trial.ts';

const credential = { Authorization: `Bearer ${token}` };

/** What is asked for, again and again. */
interface Mix {
  readonly name: string;
  /**
   * Whether to answer costs much more than to refuse. Where it does not, whoever refuses twice as many as are answered has
   * little time left to answer: that is told, and not judged.
   */
  readonly isCostly: boolean;
  readonly next: (number: number) => Buffer;
}

/** How long the peak is looked for, and how long it is gone beyond, in milliseconds. */
const lengths = { long: { peak: 10_000, load: 10_000 }, short: { peak: 1_000, load: 3_000 } };

/**
 * What has to be so, in milliseconds, and for how many of a hundred. Seconds are no measure of a machine on which the load
 * is made as well, and which may be somebody else's in one of them. So the short form looks at half of them, and only
 * notices when something has gone wrong: without refusals, half of them wait for as long as the load lasted.
 */
const goals = {
  long: { goodput: 0.8, most: 99, accepted: 500, refused: 50, livez: 1_000 },
  short: { goodput: 0.2, most: 50, accepted: 1_500, refused: 500, livez: 2_000 },
};

/** Clients come over connections that are there, as a proxy keeps them, and over new ones when those do not do. */
const kept = 2_000;

const isRefused = (status: number): boolean => status === 503;

/** More work than there is time for: first what can be done is measured, then three times as much is asked for. */
export const overload: Trial = {
  name: 'overload',
  says: 'three times as many requests as can be answered',
  run: async (conditions) => {
    const findings: Finding[] = [];
    for (const [store, open] of Object.entries(databases)) {
      await using cleanUp = new AsyncDisposableStack();
      const served = await serve({ cleanUp }, await open({ cleanUp }));
      const product = await productOf(served.port);
      for (const mix of mixesOf(product)) {
        if (conditions.isShort && !mix.isCostly) continue;
        const found = await overwhelm(`${mix.name} on ${store}`, served, mix, conditions);
        if (mix.isCostly) findings.push(...found);
        else for (const { expected, seen } of found) conditions.tell(`${expected}: ${seen}`);
      }
    }
    return findings;
  },
};

const mixesOf = (product: string): readonly Mix[] => {
  const order = requestBytes('POST', '/v1/orders', credential, { product_id: product, quantity: 1 });
  const read = requestBytes('GET', `/v1/products/${product}`, credential);
  return [
    { name: 'orders', isCostly: true, next: () => order },
    { name: 'nine reads to an order', isCostly: false, next: (number) => (number % 10 === 0 ? order : read) },
  ];
};

const overwhelm = async (
  name: string,
  { port, opsPort }: { readonly port: number; readonly opsPort: number },
  { next }: Mix,
  { isShort, tell }: Conditions,
): Promise<readonly Finding[]> => {
  const kind = isShort ? 'short' : 'long';
  const { load: milliseconds, peak: length } = lengths[kind];
  const peak = await peakOf(port, next, length);
  const rate = 3 * peak;
  const tally = new Tally();
  const livez = watchLivez(opsPort);
  await openLoad({ port, next, tally, rate, milliseconds, kept, connections: 5_000 });
  const slowestLivez = await livez();
  const goodput = (1000 * tally.count(isSuccess)) / milliseconds;
  const goal = goals[kind];
  const accepted = tally.percentile(goal.most, isSuccess);
  const refused = tally.percentile(goal.most, isRefused);
  tell(
    `${name}: ${Math.round(peak)} a second at the most, ${Math.round(rate)} asked for; ${tally}; 50 % of those refused within ${tally.percentile(50, isRefused).toFixed(1)} ms`,
  );
  return [
    finding(
      `${name}: goodput stays at ${100 * goal.goodput} % of its peak`,
      `${Math.round((100 * goodput) / peak)} %`,
      goodput >= goal.goodput * peak,
    ),
    finding(
      `${name}: what is accepted is answered within ${goal.accepted} ms (${goal.most} of 100)`,
      `${accepted.toFixed(0)} ms`,
      accepted < goal.accepted,
    ),
    finding(
      `${name}: what is refused is refused within ${goal.refused} ms (${goal.most} of 100)`,
      `${refused.toFixed(1)} ms`,
      refused < goal.refused,
    ),
    finding(
      `${name}: every request is answered, by 503 where not by success`,
      `${tally.failures} failed, ${tally.count((status) => !isSuccess(status) && !isRefused(status))} answered otherwise`,
      tally.failures === 0 &&
        tally.count() === tally.count((status) => isSuccess(status) || isRefused(status)),
    ),
    finding(
      `${name}: /livez answers within ${goal.livez} ms`,
      `${slowestLivez.toFixed(0)} ms at the most`,
      slowestLivez < goal.livez,
    ),
  ];
};

const finding = (expected: string, seen: string, held: boolean): Finding => ({ expected, seen, held });

/** Answers a second, when as many ask at once as keep the server busy. */
const peakOf = async (port: number, next: Mix['next'], milliseconds: number): Promise<number> => {
  const run = async (time: number): Promise<number> => {
    const tally = new Tally();
    const begun = performance.now();
    await closedLoad({ port, next, tally, connections: 32, goesOn: () => performance.now() - begun < time });
    return (1000 * tally.count(isSuccess)) / (performance.now() - begun);
  };
  // The first is a warm-up.
  await run(milliseconds);
  return run(milliseconds);
};

const watchLivez = (opsPort: number): (() => Promise<number>) => {
  let isOver = false;
  let slowest = 0;
  const watching = (async () => {
    while (!isOver) {
      const begun = performance.now();
      await (await fetch(`http://127.0.0.1:${opsPort}/livez`)).text();
      slowest = Math.max(slowest, performance.now() - begun);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  })();
  return async () => {
    isOver = true;
    await watching;
    return slowest;
  };
};
