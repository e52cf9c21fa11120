import { type SettingGroup, setting } from './description.ts';

export const payments: SettingGroup = {
  title: 'Orders and payments',
  settings: [
    setting(
      'ORDER_TTL_MINUTES',
      '1440',
      'Unpaid orders are canceled after this time; 0 keeps them. An order that a payment locks then has [one second try](api.md#payments-that-ask-the-payer) of 15 minutes.',
    ),
    setting(
      'PAYMENT_PROVIDER',
      'sandbox',
      '`sandbox` (moves no money), `stripe`, or a [provider of your own](adapters.md): a path or a package.',
    ),
    setting(
      'STRIPE_SECRET_KEY',
      '',
      "Required with `stripe`. A production install also needs [Stripe's package](operations/deploy.md#deployment): the start prints the command that adds it.",
    ),
    setting(
      'STRIPE_API_BASE',
      '',
      "Another origin with Stripe's API, `https://api.stripe.com` if empty. Plain http for an origin of this machine only.",
    ),
    setting(
      'STRIPE_METHODS',
      'card',
      "Which of [Stripe's types of payment methods](https://docs.stripe.com/api/payment_methods/object#payment_method_object-type) are accepted, separated by commas.",
    ),
    setting(
      'PROVIDER_EVENTS_PORT',
      '0',
      'Where the provider [sends its events](operations/provider-events.md#events-from-the-payment-provider): `/provider-events` of this port, on `HOST`. 0 switches it off.',
    ),
    setting(
      'STRIPE_WEBHOOK_SECRETS',
      '',
      'Required with `PROVIDER_EVENTS_PORT` and `stripe`: the signing secrets of your webhook endpoints at Stripe, 1 to 3, separated by commas.',
    ),
    setting(
      'PROVIDER_EVENTS_POLL_MS',
      '60000',
      "How often the provider's own list of events is read, so that [none is missed](exactly-once.md#reconciliation-with-the-provider). 0 never reads it.",
    ),
    setting('PAYMENT_TIMEOUT_MS', '10000', 'Timeout of one call to the payment provider.'),
    setting(
      'PAYMENT_ACTION_TTL_MINUTES',
      '60',
      'How long a payer can [give consent](api.md#payments-that-ask-the-payer): from 5 to 1440.',
    ),
    setting(
      'PAYMENT_CAPTURE',
      'automatic',
      '`automatic` takes money at once. `manual` authorizes it, and staff [capture it later](api.md#captures). Staff can choose for each payment.',
    ),
    setting(
      'IDEMPOTENCY_LEASE_MS',
      '30000',
      'How long a payment whose process has died waits before another process continues it. At least `PAYMENT_TIMEOUT_MS`.',
    ),
    setting(
      'RECONCILE_AFTER_MS',
      '60000',
      'When an unfinished payment is brought to its end without its client.',
    ),
  ],
};

export const events: SettingGroup = {
  title: 'Events and webhooks',
  settings: [
    setting('EVENT_RETENTION_DAYS', '30', 'How long [events](api.md#events) are kept: from 7 to 365 days.'),
    setting(
      'SECRETS_KEY',
      '',
      'Encrypts the [secrets of webhook endpoints](operations/deploy.md#secrets-of-webhook-endpoints): 32 bytes in base64, as `openssl rand -base64 32` prints. Of several, separated by commas, the first encrypts and all decrypt. A SQLite database has one in a file beside it; PostgreSQL and MariaDB need it for webhooks.',
    ),
    setting(
      'WEBHOOK_ALLOW',
      '',
      '[Receivers that are not public](operations/deploy.md#receivers-that-are-not-public), such as `erp.internal:8080,*.corp.example:*,10.0.0.0/8:443`. These may use http.',
    ),
    setting(
      'WEBHOOK_DISABLE_AFTER_HOURS',
      '120',
      'How long a webhook endpoint can fail before it is [disabled](operations/a-bad-night.md#warnings-about-webhooks): from 1 to 720 hours.',
    ),
  ],
};
