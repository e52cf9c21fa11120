import { fixedWindowLimiter } from '#adapters/rate-limit/fixed-window.ts';
import { expectRejection } from './failures.ts';
import { describeRateLimiter } from './rate-limiter.ts';
import { simulatedClock } from './simulated-clock.ts';
import { wrongLimiters } from './wrong/limiters.ts';

describeRateLimiter(
  'Memory',
  async () => {
    const { now, pass } = simulatedClock();
    const limiter = fixedWindowLimiter;
    return {
      limiter: (limiting, lag = 0) => limiter({ ...limiting, now: () => now() - lag }),
      ...{ pass, close: async () => undefined },
    };
  },
  1,
);

describe('The contract suite of rate limiters rejects those that', () => {
  for (const [fault, open, count, ...promises] of wrongLimiters) {
    it(fault, () => expectRejection((runner) => describeRateLimiter('wrong', open, count, runner), promises));
  }
});
