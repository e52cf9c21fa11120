import { Counter, Histogram, type MetricType, type Registry } from 'prom-client';

type Labels = Readonly<Record<string, string>>;

interface Described {
  readonly name: string;
  readonly help: string;
}

/** One series of a counter. Counting is an addition, nothing else: the registry reads it when it is asked. */
export interface Cell {
  count: number;
}

/** A counter whose series are made once each, by whoever keeps them. */
export const cellCounter = (registry: Registry, { name, help }: Described, labelNames: readonly string[]) => {
  const cells: { readonly labels: Labels; readonly cell: Cell }[] = [];
  new Counter({
    name,
    help,
    labelNames,
    registers: [registry],
    collect() {
      this.reset();
      for (const { labels, cell } of cells) this.inc(labels, cell.count);
    },
  });
  return (labels: Labels): Cell => {
    const cell = { count: 0 };
    cells.push({ labels, cell });
    return cell;
  };
};

/** Seconds: from what a look into memory takes to what nobody waits for. */
const bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

/** One series of a histogram of durations. */
export class Durations {
  readonly labels: Labels;
  readonly #counts = new Float64Array(bounds.length + 1);
  #sum = 0;

  constructor(labels: Labels) {
    this.labels = labels;
  }

  note(seconds: number): void {
    let place = 0;
    while (seconds > (bounds[place] ?? Number.POSITIVE_INFINITY)) place += 1;
    this.#counts[place] = (this.#counts[place] ?? 0) + 1;
    this.#sum += seconds;
  }

  /** As Prometheus counts: each bucket holds those before it. */
  values(name: string) {
    let count = 0;
    const buckets = [...this.#counts].map((here, place) => {
      count += here;
      return {
        metricName: `${name}_bucket`,
        labels: { ...this.labels, le: bounds[place] ?? '+Inf' },
        value: count,
      };
    });
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels: this.labels, value: this.#sum },
      { metricName: `${name}_count`, labels: this.labels, value: count },
    ];
  }
}

/** A histogram whose series are kept outside: to look for their place at each observation would take longest of all. */
class DurationHistogram extends Histogram {
  readonly #described: Described;
  readonly #series: readonly Durations[];

  constructor(registry: Registry, described: Described, series: readonly Durations[]) {
    super({ ...described, registers: [registry] });
    this.#described = described;
    this.#series = series;
  }

  override async get() {
    const { name, help } = this.#described;
    const values = this.#series.flatMap((one) => one.values(name));
    return { name, help, type, aggregator: 'sum', values, collect: () => undefined } as const;
  }

  /** What the registry asks for instead, where there is one. */
  getForPromString() {
    return this.get();
  }
}

/** At run time the package has words where its types claim numbers. */
const type = 'histogram' as unknown as MetricType.Histogram;

export const durationHistogram = (registry: Registry, described: Described) => {
  const series: Durations[] = [];
  new DurationHistogram(registry, described, series);
  return (labels: Labels): Durations => {
    const one = new Durations(labels);
    series.push(one);
    return one;
  };
};
