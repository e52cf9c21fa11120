import type { Finding } from './trial.ts';

/**
 * Runs a trial until all expectations hold, at most so many times. It is run again only where all that broke looks at the clock: a
 * busy machine breaks such an expectation now and then, a slow server each time. Anything else that breaks once is a defect.
 */
export const holdsWithin = async (
  tries: number,
  run: () => Promise<readonly Finding[]>,
): Promise<boolean> => {
  for (let number = 1; number <= tries; number += 1) {
    const findings = await run();
    // A trial without findings has proved nothing.
    if (findings.length === 0) return false;
    const broken = findings.filter(({ held }) => !held);
    if (broken.length === 0) return true;
    if (!broken.every(({ isTimed }) => isTimed === true)) return false;
  }
  return false;
};
