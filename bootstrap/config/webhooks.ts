import { isSecretKey } from '#adapters/secrets/secret-keys.ts';
import {
  type AllowedReceiver,
  allowedReceiversForm,
  parseAllowedReceivers,
} from '#adapters/webhooks/allowed-receivers.ts';
import { type Environment, parseInteger, parseSetting } from './env-parser.ts';

export interface WebhookSettings {
  /** Receivers that are called though they are not public, or speak plain HTTP. */
  readonly allowed: readonly AllowedReceiver[];
  /** Keys in base64 with which secrets are stored: the first encrypts, and all decrypt. */
  readonly secretKeys: readonly string[];
  /** How long an endpoint may fail before it is disabled, in hours. */
  readonly disableAfterHours: number;
}

const maxKeys = 10;

/** @throws SettingError */
export const readWebhooks = (environment: Environment): WebhookSettings => ({
  allowed: parseSetting(environment, 'WEBHOOK_ALLOW', allowedReceiversForm, parseAllowedReceivers, []),
  secretKeys: parseSetting(
    environment,
    'SECRETS_KEY',
    `1 to ${maxKeys} different keys separated by commas, each of 32 bytes in base64, such as openssl rand -base64 32 prints`,
    parseKeys,
    [],
  ),
  disableAfterHours: parseInteger(environment, 'WEBHOOK_DISABLE_AFTER_HOURS', { min: 1, max: 720 }, 120),
});

const parseKeys = (text: string): readonly string[] | undefined => {
  const keys = text.split(',').map((key) => key.trim());
  const isList = keys.length <= maxKeys && new Set(keys).size === keys.length;
  return isList && keys.every(isSecretKey) ? keys : undefined;
};
