import { type Watched, watchStore } from './database.ts';
import { measuredHousekeeping } from './measured-housekeeping.ts';
import { measuredIdempotency } from './measured-idempotency.ts';
import { measuredProvider } from './measured-provider.ts';
import { measuredRateLimiter } from './measured-rate-limiter.ts';
import type { Page } from './prometheus.ts';
import { countRequests } from './requests.ts';
import { alone, type Metric } from './series.ts';
import { countShed } from './shed.ts';

interface Build {
  readonly version: string;
  readonly database: string;
  readonly provider: string;
}

/**
 * What an app counts of itself. It wraps the parts that there are, each by its port, so that none of them knows of it. Two
 * apps in a process count apart; what the process itself is like, both say.
 */
export const openMetrics = ({ version, database, provider }: Build) => {
  const metrics: Metric[] = [];
  const register = (metric: Metric): void => {
    metrics.push(metric);
  };
  const build = { labels: { version, node: process.version, database, provider }, value: 1 };
  register({
    name: 'portico_build_info',
    help: 'Always 1: which Portico this is, and what it works with.',
    type: 'gauge',
    read: () => [build],
  });

  let ask = async (): Promise<void> => undefined;
  const store = watchStore(register);

  return {
    requests: countRequests(register),
    shed: countShed(register),
    rateLimiter: measuredRateLimiter(register),
    provider: measuredProvider(register),
    idempotency: measuredIdempotency(register),
    housekeeping: measuredHousekeeping(register),
    store: (watched: Watched): void => {
      ask = store(watched);
    },
    /** For what somebody else counts. @param read asked at each scrape, so it must answer at once */
    counter: (name: string, help: string, read: () => number): void =>
      register({ name, help, type: 'counter', read: () => alone(read()) }),
    page: async (): Promise<Page> => {
      // A tenth of a start would be spent on what nobody may ever ask for.
      const { pageOf } = await import('./prometheus.ts');
      await ask();
      return pageOf(metrics);
    },
  };
};

export type Metrics = ReturnType<typeof openMetrics>;
