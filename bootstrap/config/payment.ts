import { type Environment, oneOf, parseSetting, SettingError, visibleAscii } from './env-parser.ts';
import { isLoopback } from './loopback.ts';

/** Who moves the money. */
export type PaymentSettings =
  | { readonly provider: 'sandbox' }
  | {
      readonly provider: 'stripe';
      readonly secretKey: string;
      /** An origin; Stripe's own where it is undefined. */
      readonly apiBase: string | undefined;
    };

/** @throws SettingError */
export const readPayment = (environment: Environment): PaymentSettings => {
  const provider = parseSetting(
    environment,
    'PAYMENT_PROVIDER',
    'sandbox or stripe',
    oneOf(['sandbox', 'stripe']),
    'sandbox',
  );
  const secretKey = parseSetting(
    environment,
    'STRIPE_SECRET_KEY',
    '1 to 255 visible ASCII characters, and no space',
    visibleAscii(1, 255),
    undefined,
  );
  const apiBase = parseSetting(
    environment,
    'STRIPE_API_BASE',
    'an https origin such as https://api.stripe.com, or an http origin of this machine, because the secret key goes there',
    safeOrigin,
    undefined,
  );
  if (provider === 'sandbox') return { provider };
  if (secretKey === undefined) {
    throw new SettingError('STRIPE_SECRET_KEY', 'must be set where PAYMENT_PROVIDER is stripe.');
  }
  return { provider, secretKey, apiBase };
};

const safeOrigin = (text: string): string | undefined => {
  const url = URL.parse(text);
  if (url === null || `${url.origin}/` !== url.href) return undefined;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(host)) ? url.origin : undefined;
};
