import type { Random } from '#test/random.ts';
import { isFree } from '../bootstrap/ports.ts';

/**
 * Below those that systems give to outgoing connections: while a server is down, one of our own clients might be given
 * its port, and the server could not come back.
 */
const range = { least: 20_000, most: 32_000 };

/** A port that is free, and stays so while the server that has it is down for a moment. */
export const steadyPort = async (random: Random, taken: readonly number[] = []): Promise<number> => {
  for (;;) {
    const port = random.between(range.least, range.most);
    if (!taken.includes(port) && (await isFree(port))) return port;
  }
};
