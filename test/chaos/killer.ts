import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '#test/support/random.ts';
import type { Counts } from './counts.ts';
import type { Fleet } from './fleet.ts';
import type { Server } from './server.ts';

/** How long a start takes; a kill during a start falls anywhere within. */
const startTimeMs = 400;

/** How long a payment usually takes from request to response; a kill falls anywhere within. */
const paymentTimeMs = 45;

interface Options {
  readonly fleet: Fleet;
  readonly counts: Counts;
  readonly random: Random;
}

/** Kills a server again and again, and starts it again at once. */
export const killRepeatedly = async (kills: number, surroundings: Options): Promise<void> => {
  const { fleet, random } = surroundings;
  for (let left = kills; left > 0; left -= 1) {
    const victim = fleet.any(random);
    // Now and then both are down for a moment; more often, and nothing would get done.
    if (!random.chance(0.25)) await fleet.other(victim).ready;
    if (victim.isReady || random.chance(0.85)) await waitForBusyMoment(victim, random);
    else await pause(random.between(0, startTimeMs));
    await killAndRestart(victim, surroundings);
  }
};

/** Kills a server that is just starting. */
export const killAtStart = async (surroundings: Options): Promise<void> => {
  await pause(surroundings.random.between(0, startTimeMs));
  await killAndRestart(surroundings.fleet.any(surroundings.random), surroundings);
};

const killAndRestart = async (victim: Server, { counts }: Options): Promise<void> => {
  if (victim.inFlight > 0) counts.midway += 1;
  await victim.kill();
  counts.kills += 1;
  victim.start();
  counts.restarts += 1;
};

/** In the middle of a payment, refund or erasure most of the time, and otherwise at any time. */
const waitForBusyMoment = async (victim: Server, random: Random): Promise<void> => {
  await victim.ready;
  if (random.chance(0.2)) {
    await pause(random.between(0, startTimeMs));
    return;
  }
  const deadline = performance.now() + startTimeMs;
  do {
    await Promise.race([victim.nextRequest(), pause(startTimeMs)]);
    await pause(random.between(0, paymentTimeMs));
  } while (victim.inFlight === 0 && performance.now() < deadline);
};
