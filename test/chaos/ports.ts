import { randomInt } from 'node:crypto';
import { isFree } from '../bootstrap/support/ports.ts';

/**
 * Below those that systems give to outgoing connections: while a server is down, one of our own clients might be given
 * its port, and the server could not come back.
 */
const range = { least: 20_000, most: 32_000 };

/**
 * A port that is free, and stays so while the server that has it is down for a moment. No seed decides it: two runs with the
 * same one beside each other would meet on it.
 */
export const steadyPort = async (taken: readonly number[] = []): Promise<number> => {
  for (;;) {
    const port = randomInt(range.least, range.most);
    if (!taken.includes(port) && (await isFree(port))) return port;
  }
};
