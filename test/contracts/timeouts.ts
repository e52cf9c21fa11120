import type { Runner } from './harness.ts';
import { withWholeValues } from './whole-values.ts';

/** Long enough for the slowest test over a slow database, in milliseconds. */
export const testTimeoutMs = 20_000;

/** As long as a factory of a module may take, in milliseconds: hooks open stores, and migrate them. */
export const hookTimeoutMs = 60_000;

/** What mocha calls a hook on. */
interface Context {
  timeout?(milliseconds: number): unknown;
}

type Body = () => Promise<void> | undefined;

/**
 * Gives tests and hooks the time that a database needs: mocha stops both after 2 s, vitest tests after 5 s and hooks after 10 s.
 * Vitest takes a timeout as an argument, and mocha by a method of the test, or of `this` in a hook. With node:test any time is
 * allowed.
 */
export const withTimeouts = (runner: Runner): Runner => {
  const hook = (register: (body: Body, timeoutMs: number) => unknown) => (body: Body) =>
    register(function (this: Context | undefined) {
      if (hasTimeout(this)) this.timeout(hookTimeoutMs);
      return body();
    }, hookTimeoutMs);
  return {
    describe: runner.describe,
    it: (title, body, timeoutMs = testTimeoutMs) => {
      const test = runner.it(title, withWholeValues(body), timeoutMs);
      if (hasTimeout(test)) test.timeout(timeoutMs);
    },
    before: hook(runner.before),
    after: hook(runner.after),
    beforeEach: hook(runner.beforeEach),
    afterEach: hook(runner.afterEach),
  };
};

const hasTimeout = (value: unknown): value is Required<Context> =>
  typeof (value as Context | undefined)?.timeout === 'function';
