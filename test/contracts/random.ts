import * as fc from 'fast-check';
import { repetition, testSeed } from '../support/seed.ts';

/** How long a counterexample is made smaller, in milliseconds, so that it is printed before the test times out. */
const shrinkTimeMs = 10_000;

/**
 * Holds a property against random values: the same in each run, unless TEST_SEED sets another seed or is `random`.
 * @param numRuns how many of them, with the examples
 * @param examples values that are tried first, whatever the seed: those that show a known fault
 * @throws when one does not hold: the smallest that was found, and the TEST_SEED that repeats it
 */
export const assertRandomly = async <T>(
  property: fc.IAsyncProperty<T>,
  numRuns: number,
  examples: T[] = [],
): Promise<void> => {
  const details = await fc.check(property, {
    ...{ numRuns, examples, seed: testSeed(), interruptAfterTimeLimit: shrinkTimeMs },
  });
  if (!details.failed) return;
  const report = await fc.asyncDefaultReportMessage(details);
  throw new Error(`${repetition()} ${report}`, { cause: details.errorInstance });
};
