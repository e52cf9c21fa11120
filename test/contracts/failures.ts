import { expect } from 'chai';
import * as fc from 'fast-check';
import type { Runner } from './harness.ts';
import { promisesOf } from './promises.ts';
import { runSuites, SuiteTimeout } from './run-suites.ts';

type Register = (runner: Runner) => void;

/** How suites ended: the titles of their tests. */
interface SuiteResult {
  readonly failed: readonly string[];
  /** A timeout is neither a failure nor a success: the machine may have been slow. */
  readonly timedOut: readonly string[];
  readonly passed: readonly string[];
}

/** Runs suites in a runner of their own, so that a test can expect that they fail. */
export const resultOf = async (
  register: Register,
  isWanted: (promise: string) => boolean = () => true,
): Promise<SuiteResult> => {
  const settings = fc.readConfigureGlobal();
  // The smallest counterexample is for a reader, and these have none.
  fc.configureGlobal({ ...settings, endOnFailure: true });
  try {
    const outcomes = await runSuites(register, { isWanted: (_, promise) => isWanted(promise) });
    const verdicts = Map.groupBy(outcomes, ({ error }) => {
      if (error === undefined) return 'passed';
      return error instanceof SuiteTimeout ? 'timedOut' : 'failed';
    });
    const titles = (verdict: keyof SuiteResult) => verdicts.get(verdict)?.map(({ promise }) => promise) ?? [];
    return { failed: titles('failed'), timedOut: titles('timedOut'), passed: titles('passed') };
  } finally {
    fc.configureGlobal(settings);
  }
};

/**
 * Expects that a suite rejects a wrong adapter by these promises, and not everything: another promise is kept, where it has any.
 * @param register describes the suite over the wrong adapter
 * @param promises the titles of the tests that must fail, by what they assert
 */
export const expectRejection = async (register: Register, promises: readonly string[]): Promise<void> => {
  const { failed, timedOut, passed } = await resultOf(register, (promise) => promises.includes(promise));
  expect({ failed, timedOut, passed }).to.deep.equal({
    failed: promisesOf(register).filter((promise) => promises.includes(promise)),
    ...{ timedOut: [], passed: [] },
  });
  expect(failed).to.have.members(promises);
  const others = promisesOf(register).filter((promise) => !promises.includes(promise));
  const isKept = async (control: string): Promise<boolean> =>
    (await resultOf(register, (promise) => promise === control)).passed.length === 1;
  if (others.length > 0) expect(await some(others, isKept), 'any other promise is kept').to.equal(true);
};

/** Whether a condition holds for some of them, tried one after the other until it does. */
const some = async <T>(all: readonly T[], holds: (each: T) => Promise<boolean>): Promise<boolean> => {
  for (const each of all) if (await holds(each)) return true;
  return false;
};
