/** The parsed page of `/metrics`. */
export class Metrics {
  readonly #samples: ReadonlyMap<string, number>;
  /** Types by metric name. */
  readonly types: ReadonlyMap<string, string>;

  constructor(text: string) {
    const lines = text.split('\n').filter((line) => line !== '');
    this.types = new Map(
      lines.flatMap((line) => {
        const [, name = '', type = ''] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? [];
        return name === '' ? [] : [[name, type]];
      }),
    );
    this.#samples = new Map(lines.flatMap((line) => (line.startsWith('#') ? [] : [sampleIn(line)])));
  }

  static async of(opsUrl: string): Promise<Metrics> {
    const response = await fetch(`${opsUrl}/metrics`);
    return new Metrics(await response.text());
  }

  /** Returns 0 if the series does not exist. */
  value(name: string, labels: Readonly<Record<string, string>> = {}): number {
    return this.#samples.get(keyOf(name, Object.entries(labels))) ?? 0;
  }

  has(name: string, labels: Readonly<Record<string, string>> = {}): boolean {
    return this.#samples.has(keyOf(name, Object.entries(labels)));
  }

  /** The label sets of a metric, each as `label="value",…`. */
  series(name: string): string[] {
    return [...this.#samples.keys()].flatMap((key) =>
      key.startsWith(`${name}{`) ? [key.slice(name.length + 1, -1)] : key === name ? [''] : [],
    );
  }
}

const sample = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
const label = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"/g;

const sampleIn = (line: string): [string, number] => {
  const [, name = '', labels = '', value] = sample.exec(line) ?? [];
  if (name === '') throw new Error(`Prometheus could not read ${line}`);
  const pairs = [...labels.matchAll(label)].map(([, key = '', text = '']): [string, string] => [key, text]);
  return [keyOf(name, pairs), Number(value)];
};

const keyOf = (name: string, labels: readonly (readonly [string, string])[]): string => {
  const sorted = labels.map(([key, text]) => `${key}="${text}"`).sort();
  return sorted.length === 0 ? name : `${name}{${sorted.join()}}`;
};
