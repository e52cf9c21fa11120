import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '#test/support/random.ts';
import { NoFinalResponseError, type RetriedRequest } from '../lab/clients/retried-request.ts';
import { type Shop, stockBefore } from '../lab/clients/shop.ts';
import { type DumpedRow, dumpRows } from '../lab/dump.ts';
import { judge } from '../lab/judge/all.ts';
import { judgeFeed, readFeed } from '../lab/judge/feed.ts';
import { judgeUnfinished } from '../lab/judge/unfinished.ts';
import { readRows } from '../lab/rows.ts';
import { stripeLedger } from '../lab/stripe-ledger.ts';
import type { Violation } from '../lab/violations.ts';
import { settlingTimeMs, usualPace } from './conditions.ts';
import { waitForErasures } from './erasing/aftermath.ts';
import { markOfAll, type Person } from './erasing/person.ts';
import type { Fixture } from './fixture.ts';
import { findLeaks, hasSecret } from './live/secrets.ts';
import { waitUntilFollowed } from './live/settling.ts';

interface Options {
  readonly fixture: Fixture;
  readonly shop: Shop;
  readonly requests: readonly RetriedRequest[];
  readonly people: readonly Person[];
  readonly random: Random;
}

/** The default of REQUEST_TIMEOUT_MS. */
const requestTimeoutMs = 10_000;

/** Verifies the outcomes once nothing fails any more: waits for the settling time, replays every key, and compares all. */
export const verifyOutcomes = async (options: Options): Promise<Violation[]> => {
  const { fixture, shop, requests, people, random } = options;
  const stranded = await settled(fixture);
  await retryEveryKey(options, random);
  const unknown = await waitUntilFollowed(fixture);
  await waitForErasures(fixture.database);
  for (const { late } of people) await late?.untilFinal(random).catch(ignoreNoFinalResponse);
  const ledger = stripeLedger(await fixture.provider.ledger());
  const { markedRows, leaks } = await searchDump(fixture);
  const found = judge({
    ledger,
    rows: await readRows(fixture.database),
    clientOutcomes: requests.map(({ outcome }) => outcome),
    stockBefore: stockBefore(shop, requests),
    people,
    markedRows,
    ...{ requestTimeoutMs, leaks },
  });
  // The last retries may have settled what was left unfinished before them; it counts as unfinished all the same.
  return [
    ...stranded,
    ...unknown,
    ...judgeFeed(await readFeed(fixture.database)),
    ...found.filter(({ kind }) => kind !== 'stranded' || stranded.length === 0),
  ];
};

/** Reads the whole database, the logs and the metrics, and finds what must be in none of them. */
const searchDump = async ({ database, fleet }: Fixture) => {
  const markedRows: DumpedRow[] = [];
  const leaks: string[] = [];
  for await (const row of dumpRows(database)) {
    if (row.text.includes(markOfAll)) markedRows.push(row);
    if (hasSecret(row.text)) leaks.push(`${row.table}: ${row.text}`);
  }
  for (const server of fleet.servers) leaks.push(...(await findLeaks(server)));
  return { markedRows, leaks };
};

/** Waits until the servers have settled everything by themselves. @returns what is unfinished after the settling time */
const settled = async ({ database, provider }: Fixture): Promise<Violation[]> => {
  const deadline = performance.now() + settlingTimeMs;
  for (;;) {
    const unfinished = judgeUnfinished({
      ledger: stripeLedger(await provider.ledger()),
      rows: await readRows(database),
    });
    if (unfinished.length === 0 || performance.now() > deadline) return unfinished;
    await pause(500);
  }
};

/**
 * Retries each request without a final response until it has one. Of the others it replays those never compared, and one in
 * ten of the rest. Those of an erased customer would get other responses.
 */
const retryEveryKey = async ({ fixture, requests }: Options, random: Random): Promise<void> => {
  const waiting = requests.values();
  const work = async (): Promise<void> => {
    for (const request of waiting) {
      if (request.isForgotten) continue;
      if (request.response === undefined) await request.untilFinal(random).catch(ignoreNoFinalResponse);
      else if (!request.isCompared || random.chance(0.1))
        await request.attempt(fixture.fleet.any(random), random);
    }
  };
  await Promise.all(Array.from({ length: usualPace.clients }, work));
};

/** The missing response is judged later. */
const ignoreNoFinalResponse = (error: unknown): void => {
  if (!(error instanceof NoFinalResponseError)) throw error;
};
