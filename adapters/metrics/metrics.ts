import { Counter, Gauge, Registry } from 'prom-client';
import { type Watched, watchStore } from './database.ts';
import { measuredHousekeeping } from './measured-housekeeping.ts';
import { measuredIdempotency } from './measured-idempotency.ts';
import { measuredProvider } from './measured-provider.ts';
import { measuredRateLimiter } from './measured-rate-limiter.ts';
import { processRegistry } from './process.ts';
import { countRequests } from './requests.ts';
import { countShed } from './shed.ts';

interface Build {
  readonly version: string;
  readonly database: string;
  readonly provider: string;
}

/** Numbers as Prometheus reads them. */
interface Page {
  readonly type: string;
  readonly text: string;
}

/**
 * What an app counts of itself. It wraps the parts that there are, each by its port, so that none of them knows of it. Two
 * apps in a process count apart; what the process itself is like, both say.
 */
export const openMetrics = ({ version, database, provider }: Build) => {
  const registry = new Registry();
  const ofProcess = processRegistry();
  new Gauge({
    name: 'portico_build_info',
    help: 'Always 1: which Portico this is, and what it works with.',
    labelNames: ['version', 'node', 'database', 'provider'],
    registers: [registry],
  }).set({ version, node: process.version, database, provider }, 1);

  let ask = async (): Promise<void> => undefined;
  const store = watchStore(registry);

  return {
    requests: countRequests(registry),
    shed: countShed(registry),
    rateLimiter: measuredRateLimiter(registry),
    provider: measuredProvider(registry),
    idempotency: measuredIdempotency(registry),
    housekeeping: measuredHousekeeping(registry),
    store: (watched: Watched): void => {
      ask = store(watched);
    },
    /** For what somebody else counts. @param read asked at each scrape, so it must answer at once */
    counter: (name: string, help: string, read: () => number): void => {
      new Counter({
        name,
        help,
        registers: [registry],
        collect() {
          this.reset();
          this.inc(read());
        },
      });
    },
    page: async (): Promise<Page> => {
      await ask();
      const text = `${await registry.metrics()}\n${await ofProcess.metrics()}`;
      return { type: registry.contentType, text };
    },
  };
};

export type Metrics = ReturnType<typeof openMetrics>;
