import type { Store } from '#adapters/persistence/store.ts';
import { sleep } from '#adapters/support/time.ts';
import type { IdempotencyRecord } from '#application/ports/idempotency.ts';
import type { Collections } from '#application/ports/repositories.ts';
import type { StoreUnitOfWork } from '#application/ports/unit-of-work.ts';
import type { Id, Resource } from '#domain/resource.ts';
import type { UserId } from '#domain/user.ts';

/** Reads what the database itself has committed, past the adapter, so that no cache can answer for it. */
export interface RawReader {
  find(collection: keyof Collections, id: Id): Promise<Resource | undefined>;
  findRecord(userId: UserId, key: string): Promise<IdempotencyRecord | undefined>;
}

/**
 * Does something with the store, or with another one over the same database.
 * @returns how many rows or documents the database has read for that
 */
export type CountReads = (run: (unitOfWork: StoreUnitOfWork) => Promise<unknown>) => Promise<number>;

/** A store of one's own, empty. */
export interface Harness extends Pick<Store, 'unitOfWork' | 'sandboxLedger' | 'numberEvents' | 'close'> {
  /** Opens the same database once more, as another process does. Undefined where no other process can share the store. */
  readonly openAnother?: (() => Promise<Pick<Store, 'unitOfWork' | 'numberEvents' | 'close'>>) | undefined;
  /** How often the store tries work that loses a conflict, where that is more than four times. */
  readonly maxAttempts?: number | undefined;
  /** Whether units of work run one after the other, so that a second one need not be waited for. */
  readonly isSerial?: boolean | undefined;
  /** Undefined where the store counts none. */
  readonly countReads?: CountReads | undefined;
  /** Undefined where only the adapter can read. */
  readonly raw?: RawReader | undefined;
}

export type Open = () => Promise<Harness>;

type Hook = (body: () => Promise<void> | undefined) => unknown;

/** What a suite needs of the test framework: the functions of these names of mocha, node:test and vitest. */
export interface Runner {
  readonly describe: (title: string, body: () => void) => unknown;
  /** @param timeoutMs longer than the framework's default, in milliseconds, where the framework takes it */
  readonly it: (title: string, body: () => Promise<void> | undefined, timeoutMs?: number) => unknown;
  readonly before: Hook;
  readonly after: Hook;
  readonly beforeEach: Hook;
  readonly afterEach: Hook;
}

export const mocha = (): Runner => ({
  ...{ describe, before, after, beforeEach, afterEach },
  it: (title, body, timeoutMs) => {
    const test = it(title, body);
    if (timeoutMs !== undefined) test.timeout(timeoutMs);
  },
});

/** The sentences that each adapter of one port keeps. */
export type Suite = (adapter: string, open: Open, runner?: Runner) => void;

/** A store for the tests of the surrounding `describe`, opened before the first and closed behind the last. */
export const storeFor = (open: Open, { before, after }: Runner = mocha()): Omit<Harness, 'close'> => {
  let harness: Harness | undefined;
  before(async () => {
    harness = await open();
  });
  after(async () => {
    await harness?.close();
  });
  const opened = (): Harness => {
    if (harness === undefined) throw new Error('The store is open while the tests run.');
    return harness;
  };
  return {
    get unitOfWork() {
      return opened().unitOfWork;
    },
    get sandboxLedger() {
      return opened().sandboxLedger;
    },
    get numberEvents() {
      return opened().numberEvents;
    },
    get openAnother() {
      return opened().openAnother;
    },
    get maxAttempts() {
      return opened().maxAttempts;
    },
    get isSerial() {
      return opened().isSerial;
    },
    get countReads() {
      return opened().countReads;
    },
    get raw() {
      return opened().raw;
    },
  };
};

/**
 * The store of these tests as another process has opened it, or the same one where no other process can share it.
 * @returns it, once the tests run
 */
export const anotherFor = (
  store: Pick<Harness, 'openAnother' | 'unitOfWork' | 'numberEvents'>,
  { before, after }: Runner = mocha(),
): (() => Pick<Harness, 'unitOfWork' | 'numberEvents'>) => {
  let another: Awaited<ReturnType<NonNullable<Harness['openAnother']>>> | undefined;
  before(async () => {
    another = await store.openAnother?.();
  });
  after(() => another?.close());
  return () => another ?? store;
};

/** What the promise was rejected with; fails when it was not. */
export const rejectionOf = (promise: Promise<unknown>): Promise<unknown> => {
  const rejection = promise.then(
    () => {
      throw new Error('It was expected to be refused.');
    },
    (error: unknown) => error,
  );
  // A test may await it late or fail before: the process must not end because the rejection has no handler yet.
  rejection.catch(() => undefined);
  return rejection;
};

/** Several of them at once, one made by each call. */
export const atOnce = <T>(count: number, make: (index: number) => Promise<T>): Promise<T>[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** Long enough for a store to begin a unit of work, or to serve a read, on a slow machine, in milliseconds. */
const longestMomentMs = 2_000;

/**
 * Waits for what a concurrent unit of work or read reaches, but only for a moment: a store that executes one after the other
 * has not begun it yet.
 * @param isSerial whether the store is known to be such a one
 */
export const briefly = async (reached: Promise<unknown>, isSerial = false): Promise<void> => {
  const settled = reached.then(
    () => undefined,
    () => undefined,
  );
  if (isSerial) return void (await Promise.race([settled, new Promise(setImmediate)]));
  const stop = new AbortController();
  await Promise.race([settled, sleep(longestMomentMs, { signal: stop.signal }).catch(() => undefined)]);
  stop.abort();
};

/** What a test has added before, as it is found now. */
export const existing = <T>(found: T | undefined): T => {
  if (found === undefined) throw new Error('It was added before.');
  return found;
};
