import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '#test/support/random.ts';
import type { Counts } from './counts.ts';
import type { Fleet } from './fleet.ts';
import type { Server } from './server.ts';

/** How long a start takes; a kill during a start falls anywhere within. */
const startTimeMs = 400;

/** How long a request is waited for. */
const waitingTimeMs = 2_000;

/** How long a payment usually takes from request to response; a kill falls anywhere within. */
const paymentTimeMs = 45;

/** How long a server that is alone serves before it is killed, at most: nothing would get done while it only starts. */
const servingTimeMs = 1_500;

interface Options {
  readonly fleet: Fleet;
  readonly counts: Counts;
  readonly random: Random;
}

/** Kills a server again and again, and starts it again at once. */
export const killRepeatedly = async (kills: number, surroundings: Options): Promise<void> => {
  const { fleet, random } = surroundings;
  for (let left = kills; left > 0; left -= 1) {
    // Now and then both are down for a moment; more often, and nothing would get done.
    if (!random.chance(0.25)) await fleet.ready();
    if (fleet.servers.length === 1) await pause(random.between(0, servingTimeMs));
    const isAimed = random.chance(0.85);
    if (!isAimed) await pause(random.between(0, startTimeMs));
    await killAndRestart(
      isAimed ? await busyServer(fleet, random) : random.pick(fleet.servers),
      surroundings,
    );
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

/** Waits for a moment in the middle of a payment, capture, cancellation, refund or erasure. @returns the server that works on it */
const busyServer = async (fleet: Fleet, random: Random): Promise<Server> => {
  const deadline = performance.now() + waitingTimeMs;
  for (;;) {
    const next = fleet.servers.map((server) => server.nextRequest().then(() => server));
    const busy = await Promise.race([...next, pause(waitingTimeMs)]);
    await pause(random.between(0, paymentTimeMs));
    if (busy !== undefined && busy.inFlight > 0) return busy;
    if (performance.now() > deadline) return random.pick(fleet.servers);
  }
};
