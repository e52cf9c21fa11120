import { setTimeout as pause } from 'node:timers/promises';
import type { Runner } from './harness.ts';

/** How a suite ended: the titles of its tests that failed, and how many passed. */
export interface SuiteResult {
  readonly failed: readonly string[];
  readonly passed: number;
}

type Step = () => Promise<unknown> | undefined;

/** A test that hangs over a wrong adapter has failed. */
const testTimeoutMs = 2_000;

/** Runs one suite in a runner of its own, so that a test can expect that it fails. The suite has no `describe` in another. */
export const resultOf = async (suite: (runner: Runner) => void): Promise<SuiteResult> => {
  const tests: { readonly title: string; readonly body: Step }[] = [];
  const hooks = {
    before: [] as Step[],
    after: [] as Step[],
    beforeEach: [] as Step[],
    afterEach: [] as Step[],
  };
  suite({
    describe: (_, body) => body(),
    it: (title, body) => tests.push({ title, body }),
    before: (hook) => hooks.before.push(hook),
    after: (hook) => hooks.after.push(hook),
    beforeEach: (hook) => hooks.beforeEach.push(hook),
    afterEach: (hook) => hooks.afterEach.push(hook),
  });
  const failed: string[] = [];
  await runAll(hooks.before);
  for (const { title, body } of tests) {
    const isKept = await passes([...hooks.beforeEach, body]);
    // What a failed test has opened or replaced is given back too, or later tests of the process would run with it.
    const isClosed = await passes(hooks.afterEach);
    if (!isKept || !isClosed) failed.push(title);
  }
  await runAll(hooks.after);
  return { failed, passed: tests.length - failed.length };
};

const runAll = async (steps: readonly Step[]): Promise<true> => {
  for (const step of steps) await step();
  return true;
};

const passes = (steps: readonly Step[]): Promise<boolean> =>
  Promise.race([runAll(steps).catch(() => false), pause(testTimeoutMs, false, { ref: false })]);
