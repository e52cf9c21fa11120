import type { Store } from '#adapters/persistence/store.ts';
import { describeDurability } from './durability.ts';
import type { Harness, Open, Runner } from './harness.ts';
import type { Kept } from './other-process/messages.ts';
import { openInProcess } from './other-process/open.ts';
import { describeStoreWait } from './queue-delay.ts';
import { describeQuotas } from './quotas.ts';
import { describeSandboxLedger } from './sandbox-ledger.ts';
import { describeSchema, type SchemaHarness } from './schema.ts';
import { storeSuites } from './suites.ts';
import { withTimeouts } from './timeouts.ts';

/**
 * A store for tests: empty, of its own, and removed when it is closed. What it leaves out is not tested: Portico has a default
 * for each part of a store but the unit of work.
 */
export interface TestStore
  extends Pick<Store, 'unitOfWork' | 'close'>,
    Partial<Pick<Store, 'sandboxLedger' | 'quotas' | 'numberEvents' | 'now' | 'queueDelay' | 'schema'>>,
    Pick<Harness, 'openAnother' | 'raw' | 'countReads' | 'maxAttempts' | 'isSerial'> {
  /** Where other processes open what it has committed. Undefined for a store that ends with its process. */
  readonly isKept?: Kept;
  /** Another way into the migrations that the database records. */
  readonly migrations?: Pick<SchemaHarness, 'record' | 'forget' | 'recorded'>;
}

/** A suite that a store must pass. */
export interface ConformanceSuite {
  /** The sentence of the port that it tests. */
  readonly sentence: string;
  readonly describe: (adapter: string, runner: Runner) => void;
}

/**
 * Finds the suites for everything that a store says that it has.
 * @param open opens a new empty store each time. The first is looked at, and closed again
 * @returns the suites, and the parts that are not tested because the store does not have them
 */
export const suitesFor = async (
  open: () => Promise<TestStore>,
): Promise<{ readonly suites: readonly ConformanceSuite[]; readonly untested: readonly string[] }> => {
  const store = await open();
  const optional = optionalSuites(open);
  const has = (part: Part): boolean => store[part] !== undefined;
  const tested = optional.filter(({ needs }) => needs.every(has));
  const missing = [...helpers, ...optional.flatMap(({ needs }) => needs)].filter((part) => !has(part));
  await store.close();
  const harness: Open = async () => harnessOf(await open());
  const suites = storeSuites.map(({ suite, sentence }) => ({
    sentence,
    describe: (adapter: string, runner: Runner) => suite(adapter, harness, runner),
  }));
  return { suites: [...suites, ...tested], untested: missing };
};

/**
 * Describes every suite for everything that a store says that it has. Await it at the top of a test file.
 * @param open opens a new empty store each time
 * @param runner the functions of these names of mocha or `node:test`; in vitest `before` is `beforeAll`, `after` is `afterAll`
 */
export const allSuites = async (
  adapter: string,
  open: () => Promise<TestStore>,
  runner: Runner,
): Promise<void> => {
  const { suites } = await suitesFor(open);
  for (const { describe } of suites) describe(adapter, withTimeouts(runner));
};

type Part = keyof TestStore;

/** Parts that let other suites test more. */
const helpers = ['openAnother', 'raw', 'countReads'] as const satisfies readonly Part[];

interface OptionalSuite extends ConformanceSuite {
  readonly needs: readonly Part[];
}

const optionalSuites = (open: () => Promise<TestStore>): readonly OptionalSuite[] => [
  {
    needs: ['sandboxLedger'],
    sentence: 'Inserts a verdict durably, unless one exists.',
    describe: (adapter, runner) =>
      describeSandboxLedger(adapter, async () => harnessOf(await open()), runner),
  },
  {
    needs: ['isKept'],
    sentence:
      'It commits durably when `work` resolves, before the returned promise resolves. It rolls back when `work` throws.',
    describe: (adapter, runner) =>
      describeDurability(
        adapter,
        async () => {
          const store = await open();
          return { isKept: required(store, 'isKept'), close: () => store.close() };
        },
        runner,
      ),
  },
  {
    needs: ['quotas'],
    sentence: 'The requests leased in a window, minus those returned, never exceed the limit.',
    describe: (adapter, runner) =>
      describeQuotas(
        adapter,
        async () => {
          const store = await open();
          const now = store.now?.bind(store) ?? (async () => Date.now());
          return { now, quotas: store.quotas?.bind(store), close: () => store.close() };
        },
        runner,
      ),
  },
  {
    needs: ['queueDelay'],
    sentence: 'Estimates how long a new request would wait for its turn or a connection, in milliseconds.',
    describe: (adapter, runner) =>
      describeStoreWait(
        adapter,
        async () => {
          const store = await open();
          const queueDelay = required(store, 'queueDelay').bind(store);
          const quotas = store.quotas?.bind(store);
          return { unitOfWork: store.unitOfWork, queueDelay, quotas, close: () => store.close() };
        },
        undefined,
        runner,
      ),
  },
  {
    needs: ['schema', 'migrations'],
    sentence:
      'Compares the schema with the migrations of this version: those missing, and those this version does not know.',
    describe: (adapter, runner) =>
      describeSchema(
        adapter,
        async () => {
          const store = await open();
          const migrations = required(store, 'migrations');
          const { record, forget, recorded } = migrations;
          const bound = {
            record: record.bind(migrations),
            forget: forget.bind(migrations),
            recorded: recorded.bind(migrations),
          };
          return { schema: required(store, 'schema').bind(store), ...bound, close: () => store.close() };
        },
        runner,
      ),
  },
];

/** Methods are called on the store, which may be an instance of a class. */
const harnessOf = (store: TestStore): Harness => ({
  unitOfWork: store.unitOfWork,
  get sandboxLedger() {
    return required(store, 'sandboxLedger');
  },
  numberEvents: store.numberEvents?.bind(store),
  openAnother: anotherOf(store),
  raw: store.raw,
  countReads: store.countReads?.bind(store),
  maxAttempts: store.maxAttempts,
  isSerial: store.isSerial,
  close: () => store.close(),
});

/** Where the kit can start one, a store that several processes can open is open in another process indeed. */
const anotherOf = ({ isKept, openAnother }: TestStore): Harness['openAnother'] =>
  openAnother && isKept ? () => openInProcess(isKept) : openAnother;

const required = <P extends Part>(store: TestStore, part: P): NonNullable<TestStore[P]> => {
  const value = store[part];
  if (value === undefined || value === null) throw new Error(`This store has no ${part}, unlike the first.`);
  return value;
};
