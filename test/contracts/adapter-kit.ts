import { type AuthenticatorHarness, describeAuthenticator } from './authenticator.ts';
import { describePaymentProvider, type ProviderHarness } from './payment-provider.ts';
import { describeRateLimiter, type OpenLimiter } from './rate-limiter.ts';
import type { ConformanceSuite } from './store-kit.ts';

/** The suites of an adapter, and the parts of its harness that are missing, so that not everything is tested. */
export interface AdapterSuites {
  readonly suites: readonly ConformanceSuite[];
  readonly untested: readonly string[];
}

/** @param open opens a provider with nothing in its books each time */
export const providerSuites = (open: () => Promise<ProviderHarness>): AdapterSuites => ({
  suites: [
    {
      sentence: 'It makes a charge at most once per payment id, and a reversal at most once per refund id.',
      describe: (adapter, runner) => describePaymentProvider(adapter, open, runner),
    },
  ],
  untested: [],
});

/** @param open opens an authenticator over a store of its own each time. The first is looked at, and closed again */
export const authenticatorSuites = async (
  open: () => Promise<AuthenticatorHarness>,
): Promise<AdapterSuites> => {
  const harness = await open();
  const untested = [...(harness.canLimit ? [] : ['canLimit']), ...(harness.revoke ? [] : ['revoke'])];
  await harness.close();
  return {
    suites: [
      {
        sentence:
          "The caller is a user of this shop. Their role is at most the user's own, and each scope belongs to that role.",
        describe: (adapter, runner) => describeAuthenticator(adapter, open, runner),
      },
    ],
    untested,
  };
};

/** Limiters for tests. */
export interface LimiterHarness extends OpenLimiter {
  /** How many of its limiters count together, as in as many processes; 1 by default. */
  readonly count?: number;
}

/** @param open opens what makes limiters. The first is looked at, and closed again */
export const limiterSuites = async (open: () => Promise<LimiterHarness>): Promise<AdapterSuites> => {
  const harness = await open();
  const { count = 1 } = harness;
  await harness.close();
  return {
    suites: [
      {
        sentence: 'Within a window at most `limit` requests are allowed, over all processes together.',
        describe: (adapter, runner) => describeRateLimiter(adapter, open, count, runner),
      },
    ],
    untested: count > 1 ? [] : ['count'],
  };
};
