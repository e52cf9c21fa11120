import { performance } from 'node:perf_hooks';

/** How long a unit test may idle, in milliseconds; undefined where that is not checked: on a busy machine everything waits. */
const { TEST_IDLE_MS: given } = process.env;
const mostMs = given === undefined ? undefined : Number(given);

let before = performance.eventLoopUtilization();

/** Begins to measure. */
export const beginIdle = (): void => {
  before = performance.eventLoopUtilization();
};

/** @throws when the event loop has waited longer than TEST_IDLE_MS since the beginning: then the test waits for a clock */
export const requireBusy = (): void => {
  if (mostMs === undefined) return;
  const { idle } = performance.eventLoopUtilization(before);
  if (idle > mostMs)
    throw new Error(`The test has waited for ${Math.round(idle)} ms. A unit test waits for no clock.`);
};
