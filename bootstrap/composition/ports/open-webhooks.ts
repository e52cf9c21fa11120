import { secretBox } from '#adapters/secrets/secret-box.ts';
import { configuredKeys, keysBeside, missingKeys, temporaryKeys } from '#adapters/secrets/secret-keys.ts';
import { receiverGuard } from '#adapters/webhooks/receiver-guard.ts';
import { type HttpWebhookSender, httpWebhookSender } from '#adapters/webhooks/sender.ts';
import type { SecretBox } from '#application/ports/secret-box.ts';
import type { Clock } from '#application/ports/system.ts';
import type { Config } from '../../config/config.ts';
import { isPersistent, keptFileOf } from './store-kind.ts';

/** Every process of a database on a server needs the same key, so none of them can make one. */
const missingKey =
  'SECRETS_KEY is not set. The operator must set it to what openssl rand -base64 32 prints, the same for every process.';

/** The box of secrets for the configured database. It creates nothing before the first secret. */
export const openSecretBox = ({ database, webhooks }: Pick<Config, 'database' | 'webhooks'>): SecretBox => {
  const { secretKeys } = webhooks;
  const file = keptFileOf(database);
  if (file !== undefined) return secretBox(keysBeside(file, secretKeys));
  if (secretKeys.length > 0) return secretBox(configuredKeys(secretKeys));
  return secretBox(isPersistent(database) ? missingKeys(missingKey) : temporaryKeys());
};

/** The sender of webhooks with the receivers that the settings allow. */
export const openWebhookSender = (
  { webhooks: { allowed } }: Pick<Config, 'webhooks'>,
  clock: Clock,
): HttpWebhookSender => httpWebhookSender({ guard: receiverGuard({ allowed }), clock });
