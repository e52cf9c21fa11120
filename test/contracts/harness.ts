import type { Store } from '#adapters/persistence/store.ts';

/** A store of one's own, empty. */
type Harness = Pick<Store, 'unitOfWork' | 'sandboxLedger' | 'close'>;

export type Open = () => Promise<Harness>;

/** A store for the tests of the surrounding `describe`, opened before the first and closed behind the last. */
export const storeFor = (open: Open): Omit<Harness, 'close'> => {
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
  };
};

/** What the promise was rejected with; fails when it was not. */
export const rejectionOf = async (promise: Promise<unknown>): Promise<unknown> => {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('It was expected to be refused.');
};

/** Several of them at once, one made by each call. */
export const atOnce = <T>(count: number, make: (index: number) => Promise<T>): Promise<T>[] =>
  Array.from({ length: count }, (_, index) => make(index));
