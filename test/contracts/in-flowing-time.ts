import { FlowingTime } from '../support/flowing-time.ts';
import type { Runner } from './harness.ts';

/** How long a read of the clock takes, in milliseconds. Suites block the event loop until a deadline. */
const readMs = 0.05;

/**
 * Runs each suite in simulated time that flows with the event loop, so that no test waits on the wall clock. For adapters that wait
 * for nothing outside this process.
 */
export const inFlowingTime = (runner: Runner): Runner => ({
  ...runner,
  describe: (title, body) =>
    runner.describe(title, () => {
      let time: FlowingTime | undefined;
      runner.before(async () => {
        time = new FlowingTime(readMs);
      });
      body();
      // Behind the hooks of the suite, which close its adapter.
      runner.after(async () => time?.end());
    }),
});
