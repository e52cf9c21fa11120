import { leasedWindowLimiter } from '#adapters/rate-limit/leased-window.ts';
import type { QuotaStore } from '#adapters/support/quota-store.ts';
import { sleep } from '#adapters/support/time.ts';
import { UnavailableError } from '#application/errors.ts';
import type { ApiKeyId } from '#domain/api-key.ts';
import { newId } from '../../support/machine.ts';
import { ofEachTest } from '../../support/of-each-test.ts';
import { SimulatedTime } from '../../support/simulated-time.ts';

type Options = Parameters<typeof leasedWindowLimiter>[0];

export const minute = 60_000;
/** Counts in this process while the store is unavailable. */
export const alone = { withoutStore: 'count locally' } as const;
export const key = () => newId<ApiKeyId>();

/** A store in memory that a test delays or lets fail. Its windows do not end. */
export class Store implements QuotaStore {
  readonly #limit: number;
  readonly used = new Map<string, number>();
  resetAt: number;
  statements = 0;
  reads = 0;
  keys = 0;
  purges = 0;
  /** What each statement awaits. */
  obstacle: () => Promise<void> = async () => undefined;

  constructor(limit: number, resetAt: number) {
    this.#limit = limit;
    this.resetAt = resetAt;
  }

  async lease(needs: readonly { readonly key: string; readonly count: number }[]) {
    await this.#open(needs.length);
    return needs.map(({ key, count }) => {
      const used = this.used.get(key) ?? 0;
      const granted = Math.min(count, this.#limit - used);
      this.used.set(key, used + granted);
      return { key, granted, resetAt: this.resetAt, unleased: this.#limit - used - granted };
    });
  }

  async read(keys: readonly string[]) {
    this.reads += 1;
    return keys.map((key) => ({
      key,
      resetAt: this.resetAt,
      unleased: this.#limit - (this.used.get(key) ?? 0),
    }));
  }

  async returnBlocks(blocks: readonly { readonly key: string; readonly count: number }[]) {
    await this.#open(blocks.length);
    return blocks.map(({ key, count }) => {
      const used = (this.used.get(key) ?? 0) - count;
      this.used.set(key, used);
      return { key, resetAt: this.resetAt, unleased: this.#limit - used };
    });
  }

  async purge(): Promise<number> {
    this.purges += 1;
    return 0;
  }

  async #open(keys: number): Promise<void> {
    this.statements += 1;
    this.keys += keys;
    await this.obstacle();
  }
}

export const unavailable = async (): Promise<void> => {
  throw new UnavailableError('database-unavailable');
};

/** Whether a request waits for the store. */
export const isPending = async (consumed: Promise<unknown>): Promise<boolean> =>
  (await Promise.race([consumed, 'pending'])) === 'pending';

/** Limiters of the running test, in simulated time. They are closed behind it. */
export const limitersOfEachTest = () => {
  const opened: { close(): Promise<void> }[] = [];
  // Before the time ends.
  afterEach(async () => {
    await time.settle(Promise.all(opened.splice(0).map((limiter) => limiter.close())));
  });
  const time = ofEachTest(() => new SimulatedTime());

  const now = () => 1_700_000_000_000 + time.now;

  const open = (limit: number, store = new Store(limit, now() + minute), more: Partial<Options> = {}) => {
    const settings = { quotas: () => store, limit, windowMilliseconds: minute, now };
    const limiter = leasedWindowLimiter({ ...settings, ...more });
    opened.push(limiter);
    return { limiter, store };
  };

  /** Lets so many milliseconds of the simulated time pass, in what a limiter awaits. */
  const pause = (milliseconds: number): Promise<void> => sleep(milliseconds);

  return { time, now, open, pause };
};
