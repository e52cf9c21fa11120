import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';

/** Counts the outcomes of requests, and their latencies. */
export class Tally {
  /** By status, in microseconds. */
  readonly #times = new Map<number, RecordableHistogram>();
  readonly #failures = new Map<string, number>();

  /** @param milliseconds from when the request was due to the end of its response */
  recordResponse(status: number, milliseconds: number): void {
    let times = this.#times.get(status);
    if (times === undefined) {
      times = createHistogram();
      this.#times.set(status, times);
    }
    times.record(Math.max(1, Math.round(milliseconds * 1000)));
  }

  recordFailure({ message, code }: NodeJS.ErrnoException): void {
    const name = code ?? message;
    this.#failures.set(name, (this.#failures.get(name) ?? 0) + 1);
  }

  /** The number of responses with such a status, or of all responses. */
  count(isCounted: (status: number) => boolean = () => true): number {
    let count = 0;
    for (const [status, times] of this.#times) if (isCounted(status)) count += times.count;
    return count;
  }

  get failures(): number {
    return [...this.#failures.values()].reduce((sum, count) => sum + count, 0);
  }

  /** A percentile of the latency of such responses, in milliseconds; 0 when there are none. @param share such as 99 */
  percentile(share: number, isCounted: (status: number) => boolean = () => true): number {
    const counted = createHistogram();
    for (const [status, times] of this.#times) if (isCounted(status)) counted.add(times);
    return counted.count === 0 ? 0 : counted.percentile(share) / 1000;
  }

  /** `201: 4021, 503: 12, ECONNRESET: 1` */
  toString(): string {
    const statuses = [...this.#times].sort(([one], [other]) => one - other);
    return [...statuses.map(([status, { count }]) => [status, count] as const), ...this.#failures]
      .map(([name, count]) => `${name}: ${count}`)
      .join(', ');
  }
}

export const isSuccess = (status: number): boolean => status >= 200 && status < 300;
