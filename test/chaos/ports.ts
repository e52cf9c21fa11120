import { randomInt } from 'node:crypto';
import { isFree } from '../bootstrap/support/ports.ts';

/**
 * Below those that systems give to outgoing connections: while a server is down, one of our own clients might be given
 * its port, and the server could not come back.
 */
const range = { least: 20_000, most: 32_000 };

/**
 * Ports that are free, and stay so while a server that has them is down for a moment. No seed decides them: two runs with the
 * same one beside each other would meet on them.
 */
export const steadyPorts = async (count: number): Promise<readonly number[]> => {
  const ports = new Set<number>();
  while (ports.size < count) {
    const port = randomInt(range.least, range.most);
    if (await isFree(port)) ports.add(port);
  }
  return [...ports];
};
