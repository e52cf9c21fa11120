import { type AuthenticatorHarness, describeAuthenticator } from './authenticator.ts';
import type { Runner } from './harness.ts';
import { missingParts, partsOf } from './lifecycle/parts.ts';
import { describeChargeLifecycle } from './lifecycle/suite.ts';
import { describePaymentProvider, type ProviderHarness } from './payment-provider.ts';
import { describeRateLimiter, type OpenLimiter } from './rate-limiter.ts';
import type { ConformanceSuite } from './store-kit.ts';
import { withTimeouts } from './timeouts.ts';

/** The suites of an adapter, and the parts of its harness that are missing, so that not everything is tested. */
export interface AdapterSuites {
  readonly suites: readonly ConformanceSuite[];
  readonly untested: readonly string[];
}

/** @param open opens a provider with nothing in its books each time. The first is looked at, and closed again */
export const providerSuites = async (open: () => Promise<ProviderHarness>): Promise<AdapterSuites> => {
  const harness = await open();
  const [parts, untested] = [partsOf(harness), missingParts(harness)];
  await harness.close();
  const charges: ConformanceSuite = {
    sentence: 'It makes a charge at most once per payment id, and a refund at most once per refund id.',
    describe: (adapter, runner) => describePaymentProvider(adapter, open, runner),
  };
  const lifecycle: ConformanceSuite = {
    sentence: 'What a provider offers that can be asked what became of its charges.',
    describe: (adapter, runner) => describeChargeLifecycle(adapter, open, runner, parts),
  };
  return { suites: harness.provider.lifecycle === undefined ? [charges] : [charges, lifecycle], untested };
};

/**
 * Describes every suite for everything that a provider offers. Await it at the top of a test file.
 * @param open opens a provider with nothing in its books each time
 * @param runner the functions of these names of mocha or `node:test`; in vitest `before` is `beforeAll`, `after` is `afterAll`
 * @returns what is not tested, because the provider does not offer it or its harness cannot let it happen
 */
export const allProviderSuites = async (
  adapter: string,
  open: () => Promise<ProviderHarness>,
  runner: Runner,
): Promise<readonly string[]> => {
  const { suites, untested } = await providerSuites(open);
  for (const { describe } of suites) describe(adapter, withTimeouts(runner));
  return untested;
};

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
