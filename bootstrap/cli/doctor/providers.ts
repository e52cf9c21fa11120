import { ApplicationError } from '#application/errors.ts';
import type { ProviderInspectionOptions } from '#application/ports/inspection.ts';
import { type Finding, findingsFor } from '#application/ports/inspection.ts';
import { loadModules } from '../../composition/modules/adapter-modules.ts';
import { callFactory, loadModule } from '../../composition/modules/load-adapter.ts';
import { hasStripe, installStripeHere } from '../../composition/ports/open-provider.ts';
import type { AdapterModule } from '../../config/adapter-module.ts';
import type { Config } from '../../config/config.ts';
import { SettingError, secureUrl } from '../../config/env-parser.ts';
import type { IdentityProvider } from '../../config/identity-provider.ts';
import type { PaymentSettings } from '../../config/payment.ts';

const payment = findingsFor('provider');
const identity = findingsFor('identity');
const module = findingsFor('module');
const money = findingsFor('money');

/** Lets the payment provider check its account: whether it accepts the key, and whether events about payments arrive. */
export const checkPaymentProvider = async (
  settings: PaymentSettings,
  options: ProviderInspectionOptions,
): Promise<readonly Finding[]> => {
  if (settings.provider === 'sandbox') return [payment.ok('the built-in sandbox is used: no money moves')];
  if (settings.provider === 'custom') return checkCustomProvider(settings.module, options);
  if (!hasStripe()) return [payment.fail('the stripe package is not installed', `Run ${installStripeHere}.`)];
  const { inspectStripe } = await import('#adapters/payment/stripe/checks/inspect-account.ts');
  return inspectStripe({ ...settings, ...options });
};

const checkCustomProvider = async (
  module: AdapterModule,
  options: ProviderInspectionOptions,
): Promise<readonly Finding[]> => {
  try {
    const found = await inspectCustomProvider(module, options);
    return found ?? [payment.ok(`${module.file} is used. It exports no inspectProvider to check it.`)];
  } catch (error) {
    if (error instanceof SettingError) return [payment.fail(error.message, 'Correct the module.')];
    if (!(error instanceof ApplicationError)) throw error;
    return [
      payment.fail(
        `${module.file} cannot be checked: ${error.message}`,
        'Check that this machine reaches the provider, and the credentials.',
      ),
    ];
  }
};

/**
 * Lets a payment provider from outside check its account.
 * @returns undefined when its module exports no `inspectProvider`
 * @throws SettingError when the module cannot be used, or returns something else than findings; ApplicationError that it throws
 */
const inspectCustomProvider = async (
  module: AdapterModule,
  options: ProviderInspectionOptions,
): Promise<readonly Finding[] | undefined> => {
  const { inspectProvider } = await loadModule(module);
  if (inspectProvider === undefined) return undefined;
  const found = await callFactory({ ...module, factory: 'inspectProvider' }, inspectProvider, options);
  if (Array.isArray(found) && found.every(isFinding)) return found;
  throw new SettingError(
    module.setting,
    `names ${module.file}, whose inspectProvider must return an array of findings, each with check, state and message.`,
  );
};

const states: readonly unknown[] = ['ok', 'warn', 'fail'] satisfies readonly Finding['state'][];

const isFinding = (value: unknown): value is Finding => {
  const { check, state, message, remedy } = (value ?? {}) as Readonly<Record<keyof Finding, unknown>>;
  return (
    typeof check === 'string' &&
    states.includes(state) &&
    typeof message === 'string' &&
    (remedy === undefined || typeof remedy === 'string')
  );
};

/** The modules from outside. One that cannot be used is an error of its setting. */
export const checkModules = async (config: Config): Promise<readonly Finding[]> =>
  (await loadModules(config)).map(({ setting, file }) => module.ok(`${setting}: ${file} can be loaded`));

/** Whether the identity provider, if there is one, publishes keys, and what the login of the admin page needs. */
export const checkIdentityProvider = async ({
  identityProvider,
}: Pick<Config, 'identityProvider'>): Promise<readonly Finding[]> =>
  identityProvider === undefined
    ? []
    : [...(await checkKeys(identityProvider)), ...(await checkAdminLogin(identityProvider))];

const checkAdminLogin = async ({ issuer, adminLogin }: IdentityProvider): Promise<readonly Finding[]> => {
  if (adminLogin === undefined) return [];
  const { host } = new URL(issuer);
  const { fetchMetadata, MetadataError } = await import('#adapters/auth/provider-metadata.ts');
  try {
    await fetchMetadata({ issuer, parseUrl: secureUrl });
    return [identity.ok(`people sign in to the admin page at ${host}`)];
  } catch (error) {
    if (!(error instanceof MetadataError)) throw error;
    const remedy = 'Check JWT_ISSUER, and see docs/identity-providers.md for what the admin page needs.';
    return [identity.fail(`people cannot sign in to the admin page at ${host}: ${error.message}`, remedy)];
  }
};

const checkKeys = async ({
  keysUrl,
  provision,
  trustEmail,
}: IdentityProvider): Promise<readonly Finding[]> => {
  const { host } = new URL(keysUrl);
  const { JwksCache } = await import('#adapters/auth/jwks-cache.ts');
  try {
    const count = await new JwksCache(keysUrl, () => undefined).count();
    if (count > 0) {
      const published = `${host} publishes ${count} ${count === 1 ? 'key' : 'keys'}`;
      if (!provision) return [identity.ok(published)];
      return [identity.ok(`${published}, and its tokens sign customers up`), ...ineffective(trustEmail)];
    }
    const remedy = 'No token can be verified without a key. Check JWT_JWKS_URL.';
    return [identity.warn(`${host} publishes no keys`, remedy)];
  } catch (error) {
    if (!(error instanceof ApplicationError)) throw error;
    const { message, cause } = error.cause as Error;
    const reason = cause instanceof Error ? cause.message : message;
    const remedy = 'Check that this machine reaches JWT_JWKS_URL, and that it serves a JSON Web Key Set.';
    return [identity.fail(`the keys at ${host} cannot be fetched: ${reason}`, remedy)];
  }
};

const ineffective = (trustEmail: boolean): readonly Finding[] =>
  trustEmail
    ? [
        identity.warn(
          'JWT_TRUST_EMAIL has no effect beside JWT_PROVISION',
          'Remove it, and let the provider say email_verified.',
        ),
      ]
    : [];

/** Whether payments move money. */
export const checkMoney = (settings: PaymentSettings): Finding => {
  if (settings.provider === 'sandbox') {
    return money.warn(
      'the sandbox pays every order, and no money moves',
      'Set PAYMENT_PROVIDER=stripe, or to a provider of your own: docs/adapters.md.',
    );
  }
  if (settings.provider === 'stripe' && settings.secretKey.includes('_test_')) {
    return money.warn(
      'a test key of Stripe is used, and no money moves',
      'Set STRIPE_SECRET_KEY to a live key.',
    );
  }
  return money.ok('payments move money');
};
