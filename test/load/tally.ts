import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';

/** What came of many requests, and how long each took. */
export class Tally {
  /** By status, in microseconds. */
  readonly #times = new Map<number, RecordableHistogram>();
  readonly #failures = new Map<string, number>();

  /** @param milliseconds from when it should have been sent to the end of its answer */
  answered(status: number, milliseconds: number): void {
    let times = this.#times.get(status);
    if (times === undefined) {
      times = createHistogram();
      this.#times.set(status, times);
    }
    times.record(Math.max(1, Math.round(milliseconds * 1000)));
  }

  failed({ message, code }: NodeJS.ErrnoException): void {
    const name = code ?? message;
    this.#failures.set(name, (this.#failures.get(name) ?? 0) + 1);
  }

  /** How many answers had such a status; all of them, when none is named. */
  count(isMeant: (status: number) => boolean = () => true): number {
    let count = 0;
    for (const [status, times] of this.#times) if (isMeant(status)) count += times.count;
    return count;
  }

  get failures(): number {
    return [...this.#failures.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Of the answers with such a status, in milliseconds; 0 when there are none. @param share 99 for the 99th of a hundred */
  percentile(share: number, isMeant: (status: number) => boolean = () => true): number {
    const meant = createHistogram();
    for (const [status, times] of this.#times) if (isMeant(status)) meant.add(times);
    return meant.count === 0 ? 0 : meant.percentile(share) / 1000;
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
