import { pathToFileURL } from 'node:url';
import { describeSettings, notNumbers } from '../support/settings.ts';

const stripe = { PAYMENT_PROVIDER: 'stripe', STRIPE_SECRET_KEY: 'sk_test_1' };

/** A module that is any file of this repository, because no setting loads it before the start. */
const someModule = './domain/index.ts';

const moduleOf = (setting: string, factory: string) => ({
  ...{ setting, factory, file: 'domain/index.ts' },
  url: pathToFileURL('domain/index.ts').href,
});

describeSettings('payments', {
  PROVIDER_EVENTS_POLL_MS: {
    read: ({ times }) => times.eventsPoll,
    byDefault: 60_000,
    valid: [
      ['0', 0],
      ['1000', 1_000],
    ],
    invalid: ['-1', '1.5', 'never'],
    expected: /milliseconds from 0/,
  },
  PAYMENT_PROVIDER: {
    read: ({ payment }) => payment,
    byDefault: { provider: 'sandbox' },
    beside: { STRIPE_SECRET_KEY: 'sk_test_1' },
    valid: [
      ['sandbox', { provider: 'sandbox' }],
      [
        'stripe',
        {
          provider: 'stripe',
          secretKey: 'sk_test_1',
          apiBase: undefined,
          methods: ['card'],
          webhookSecrets: [],
        },
      ],
      [someModule, { provider: 'custom', module: moduleOf('PAYMENT_PROVIDER', 'openPaymentProvider') }],
    ],
    invalid: ['paypal', 'Sandbox'],
    expected: /sandbox or stripe/,
  },
  STRIPE_API_BASE: {
    read: ({ payment }) => payment.provider === 'stripe' && payment.apiBase,
    byDefault: undefined,
    beside: stripe,
    valid: [
      ['https://api.stripe.com', 'https://api.stripe.com'],
      ['https://stripe.example:8443/', 'https://stripe.example:8443'],
      ['http://127.0.0.1:12111', 'http://127.0.0.1:12111'],
      ['http://localhost:12111', 'http://localhost:12111'],
      ['http://[::1]:12111', 'http://[::1]:12111'],
    ],
    invalid: [
      'api.stripe.com',
      'http://api.stripe.com',
      'http://127.0.0.1.evil.example',
      'http://192.168.1.1:12111',
      'https://api.stripe.com/v1',
      'https://api.stripe.com?a',
      'https://user:password@api.stripe.com',
      'ftp://127.0.0.1',
    ],
    expected: /https origin such as https:\/\/api\.stripe\.com, or an http origin of this machine/,
  },
  PROVIDER_EVENTS_PORT: {
    read: ({ providerEvents }) => providerEvents?.port,
    byDefault: undefined,
    beside: { PAYMENT_PROVIDER: someModule },
    valid: [['3100', 3100]],
    invalid: ['65536', '-1', 'x', '1.5'],
    expected: /whole number from 0 to 65535/,
  },
  STRIPE_METHODS: {
    read: ({ payment }) => payment.provider === 'stripe' && payment.methods,
    byDefault: ['card'],
    beside: stripe,
    valid: [
      ['card', ['card']],
      ['card, ideal,us_bank_account', ['card', 'ideal', 'us_bank_account']],
    ],
    invalid: [
      'Card',
      'card,',
      'card,card',
      'card ideal',
      ',',
      Array.from('abcdefghijklmnopqrstu', (x) => `${x}a`).join(),
    ],
    expected: /types of payment methods, such as card,ideal/,
  },
  PAYMENT_TIMEOUT_MS: {
    read: ({ times }) => times.payment,
    byDefault: 10_000,
    valid: [['1', 1]],
    invalid: ['0', ...notNumbers],
    expected: /milliseconds from 1/,
  },
  PAYMENT_ACTION_TTL_MINUTES: {
    read: ({ times }) => times.actionLifetime,
    byDefault: 3_600_000,
    valid: [
      ['5', 300_000],
      ['1440', 86_400_000],
    ],
    invalid: ['4', '1441', '5.5', ...notNumbers],
    expected: /minutes from 5 to 1440/,
  },
  PAYMENT_CAPTURE: {
    read: ({ paymentCapture }) => paymentCapture,
    byDefault: 'automatic',
    valid: [['manual', 'manual']],
    invalid: ['later', 'Manual', '1'],
    expected: /automatic or manual/,
  },
});
