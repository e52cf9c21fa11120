import { type AdapterModule, findAdapterModule } from './adapter-module.ts';
import {
  anyText,
  type Environment,
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
  return { provider, secretKey, apiBase };
};

const parseApiBase = (text: string): string | undefined => {
  const url = secureUrl(text);
  return url !== undefined && `${url.origin}/` === url.href ? url.origin : undefined;
};
