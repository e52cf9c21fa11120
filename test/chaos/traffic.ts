import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '#test/support/random.ts';
import {
  type Dependencies,
  NoFinalResponseError,
  type RetriedRequest,
} from '../lab/clients/retried-request.ts';
import type { Shop } from '../lab/clients/shop.ts';
import type { StripeProcess } from '../stripe/stripe-process.ts';
import type { Pace } from './conditions.ts';
import type { Counts } from './counts.ts';
import type { DisturbedDatabase } from './disturbed-database.ts';
import type { Person } from './erasing/person.ts';
import type { Fleet } from './fleet.ts';
import { forgeEvents } from './live/forger.ts';
import { runVisit } from './stories.ts';
import { Visit } from './visit.ts';

interface Options extends Dependencies {
  readonly counts: Counts;
  readonly pace: Pace;
  readonly database: DisturbedDatabase;
  readonly fleet: Fleet;
  readonly provider: StripeProcess;
  readonly shop: Shop;
  readonly random: Random;
  /** Collects all requests. */
  readonly requests: RetriedRequest[];
  /** Collects the customers who are to be erased. */
  readonly people: Person[];
}

/** Runs clients until `isOver`; then each finishes its visit. */
export const traffic = async (options: Options, isOver: () => boolean): Promise<void> => {
  let visits = 0;
  const client = async (random: Random): Promise<void> => {
    while (!isOver()) {
      visits += 1;
      await runVisit(new Visit({ ...options, name: `${visits}`, random: random.fork() })).catch(
        ignoreNoFinalResponse,
      );
    }
  };
  const all = Array.from({ length: options.pace.clients }, () => client(options.random.fork()));
  await Promise.all([
    ...all,
    retryOldRequests(options, isOver),
    disturbDatabase(options, isOver),
    forgeEvents(options, isOver),
  ]);
};

/** A client that retries much later, with a key that got its response long ago. */
const retryOldRequests = async (
  { requests, fleet, pace, random: all }: Options,
  isOver: () => boolean,
): Promise<void> => {
  const random = all.fork();
  while (!isOver()) {
    await pause(random.between(...pace.retryAfterMs));
    const request = requests.length > 0 ? random.pick(requests) : undefined;
    if (request?.response !== undefined && !request.isForgotten)
      await request.attempt(fleet.any(random), random);
  }
};

/** Cuts the servers' connections to their database, or lets nodes of the database fail. */
const disturbDatabase = async (
  { database, fleet, counts, random: all }: Options,
  isOver: () => boolean,
): Promise<void> => {
  const random = all.fork();
  while (!isOver()) {
    await pause(random.between(500, 3_000));
    const done = await database.disturb(fleet.sinceStart, random);
    if (done !== undefined) counts[done] += 1;
  }
  await database.recovered?.();
};

/** A client that gave up has reported why. */
const ignoreNoFinalResponse = (error: unknown): void => {
  if (!(error instanceof NoFinalResponseError)) throw error;
};
