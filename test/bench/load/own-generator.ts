import { closedLoad } from '../../lab/load/load.ts';
import { Tally } from '../../lab/load/tally.ts';
import type { Generator, LoadOptions, LoadResult } from './generator.ts';
import { withKey } from './keys.ts';

/** The fallback without wrk. It runs in JavaScript, so a fast server can be faster than it. */
export const ownGenerator: Generator = {
  name: 'test/lab/load (wrk is faster: apt-get install wrk)',
  run: async ({ port, requests, from, connections, seconds, isOnce }: LoadOptions): Promise<LoadResult> => {
    const texts = requests.map(prepared);
    const tally = new Tally();
    const begun = performance.now();
    const cpu = process.cpuUsage();
    await closedLoad({
      port,
      tally,
      connections,
      next: (number) => (texts[(from + number) % texts.length] ?? nothing)(),
      milliseconds: 1000 * seconds,
      ...(isOnce === true && { requests: texts.length - from }),
    });
    const { user, system } = process.cpuUsage(cpu);
    const took = (performance.now() - begun) / 1000;
    return {
      requests: tally.count(),
      seconds: took,
      errorResponses: tally.count((status) => status >= 400),
      failed: tally.failures,
      p50: tally.percentile(50),
      p99: tally.percentile(99),
      cpu: (user + system) / 1e6,
    };
  },
};

const nothing = (): Buffer => Buffer.alloc(0);

const prepared = (text: string): (() => Buffer) => {
  const bytes = Buffer.from(text);
  return withKey(text) === text ? () => bytes : () => Buffer.from(withKey(text));
};
