import type { Runner } from './harness.ts';

/** @returns the titles of the tests of suites, which are described and not run */
export const promisesOf = (register: (runner: Runner) => void): readonly string[] => {
  const promises: string[] = [];
  const ignore = () => undefined;
  register({
    describe: (_, body) => body(),
    it: (promise) => promises.push(promise),
    ...{ before: ignore, after: ignore, beforeEach: ignore, afterEach: ignore },
  });
  return promises;
};
