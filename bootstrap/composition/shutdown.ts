import { setTimeout as pause } from 'node:timers/promises';
import type { Container } from 'inversify';
import { withTimeout } from '#adapters/support/timeout.ts';
import { tokens } from './tokens.ts';

/** How long each part is waited for, in milliseconds. Together with a usual drain they stay below ten seconds. */
const patience = {
  listener: 6_100,
  housekeeper: 6_100,
  opsListener: 400,
  rateLimiter: 300,
  clock: 300,
  store: 1_200,
  rest: 200,
};

/**
 * First whoever lets work in or makes work, at last what they all work on. What cannot be closed, because it could not
 * even be made, keeps nothing else open, and what does not come to an end is not waited for.
 * @param drain how long requests are still taken, in milliseconds: whoever sends them here has to notice first
 */
export const shutdown = async (container: Container, drain = 0): Promise<void> => {
  const obstacles: unknown[] = [];
  const note = (obstacle: unknown) => obstacles.push(obstacle);
  const close = (token: Parameters<Container['unbindAsync']>[0], most: number) =>
    withTimeout(most, container.unbindAsync(token).catch(note), undefined);

  (await container.getAsync(tokens.draining)).abort();
  const idle = close(tokens.housekeeper, drain + patience.housekeeper);
  if (drain > 0) await pause(drain);
  const certificate = close(tokens.certificate, patience.rest);
  await Promise.all([certificate, close(tokens.apiListener, patience.listener), idle]);
  await Promise.all([
    // Until here it said that the service was about to go.
    close(tokens.opsListener, patience.opsListener),
    close(tokens.rateLimiter, patience.rateLimiter),
    close(tokens.clock, patience.clock),
  ]);
  await close(tokens.store, patience.store);
  await withTimeout(patience.rest, container.unbindAllAsync().catch(note), undefined);
  if (obstacles.length > 0) throw obstacles[0];
};
