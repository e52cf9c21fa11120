import { randomInt } from 'node:crypto';
import * as fc from 'fast-check';

/** How long a counterexample is made smaller, in milliseconds, so that it is printed before the test times out. */
const searchTimeMs = 10_000;

/**
 * Holds a property against random values.
 * @param numRuns how many of them
 * @param examples values that come first, each time
 * @throws when one does not hold: the smallest that was found, and the TEST_SEED that repeats it
 */
export const assertRandomly = async <T>(
  property: fc.IAsyncProperty<T>,
  numRuns: number,
  examples: T[] = [],
): Promise<void> => {
  const { TEST_SEED: given = `${randomInt(2 ** 31)}` } = process.env;
  const details = await fc.check(property, {
    ...{ numRuns, examples, seed: Number(given), interruptAfterTimeLimit: searchTimeMs },
  });
  if (!details.failed) return;
  const report = await fc.asyncDefaultReportMessage(details);
  throw new Error(`Repeat this with TEST_SEED=${given}. ${report}`, { cause: details.errorInstance });
};
