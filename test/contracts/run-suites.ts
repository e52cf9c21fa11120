import { sleep } from '#adapters/support/time.ts';
import type { Runner } from './harness.ts';
import { hookTimeoutMs, testTimeoutMs } from './timeouts.ts';
import { withWholeValues } from './whole-values.ts';

/** A promise that was tested. */
export interface Outcome {
  readonly suite: string;
  readonly promise: string;
  /** What was thrown, a `SuiteTimeout` when it did not end in time; undefined when the promise is kept. */
  readonly error: unknown;
}

/** A test or hook did not end in time. A slow machine may be the reason, so it proves nothing about the promise. */
export class SuiteTimeout extends Error {}

interface RunOptions {
  /** Which promises are tested; by default all. */
  readonly isWanted?: (suite: string, promise: string) => boolean;
  /** How long a test or hook may take, in milliseconds, unless it says otherwise. By default hooks may take longer than tests. */
  readonly timeoutMs?: number;
  /** Called after each test. */
  readonly onOutcome?: (outcome: Outcome) => Promise<void> | undefined;
}

type Step = () => Promise<unknown> | undefined;
type Body = Parameters<Runner['it']>[1];

interface Test {
  readonly promise: string;
  readonly body: Body;
  readonly timeoutMs: number;
}

interface Suite {
  readonly title: string;
  readonly tests: Test[];
  readonly hooks: Readonly<Record<'before' | 'after' | 'beforeEach' | 'afterEach', Step[]>>;
}

/**
 * Runs suites without a test framework, one test after the other. A test that takes too long has failed, and so has one that
 * leaves a rejected promise without a handler: that would end the process of a server.
 * @param register describes the suites with the runner that it gets. No suite may have another inside.
 */
export const runSuites = async (
  register: (runner: Runner) => void,
  options: RunOptions = {},
): Promise<readonly Outcome[]> => {
  const { isWanted = () => true, onOutcome = () => undefined } = options;
  const { timeoutMs = testTimeoutMs, timeoutMs: ofHooks = hookTimeoutMs } = options;
  const outcomes: Outcome[] = [];
  const unhandled = collectUnhandled();
  for (const { title, tests, hooks } of collect(register, timeoutMs)) {
    const wanted = tests.filter(({ promise }) => isWanted(title, promise));
    if (wanted.length === 0) continue;
    let broken = await errorOf(hooks.before, ofHooks);
    for (const { promise, body, timeoutMs: own } of wanted) {
      const error =
        broken ?? (await errorOf([...hooks.beforeEach, withWholeValues(body), unhandled.check], own));
      if (broken === undefined) broken = await errorOf(hooks.afterEach, ofHooks);
      const outcome = { suite: title, promise, error: error ?? broken };
      outcomes.push(outcome);
      await onOutcome(outcome);
    }
    const unclosed = await errorOf([...hooks.after, unhandled.check], ofHooks);
    if (unclosed === undefined) continue;
    const outcome = { suite: title, promise: 'is closed without an error', error: unclosed };
    outcomes.push(outcome);
    await onOutcome(outcome);
  }
  unhandled.stop();
  return outcomes;
};

/** Collects the errors of rejected promises that have no handler, until it is stopped. */
const collectUnhandled = () => {
  const errors: unknown[] = [];
  const collectError = (error: unknown): void => {
    errors.push(error);
  };
  process.on('unhandledRejection', collectError);
  return {
    /** @throws Error when a promise was rejected without a handler since the last check */
    check: async (): Promise<void> => {
      // Node emits the event after all microtasks, so possibly after the test has ended.
      await new Promise(setImmediate);
      const [error] = errors.splice(0);
      if (error !== undefined)
        throw new Error(`A promise without a handler was rejected: ${error}`, { cause: error });
    },
    stop: () => process.off('unhandledRejection', collectError),
  };
};

const collect = (register: (runner: Runner) => void, defaultMs: number): readonly Suite[] => {
  const suites: Suite[] = [];
  const current = (): Suite => suites.at(-1) ?? open('');
  const open = (title: string): Suite => {
    const suite = { title, tests: [], hooks: { before: [], after: [], beforeEach: [], afterEach: [] } };
    suites.push(suite);
    return suite;
  };
  register({
    describe: (title, body) => {
      open(title);
      body();
    },
    it: (promise, body, timeoutMs = defaultMs) => current().tests.push({ promise, body, timeoutMs }),
    before: (hook) => current().hooks.before.push(hook),
    after: (hook) => current().hooks.after.push(hook),
    beforeEach: (hook) => current().hooks.beforeEach.push(hook),
    afterEach: (hook) => current().hooks.afterEach.push(hook),
  });
  return suites;
};

/** Runs the steps until one fails. @returns its error; undefined when all succeed in time */
const errorOf = async (steps: readonly Step[], timeoutMs: number): Promise<unknown> => {
  const running = (async () => {
    for (const step of steps) await step();
  })().then(
    () => undefined,
    (error: unknown) => error ?? new Error('It was rejected without an error.'),
  );
  const stop = new AbortController();
  const tooLong = sleep(timeoutMs, { signal: stop.signal }).then(
    () => new SuiteTimeout(`It did not end within ${timeoutMs} ms.`),
    () => undefined,
  );
  const error = await Promise.race([running, tooLong]);
  stop.abort();
  return error;
};
