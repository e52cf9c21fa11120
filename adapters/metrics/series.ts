type Labels = Readonly<Record<string, string>>;

/** What a metric is called, in the words of Prometheus. */
interface Described {
  readonly name: string;
  readonly help: string;
}

interface Value {
  /** Where it is not the metric's own. */
  readonly metricName?: string;
  readonly labels: Labels;
  readonly value: number;
}

/** What is counted or measured here. It is read when somebody asks, and until then it is numbers and nothing else. */
export interface Metric extends Described {
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** As it is now; it must answer at once. */
  readonly read: () => readonly Value[];
}

/** Takes note of what can be told. */
export type Register = (metric: Metric) => void;

/** What has but one series. */
export const alone = (value: number): readonly Value[] => [{ labels: {}, value }];

/** One series of a counter. Counting is an addition, nothing else. */
export interface Cell {
  count: number;
}

/** A counter whose series are made once each, by whoever keeps them. */
export const cellCounter = (register: Register, described: Described) => {
  const cells: { readonly labels: Labels; readonly cell: Cell }[] = [];
  const read = () => cells.map(({ labels, cell: { count } }) => ({ labels, value: count }));
  register({ ...described, type: 'counter', read });
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
  readonly #labels: Labels;
  readonly #counts = new Float64Array(bounds.length + 1);
  #sum = 0;

  constructor(labels: Labels) {
    this.#labels = labels;
  }

  note(seconds: number): void {
    let place = 0;
    while (seconds > (bounds[place] ?? Number.POSITIVE_INFINITY)) place += 1;
    this.#counts[place] = (this.#counts[place] ?? 0) + 1;
    this.#sum += seconds;
  }

  /** As Prometheus counts: each bucket holds those before it. */
  values(name: string): readonly Value[] {
    let count = 0;
    const buckets = [...this.#counts].map((here, place) => {
      count += here;
      const labels = { ...this.#labels, le: `${bounds[place] ?? '+Inf'}` };
      return { metricName: `${name}_bucket`, labels, value: count };
    });
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels: this.#labels, value: this.#sum },
      { metricName: `${name}_count`, labels: this.#labels, value: count },
    ];
  }
}

/** A histogram whose series are made once each: to look for their place at each observation would take longest of all. */
export const durationHistogram = (register: Register, described: Described) => {
  const series: Durations[] = [];
  const read = () => series.flatMap((one) => one.values(described.name));
  register({ ...described, type: 'histogram', read });
  return (labels: Labels): Durations => {
    const one = new Durations(labels);
    series.push(one);
    return one;
  };
};
