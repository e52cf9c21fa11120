import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '#test/support/random.ts';
import { clients } from './conditions.ts';
import type { Fleet } from './fleet.ts';
import { type Dependencies, GaveUp, type Inquiry } from './inquiry.ts';
import type { Place } from './place.ts';
import type { Shop } from './shop.ts';
import { tellStory } from './stories.ts';
import { Visit } from './visit.ts';

interface Options extends Dependencies {
  readonly place: Place;
  readonly fleet: Fleet;
  readonly shop: Shop;
  readonly random: Random;
  /** Where everything that is asked goes. */
  readonly inquiries: Inquiry[];
}

/** Clients come and go until they are told that it is over; then each tells their story to its end. */
export const traffic = async (options: Options, isOver: () => boolean): Promise<void> => {
  let visits = 0;
  const client = async (random: Random): Promise<void> => {
    while (!isOver()) {
      visits += 1;
      await tellStory(new Visit({ ...options, name: `${visits}`, random: random.fork() })).catch(forgive);
    }
  };
  const all = Array.from({ length: clients }, () => client(options.random.fork()));
  await Promise.all([...all, askAgain(options, isOver), cutConnections(options, isOver)]);
};

/** A client that retries much later, with a key that was answered long ago. */
const askAgain = async ({ inquiries, fleet, random: all }: Options, isOver: () => boolean): Promise<void> => {
  const random = all.fork();
  while (!isOver()) {
    await pause(random.between(10, 60));
    const inquiry = inquiries.length > 0 ? random.pick(inquiries) : undefined;
    if (inquiry?.said !== undefined) await inquiry.attempt(fleet.any(random), random);
  }
};

/** Cuts the servers' connections to their database. */
const cutConnections = async (
  { place, fleet, random: all }: Options,
  isOver: () => boolean,
): Promise<void> => {
  const random = all.fork();
  while (!isOver()) {
    await pause(random.between(500, 3_000));
    const age = fleet.sinceStart;
    if (age !== undefined) await place.cutConnection(age);
  }
};

/** A client that gave up has reported why. */
const forgive = (error: unknown): void => {
  if (!(error instanceof GaveUp)) throw error;
};
