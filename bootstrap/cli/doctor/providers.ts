import { ApplicationError } from '#application/errors.ts';
import { loadModules } from '../../composition/adapter-modules.ts';
import { hasStripe, installStripeHere } from '../../composition/open-provider.ts';
import type { Config } from '../../config/config.ts';
import type { PaymentSettings } from '../../config/payment.ts';
import { type Finding, findingsFor } from './finding.ts';

const payment = findingsFor('provider');
const identity = findingsFor('identity');
const module = findingsFor('module');
const money = findingsFor('money');
const webhook = findingsFor('webhook');

/** Whether the payment provider is reachable and accepts the key. */
export const checkPaymentProvider = async (
  settings: PaymentSettings,
  timeoutMs: number,
): Promise<Finding> => {
  if (settings.provider === 'sandbox') return payment.ok('the built-in sandbox is used: no money moves');
  if (settings.provider === 'custom') {
    return payment.ok(`${settings.module.file} is used`);
  }
  if (!hasStripe()) return payment.fail('the stripe package is not installed', `Run ${installStripeHere}.`);
  const { checkConnection } = await import('#adapters/payment/stripe/client.ts');
  try {
    await checkConnection({ ...settings, timeoutMs });
    const isTest = settings.secretKey.includes('_test_');
    return payment.ok(`Stripe accepts the key${isTest ? ', a test key: no money moves' : ''}`);
  } catch (error) {
    if (!(error instanceof ApplicationError)) throw error;
    const { message, status } = error.cause as Error & { readonly status?: number };
    if (status === 401) {
      const remedy = 'Set STRIPE_SECRET_KEY to a secret key of your Stripe account.';
      return payment.fail(`Stripe rejects the key: ${message}`, remedy);
    }
    if (status === 403) {
      const remedy = 'Allow the key to read and write payment intents and refunds.';
      return payment.warn(`the key lacks permissions: ${message}`, remedy);
    }
    const remedy =
      'Check proxies and firewalls between this machine and Stripe, and STRIPE_API_BASE if it is set.';
    return payment.fail(`Stripe is unreachable: ${message}`, remedy);
  }
};

/** The modules from outside. One that cannot be used is an error of its setting. */
export const checkModules = async (config: Config): Promise<readonly Finding[]> =>
  (await loadModules(config)).map(({ setting, file }) => module.ok(`${setting}: ${file} can be loaded`));

/** Whether the identity provider, if there is one, publishes keys. */
export const checkIdentityProvider = async ({
  identityProvider,
}: Pick<Config, 'identityProvider'>): Promise<readonly Finding[]> => {
  if (identityProvider === undefined) return [];
  const { keysUrl, provision, trustEmail } = identityProvider;
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

/** Whether payments move money, and how news from the provider arrive. */
export const checkPayments = (settings: PaymentSettings): readonly Finding[] => [
  checkMoney(settings),
  webhook.ok('none is needed: Portico asks the provider itself until a payment is settled'),
];

const checkMoney = (settings: PaymentSettings): Finding => {
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
