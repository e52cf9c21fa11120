import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { memoizeAsync } from '#adapters/support/lazy.ts';
import { sleep } from '#adapters/support/time.ts';
import { measuredBackgroundJobs } from './measured-background-jobs.ts';
import { type DatabaseProbe, measuredDatabase } from './measured-database.ts';
import { measuredEvents } from './measured-events.ts';
import { measuredIdempotency } from './measured-idempotency.ts';
import { measuredMismatches, measuredProvider } from './measured-provider.ts';
import { measuredProviderEvents, measuredReconciliation } from './measured-reconciliation.ts';
import { measuredLoadShedding, measuredRateLimiter, measuredRequests } from './measured-requests.ts';
import { measuredWebhooks } from './measured-webhooks.ts';

/** A response in the text format of Prometheus. */
interface Page {
  readonly type: string;
  readonly text: string;
}

interface Build {
  readonly version: string;
  readonly database: string;
  readonly provider: string;
}

/** How often the delay of the event loop is sampled. */
const eventLoopSampleMs = 20;

/**
 * Memory, processor, event loop and garbage collection: one registry for the process, from the first scrape on. Without a
 * sample of the event loop its minimum would read as 292 years.
 */
const processRegistry = memoizeAsync(async () => {
  const register = new Registry();
  collectDefaultMetrics({ register, eventLoopMonitoringPrecision: eventLoopSampleMs });
  await sleep(3 * eventLoopSampleMs);
  return register;
});

/**
 * The metrics of one app. It decorates the parts by their ports, so that none of them knows of metrics; two apps in one
 * process count apart, and both show the metrics of the process.
 *
 * To add a metric: in the file of the part that it measures, `measured-….ts`.
 */
export const openMetrics = ({ version, database, provider }: Build) => {
  const registry = new Registry();
  const build = new Gauge({
    name: 'portico_build_info',
    help: 'Always 1: the version of Portico and of Node, the kind of database and the payment provider.',
    labelNames: ['version', 'node', 'database', 'provider'],
    registers: [registry],
  });
  build.set({ version, node: process.version, database, provider }, 1);

  const openDatabase = measuredDatabase(registry);
  let refreshDatabase = async (): Promise<void> => undefined;

  return {
    requests: measuredRequests(registry),
    shed: measuredLoadShedding(registry),
    rateLimiter: measuredRateLimiter(registry),
    provider: measuredProvider(registry),
    mismatch: measuredMismatches(registry),
    reconciliation: measuredReconciliation(registry),
    providerEvent: measuredProviderEvents(registry),
    idempotency: measuredIdempotency(registry),
    backgroundJobs: measuredBackgroundJobs(registry),
    events: measuredEvents(registry),
    webhooks: measuredWebhooks(registry),
    store: (watched: DatabaseProbe): void => {
      refreshDatabase = openDatabase(watched);
    },
    /**
     * Shows a counter that another part keeps.
     * @param read returns its value, called at each scrape
     */
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
      const [ofProcess] = await Promise.all([processRegistry(), refreshDatabase()]);
      return {
        type: registry.contentType,
        text: `${await registry.metrics()}\n${await ofProcess.metrics()}`,
      };
    },
  };
};

export type Metrics = ReturnType<typeof openMetrics>;
