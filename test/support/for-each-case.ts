import { inspect } from 'node:util';

/**
 * Checks the cases of a table, one after the other.
 * @throws with the case that fails, and the failure as its cause; when there is no case
 */
export const forEachCase = async <const T>(
  cases: readonly T[],
  check: (given: T) => unknown,
): Promise<void> => {
  if (cases.length === 0) throw new Error('The table has no case.');
  for (const given of cases) {
    try {
      await check(given);
    } catch (cause) {
      throw new Error(`It fails for ${inspect(given, { breakLength: Number.POSITIVE_INFINITY })}`, { cause });
    }
  }
};
