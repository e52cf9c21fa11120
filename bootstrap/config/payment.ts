import { type AdapterModule, findAdapterModule } from './adapter-module.ts';
import {
  anyText,
  type Environment,
  parseInteger,
  parseSetting,
  SettingError,
  secureUrl,
  visibleAscii,
} from './env-parser.ts';

/** The payment provider, and how to reach it. */
export type PaymentSettings =
  | { readonly provider: 'sandbox' }
  | { readonly provider: 'custom'; readonly module: AdapterModule }
  | {
      readonly provider: 'stripe';
      readonly secretKey: string;
      /** An origin; undefined for Stripe's own. */
      readonly apiBase: string | undefined;
      /** Stripe's types of payment methods. */
      readonly methods: readonly string[];
      /** With which Stripe signs its events; empty when none are received. */
      readonly webhookSecrets: readonly string[];
    };

/** @throws SettingError when one cannot be used, or Stripe's secret key is missing */
export const readPayment = (environment: Environment): PaymentSettings => {
  const provider = parseSetting(environment, 'PAYMENT_PROVIDER', 'sandbox or stripe', anyText, 'sandbox');
  const secretKey = parseSetting(
    environment,
    'STRIPE_SECRET_KEY',
    '1 to 255 visible ASCII characters without spaces',
    visibleAscii(1, 255),
    undefined,
  );
  const apiBase = parseSetting(
    environment,
    'STRIPE_API_BASE',
    'an https origin such as https://api.stripe.com, or an http origin of this machine, because the secret key is sent to it',
    parseApiBase,
    undefined,
  );
  const methods = parseSetting(
    environment,
    'STRIPE_METHODS',
    "1 to 20 of Stripe's types of payment methods, such as card,ideal",
    parseMethods,
    ['card'],
  );
  const webhookSecrets = parseSetting(
    environment,
    'STRIPE_WEBHOOK_SECRETS',
    "1 to 3 signing secrets of Stripe's webhook endpoints, such as whsec_..., with commas between",
    parseWebhookSecrets,
    [],
  );
  if (webhookSecrets.length > 0 && provider !== 'stripe')
    throw new SettingError('STRIPE_WEBHOOK_SECRETS', 'must be empty unless PAYMENT_PROVIDER is stripe.');
  if (provider === 'sandbox') return { provider };
  if (provider !== 'stripe') {
    return {
      provider: 'custom',
      module: findAdapterModule('PAYMENT_PROVIDER', provider, 'sandbox or stripe'),
    };
  }
  if (secretKey === undefined) {
    throw new SettingError('STRIPE_SECRET_KEY', 'must be set where PAYMENT_PROVIDER is stripe.');
  }
  return { provider, secretKey, apiBase, methods, webhookSecrets };
};

const parseApiBase = (text: string): string | undefined => {
  const url = secureUrl(text);
  return url !== undefined && `${url.origin}/` === url.href ? url.origin : undefined;
};

const parseMethods = (text: string): readonly string[] | undefined => {
  const methods = text.split(',').map((method) => method.trim());
  const isList = methods.length <= 20 && new Set(methods).size === methods.length;
  return isList && methods.every((method) => /^[a-z][a-z0-9_]{1,39}$/.test(method)) ? methods : undefined;
};

/** Ids and keys of Stripe that are mistaken for the secret of an endpoint. */
const otherWord = /^(sk|rk|pk|we|ed|acct)_/;

const parseWebhookSecrets = (text: string): readonly string[] | undefined => {
  const secrets = text.split(',').map((secret) => secret.trim());
  const isSecret = (secret: string): boolean =>
    visibleAscii(1, 255)(secret) !== undefined && !otherWord.test(secret);
  return secrets.length <= 3 && secrets.every(isSecret) ? secrets : undefined;
};

/** Where the events of the payment provider are received. */
export interface ProviderEventsSettings {
  readonly host: string;
  readonly port: number;
}

/**
 * The listener is on the address of the API, because the same proxy or certificate serves both.
 * @returns undefined when the port is 0
 * @throws SettingError when the port or the secrets are of no use without the other
 */
export const readProviderEvents = (
  environment: Environment,
  payment: PaymentSettings,
  host: string,
): ProviderEventsSettings | undefined => {
  const port = parseInteger(environment, 'PROVIDER_EVENTS_PORT', { min: 0, max: 65_535 }, 0);
  const hasSecrets = payment.provider === 'stripe' && payment.webhookSecrets.length > 0;
  if (port === 0) {
    if (hasSecrets)
      throw new SettingError('PROVIDER_EVENTS_PORT', 'must be set where STRIPE_WEBHOOK_SECRETS is.');
    return undefined;
  }
  if (payment.provider === 'sandbox')
    throw new SettingError('PROVIDER_EVENTS_PORT', 'must be 0 with the sandbox, which sends no events.');
  if (payment.provider === 'stripe' && !hasSecrets)
    throw new SettingError('STRIPE_WEBHOOK_SECRETS', 'must be set where PROVIDER_EVENTS_PORT is.');
  return { host, port };
};
