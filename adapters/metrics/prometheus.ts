import { setTimeout } from 'node:timers/promises';
import { collectDefaultMetrics, Gauge, type MetricType, Registry } from 'prom-client';
import type { Metric } from './series.ts';

/** Numbers as Prometheus reads them. */
export interface Page {
  readonly type: string;
  readonly text: string;
}

/** How often the event loop is asked whether it is late, in milliseconds. */
const precision = 20;

/** Memory, processor, event loop and garbage of this process: once for all, and from when this is first loaded. */
const ofProcess = new Registry();
collectDefaultMetrics({ register: ofProcess, eventLoopMonitoringPrecision: precision });
// Before it has been asked, there is nothing to tell, and that would be told as a lateness of 292 years.
await setTimeout(3 * precision);

/** A metric whose numbers are kept elsewhere. The package asks each of its kinds in the same way, and writes what it is told. */
class Read extends Gauge {
  readonly #metric: Metric;

  constructor(registry: Registry, metric: Metric) {
    super({ name: metric.name, help: metric.help, registers: [registry] });
    this.#metric = metric;
  }

  override async get() {
    const { name, help, type, read } = this.#metric;
    return { name, help, type: numbered(type), aggregator, values: [...read()], collect };
  }
}

/** What it wants to know besides, and does not ask for here. */
const aggregator = 'sum' as const;
const collect = (): void => undefined;

/** At run time the package has words where its types claim numbers. */
const numbered = (type: Metric['type']): MetricType => type as unknown as MetricType;

export const pageOf = async (metrics: readonly Metric[]): Promise<Page> => {
  const registry = new Registry();
  for (const metric of metrics) new Read(registry, metric);
  return { type: registry.contentType, text: `${await registry.metrics()}\n${await ofProcess.metrics()}` };
};
