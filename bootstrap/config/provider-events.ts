import { type Environment, parseInteger, SettingError } from './env-parser.ts';
import type { PaymentSettings } from './payment.ts';

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
