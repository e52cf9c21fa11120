import { within } from '#adapters/support/timeout.ts';
import { alone, type Register } from './series.ts';

/** What is begun and not settled, of one kind. */
interface Unfinished {
  readonly process: string;
  readonly count: number;
  /** Of the oldest, in seconds. */
  readonly age: number;
}

/** How many connections there are, and who waits for one. */
interface Connections {
  readonly open: number;
  readonly idle: number;
  readonly waiting: number;
}

export interface Watched {
  /** Undefined where there is no pool. */
  readonly connections: (() => Connections) | undefined;
  /** Asks the store, and nothing that grows with it. */
  readonly unfinished: () => Promise<readonly Unfinished[]>;
}

/** How long a scrape waits for the database, in milliseconds: when it is away, that is what has to be seen. */
const patience = 250;

/**
 * Says how the store is. Where it does not answer at once, what it would have said is left out.
 * @returns asks it; to be awaited before the metrics are read
 */
export const watchStore =
  (register: Register) =>
  ({ connections, unfinished }: Watched): (() => Promise<void>) => {
    if (connections !== undefined) watchPool(register, connections);
    let found: readonly Unfinished[] | undefined;
    const ofEach = (value: (one: Unfinished) => number) => () =>
      (found ?? []).map((one) => ({ labels: { process: one.process }, value: value(one) }));
    register({
      name: 'portico_unfinished_processes',
      help: 'Payments and refunds that were begun and are not settled. 1000 means at least so many.',
      type: 'gauge',
      read: ofEach(({ count }) => count),
    });
    register({
      name: 'portico_unfinished_process_oldest_age_seconds',
      help: 'How long ago the oldest of them was begun.',
      type: 'gauge',
      read: ofEach(({ age }) => age),
    });
    register({
      name: 'portico_database_up',
      help: '1 when the database answered this scrape, 0 when it did not within 250 ms.',
      type: 'gauge',
      read: () => alone(found === undefined ? 0 : 1),
    });

    let asked: Promise<readonly Unfinished[]> | undefined;
    /** Whoever is slow to answer is not asked once more meanwhile. */
    const ask = (): Promise<readonly Unfinished[]> => {
      asked ??= unfinished().finally(() => {
        asked = undefined;
      });
      return asked;
    };

    return async () => {
      found = await within(
        patience,
        // A database that cannot be asked is what `up` tells.
        ask().catch(() => undefined),
        undefined,
      );
    };
  };

const watchPool = (register: Register, connections: () => Connections): void =>
  register({
    name: 'portico_database_connections',
    help: 'Connections of this process to the database, by state, and units of work that wait for one.',
    type: 'gauge',
    read: () => {
      const { open, idle, waiting } = connections();
      const byState = { busy: open - idle, idle, waiting };
      return Object.entries(byState).map(([state, value]) => ({ labels: { state }, value }));
    },
  });
