// The entry `portico/conformance`: the contract suites of the ports, for adapters that live outside this repository.
export {
  type AdapterSuites,
  allProviderSuites,
  authenticatorSuites,
  type LimiterHarness,
  limiterSuites,
  providerSuites,
} from './adapter-kit.ts';
export { type AuthenticatorHarness, describeAuthenticator } from './authenticator.ts';
export type { RawReader, Runner } from './harness.ts';
export type { Part as ProviderPart } from './lifecycle/parts.ts';
export type { Happening, ProviderWorld } from './lifecycle/provider-world.ts';
export { describeChargeLifecycle } from './lifecycle/suite.ts';
export type { Kept } from './other-process/messages.ts';
export { describePaymentProvider, type ProviderHarness } from './payment-provider.ts';
export { describeRateLimiter, type LimitOptions, type OpenLimiter } from './rate-limiter.ts';
export { type Outcome, runSuites, SuiteTimeout } from './run-suites.ts';
export { allSuites, type ConformanceSuite, suitesFor, type TestStore } from './store-kit.ts';
