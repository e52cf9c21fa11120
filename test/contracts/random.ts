import * as fc from 'fast-check';
import { repetition, testSeed } from '../support/seed.ts';

/** So that a counterexample is printed before its test times out. */
const defaultShrinkTimeMs = 10_000;

/** @returns the failure with a smaller counterexample, unless fast-check is set to end with the first one */
const shrunk = async <T>(
  property: fc.IAsyncProperty<T>,
  found: fc.RunDetails<T>,
  parameters: fc.Parameters<T>,
  shrinkTimeMs: number,
): Promise<fc.RunDetails<T>> => {
  if (fc.readConfigureGlobal().endOnFailure === true) return found;
  const path = found.counterexamplePath ?? '';
  const smaller = await fc.check(property, {
    ...parameters,
    ...{ path, endOnFailure: false, interruptAfterTimeLimit: shrinkTimeMs },
  });
  return smaller.failed ? smaller : found;
};

/**
 * Holds a property against random values: the same in each run, unless TEST_SEED sets another seed or is `random`.
 * @param numRuns how many of them, with the examples
 * @param examples values that are tried first, whatever the seed: those that show a known fault
 * @param shrinkTimeMs how long a counterexample is made smaller, in milliseconds
 * @throws when one does not hold: the smallest that was found, and the TEST_SEED that repeats it
 */
export const assertRandomly = async <T>(
  property: fc.IAsyncProperty<T>,
  numRuns: number,
  examples: T[] = [],
  shrinkTimeMs = defaultShrinkTimeMs,
): Promise<void> => {
  const parameters = { numRuns, examples, seed: testSeed() };
  // Without a time limit: on a slow machine it would end with values that were never tried.
  const found = await fc.check(property, { ...parameters, endOnFailure: true });
  if (!found.failed) return;
  const details = await shrunk(property, found, parameters, shrinkTimeMs);
  const report = await fc.asyncDefaultReportMessage(details);
  throw new Error(`${repetition()} ${report}`, { cause: details.errorInstance });
};
