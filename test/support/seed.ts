import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { Random } from './random.ts';

/** So that a test passes or fails by the code alone. */
const fixedSeed = 52;

let drawnSeed: number | undefined;

/**
 * The seed of everything that tests draw: the same in each run, unless TEST_SEED sets another. TEST_SEED=random draws one for this
 * process.
 * @throws when TEST_SEED is something else
 */
export const testSeed = (): number => {
  const { TEST_SEED: given = `${fixedSeed}` } = process.env;
  if (given === 'random') {
    drawnSeed ??= randomInt(2 ** 31);
    return drawnSeed;
  }
  const seed = Number(given);
  if (given.trim() === '' || !Number.isInteger(seed))
    throw new Error(`TEST_SEED must be an integer or "random". It is "${given}".`);
  return seed;
};

/** What repeats a test that has failed: the seed as it is set. */
export const repetition = (): string => `Repeat this with TEST_SEED=${testSeed()}.`;

/**
 * Makes fast-check draw from the seed, in all tests of this process.
 * @param options `endOnFailure` when no counterexample is read, and so none must be made smaller
 */
export const seedFastCheck = (options: { readonly endOnFailure?: boolean } = {}): void =>
  fc.configureGlobal({ seed: testSeed(), ...options });

/** Makes `Math.random` begin with the seed: what a test draws does not depend on the tests before it. */
export const seedMathRandom = (): void => {
  const random = new Random(testSeed());
  Math.random = () => random.next();
};
