import { closedLoad, openLoad } from '../load/load.ts';
import { isSuccess, Tally } from '../load/tally.ts';
import { type Mix, mixesAt } from './overload-mixes.ts';
import { databases, serve } from './production.ts';
import type { Conditions, Finding, Trial } from './trial.ts';

/** How long the peak is looked for, and how long it is gone beyond, in milliseconds. */
const lengths = { long: { peak: 10_000, load: 10_000 }, short: { peak: 1_000, load: 3_000 } };

/**
 * What has to be so, in milliseconds, and for how many of a hundred. Seconds are no measure of a machine on which the load
 * is made as well, and which may be somebody else's in one of them. So the short form looks at half of them, and only
 * notices when something has gone wrong: without refusals, half of them wait for as long as the load lasted.
 */
const goals = {
  long: { most: 99, accepted: 500, refused: 50, livez: 1_000 },
  short: { most: 50, accepted: 1_500, refused: 1_000, livez: 2_000 },
};

/** What has to be left where nothing is said of it. */
const usual = 0.8;

/** More requests than a warm-up takes. */
const enough = 20_000;

/** Clients come over connections that are there, as a proxy keeps them, and over new ones when those do not do. */
const kept = 4_000;

/** As many as are under way when each takes as long as it may: with fewer the load gives out before the server does. */
const needed = (rate: number, milliseconds: number): number =>
  Math.max(kept, Math.ceil((rate * milliseconds) / 1000));

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
      for (const mix of await mixesAt(served.port)) {
        const leaves = mix.leaves[conditions.isShort ? 'short' : 'long'];
        if (conditions.isShort && leaves === undefined) continue;
        const found = await overwhelm(`${mix.name} on ${store}`, served, mix, conditions);
        if (leaves !== undefined) findings.push(...found);
        else for (const { expected, seen } of found) conditions.tell(`${expected}: ${seen}`);
      }
    }
    return findings;
  },
};

const overwhelm = async (
  name: string,
  { port, opsPort }: { readonly port: number; readonly opsPort: number },
  mix: Mix,
  { isShort, tell }: Conditions,
): Promise<readonly Finding[]> => {
  const kind = isShort ? 'short' : 'long';
  const { load: milliseconds, peak: length } = lengths[kind];
  const peak = await peakOf(port, mix, length);
  const rate = 3 * peak;
  await mix.provide((rate * milliseconds) / 1000);
  const tally = new Tally();
  const livez = watchLivez(opsPort);
  const goal = goals[kind];
  const connections = needed(rate, goal.accepted);
  await openLoad({ port, next: mix.next, tally, rate, milliseconds, kept, connections });
  const slowestLivez = await livez();
  const goodput = (1000 * tally.count(isSuccess)) / milliseconds;
  const share = mix.leaves[kind] ?? usual;
  const accepted = tally.percentile(goal.most, isSuccess);
  const refused = tally.percentile(goal.most, isRefused);
  tell(
    `${name}: ${Math.round(peak)} a second at the most, ${Math.round(rate)} asked for; ${tally}; 50 % of those refused within ${tally.percentile(50, isRefused).toFixed(1)} ms`,
  );
  return [
    finding(
      `${name}: goodput stays at ${100 * share} % of its peak`,
      `${Math.round((100 * goodput) / peak)} %`,
      goodput >= share * peak,
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
const peakOf = async (port: number, { next, provide }: Mix, milliseconds: number): Promise<number> => {
  const run = async (most: number): Promise<number> => {
    await provide(most);
    const tally = new Tally();
    const begun = performance.now();
    const goesOn = (sent: number): boolean => sent < most && performance.now() - begun < milliseconds;
    await closedLoad({ port, next, tally, connections: 32, goesOn });
    return (1000 * tally.count(isSuccess)) / (performance.now() - begun);
  };
  // The first is a warm-up, and tells how many there may be.
  const warm = await run(enough);
  return run(Math.ceil((3 * warm * milliseconds) / 1000));
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
