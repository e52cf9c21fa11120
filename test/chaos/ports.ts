import { randomInt } from 'node:crypto';
import { isFree } from '../bootstrap/support/ports.ts';

/**
 * Below those that systems give to outgoing connections: while a server is down, one of our own clients might be given
 * its port, and the server could not come back.
 */
const range = { least: 20_000, most: 32_000 };

type Ports = readonly [number, number, number, number, number, number];

/**
 * Six ports that are free, and stay so while a server that has them is down for a moment. No seed decides them: two runs with the
 * same one beside each other would meet on them.
 */
export const steadyPorts = async (): Promise<Ports> => {
  const ports = new Set<number>();
  const next = async (): Promise<number> => {
    for (;;) {
      const port = randomInt(range.least, range.most);
      if (ports.has(port) || !(await isFree(port))) continue;
      ports.add(port);
      return port;
    }
  };
  return [await next(), await next(), await next(), await next(), await next(), await next()];
};
