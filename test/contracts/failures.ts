import type { Runner } from './harness.ts';
import { runSuites } from './run-suites.ts';

/** How suites ended: the titles of the tests that failed, and how many passed. */
export interface SuiteResult {
  readonly failed: readonly string[];
  readonly passed: number;
}

/** A test that hangs over a wrong adapter has failed. */
const testTimeoutMs = 2_000;

/** Runs suites in a runner of their own, so that a test can expect that they fail. */
export const resultOf = async (register: (runner: Runner) => void): Promise<SuiteResult> => {
  const outcomes = await runSuites(register, { timeoutMs: testTimeoutMs });
  const failed = outcomes.filter(({ error }) => error !== undefined).map(({ promise }) => promise);
  return { failed, passed: outcomes.length - failed.length };
};
