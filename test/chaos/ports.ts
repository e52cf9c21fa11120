import { randomInt } from 'node:crypto';
import { isFree } from '../bootstrap/support/ports.ts';

/**
 * Below those that systems give to outgoing connections: while a server is down, one of our own clients might be given
 * its port, and the server could not come back.
 */
const range = { least: 20_000, most: 32_000 };

type Ports = readonly [number, number, number, number, number, number];

/** A port that is free, and stays so while the program that has it is down for a moment. */
export const steadyPort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(range.least, range.most);
    if (await isFree(port)) return port;
  }
};

/**
 * Six ports that are free, and stay so while a server that has them is down for a moment. No seed decides them: two runs with the
 * same one beside each other would meet on them.
 */
export const steadyPorts = async (): Promise<Ports> => {
  const ports = new Set<number>();
  const next = async (): Promise<number> => {
    for (;;) {
      const port = await steadyPort();
      if (ports.has(port)) continue;
      ports.add(port);
      return port;
    }
  };
  return [await next(), await next(), await next(), await next(), await next(), await next()];
};
