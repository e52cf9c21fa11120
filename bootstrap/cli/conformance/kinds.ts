import type { RateLimiter } from '#application/ports/rate-limiter.ts';
import { type Exports, openAdapter } from '../../composition/modules/load-adapter.ts';
import type { Closable } from '../../composition/tokens.ts';
import type { AdapterModule, ModuleSetting } from '../../config/adapter-module.ts';
import { alternatives } from '../../config/store-kinds.ts';
import { UsageError } from '../framework/exit-codes.ts';
import { storeSuites } from './store.ts';

type Kit = typeof import('portico/conformance');
type AdapterSuites = import('portico/conformance').AdapterSuites;
type AuthenticatorHarness = import('portico/conformance').AuthenticatorHarness;
type LimiterHarness = import('portico/conformance').LimiterHarness;
type ProviderHarness = import('portico/conformance').ProviderHarness;

/** A kind of adapter that the command can test. */
interface AdapterKind {
  /** As in `--kind`, and in messages. */
  readonly name: string;
  readonly setting: ModuleSetting;
  /** The function that opens the adapter for tests, and the one that opens it for the server. */
  readonly factories: readonly [test: string, own: string];
  suites(module: AdapterModule, exported: Exports, kit: Kit): Promise<AdapterSuites>;
}

const store: AdapterKind = {
  name: 'store',
  setting: 'PERSISTENCE_ADAPTER',
  factories: ['openEmptyStore', 'openStore'],
  suites: storeSuites,
};

const paymentProvider: AdapterKind = {
  name: 'payment-provider',
  setting: 'PAYMENT_PROVIDER',
  factories: ['openTestProvider', 'openPaymentProvider'],
  suites: async (module, exported, { providerSuites }) =>
    providerSuites(
      harnessOf<ProviderHarness>(module, exported, 'openTestProvider', {
        ...{ provider: 'object', good: 'string', bad: 'string' },
        ...{ lose: 'function', movements: 'function', world: 'object?', close: 'function' },
      }),
    ),
};

const authenticator: AdapterKind = {
  name: 'authenticator',
  setting: 'AUTHENTICATOR',
  factories: ['openTestAuthenticator', 'openAuthenticator'],
  suites: (module, exported, { authenticatorSuites }) =>
    authenticatorSuites(
      harnessOf<AuthenticatorHarness>(module, exported, 'openTestAuthenticator', {
        ...{ authenticator: 'object', unitOfWork: 'object', issue: 'function', canLimit: 'boolean' },
        ...{ revoke: 'function?', advance: 'function', setAvailable: 'function', close: 'function' },
      }),
    ),
};

const rateLimiter: AdapterKind = {
  name: 'rate-limiter',
  setting: 'RATE_LIMITER',
  factories: ['openTestLimiter', 'openRateLimiter'],
  suites: async (module, exported, { limiterSuites }) => {
    const { openTestLimiter } = exported;
    if (openTestLimiter === undefined) return limiterSuites(async () => ownLimiters(module));
    const parts = { limiter: 'function', count: 'number?', close: 'function' } as const;
    return limiterSuites(harnessOf<LimiterHarness>(module, exported, 'openTestLimiter', parts));
  },
};

const kinds: readonly AdapterKind[] = [store, paymentProvider, rateLimiter, authenticator];

export const kindNames: readonly string[] = kinds.map(({ name }) => name);

/**
 * Finds out what a module is, by the functions that it exports.
 * @param chosen the name of a kind, for a module that is several
 * @throws UsageError when that is none, or several
 */
export const kindOf = (
  { file }: AdapterModule,
  exported: Exports,
  chosen: string | undefined,
): AdapterKind => {
  const named = kinds.find(({ name }) => name === chosen);
  if (named !== undefined) return named;
  const found = kinds.filter(({ factories }) => factories.some((name) => exported[name] !== undefined));
  const [first, ...others] = found;
  if (first === undefined) {
    throw new UsageError(`${file} must export ${alternatives(kinds.flatMap(({ factories }) => factories))}.`);
  }
  if (others.length === 0) return first;
  const names = alternatives(found.map(({ name }) => name));
  throw new UsageError(`${file} has adapters of several kinds. Set --kind to ${names}.`);
};

/** The setting that names adapters of a kind, for errors; that of a store when there is no such kind. */
export const settingOf = (chosen: string | undefined): ModuleSetting =>
  (kinds.find(({ name }) => name === chosen) ?? store).setting;

/** Only its author knows how an adapter is tested. @throws UsageError when the module does not export that function */
const harnessOf = <Harness extends object>(
  module: AdapterModule,
  exported: Exports,
  factory: string,
  parts: Parameters<typeof openAdapter<Harness>>[2],
): (() => Promise<Harness>) => {
  if (exported[factory] === undefined) {
    throw new UsageError(
      `${module.file} must export ${factory}, which says how it is tested: docs/adapters.md describes it.`,
    );
  }
  return () => openAdapter<Harness>({ ...module, factory }, {}, parts);
};

/** Each limiter as the server opens it, in a process that counts alone. */
const ownLimiters = (module: AdapterModule): LimiterHarness => ({
  limiter: ({ limit, windowMilliseconds: windowMs }, lag = 0) => {
    const dependencies = { limit, windowMs, now: () => Date.now() - lag };
    const opening = openAdapter<Closable<RateLimiter>>(module, dependencies, { consume: 'function' });
    // The first request reports it.
    opening.catch(() => undefined);
    return {
      consume: async (key, limit) => (await opening).consume(key, limit),
      close: () =>
        opening.then(
          (limiter) => limiter.close?.(),
          () => undefined,
        ),
    };
  },
  close: async () => undefined,
});
