import { stat } from 'node:fs/promises';
import { keyFileOf } from '#adapters/secrets/secret-keys.ts';
import { type Finding, findingsFor } from '#application/ports/inspection.ts';
import type { ReadRepositories } from '#application/ports/repositories.ts';
import type { SecretBox } from '#application/ports/secret-box.ts';
import { Instant } from '#domain/instant.ts';
import { WebhookEndpoint, type WebhookEndpointId } from '#domain/webhooks/endpoint.ts';
import type { inspectStore } from '../../composition/ports/open-store.ts';
import { openSecretBox } from '../../composition/ports/open-webhooks.ts';
import type { Config } from '../../config/config.ts';
import { isPersistent, keptFileOf } from '../../config/database.ts';
import { errorLines } from '../error-messages.ts';
import { readStored } from './stored.ts';

const webhooks = findingsFor('webhooks');

/** Whether secrets of webhook endpoints can be kept, and which receivers are allowed beside public ones. */
export const checkWebhooks = async (
  config: Pick<Config, 'database' | 'webhooks'>,
  inspect?: typeof inspectStore,
): Promise<readonly Finding[]> => [await checkKey(config, inspect), ...checkAllowed(config.webhooks)];

const checkKey = async (
  config: Pick<Config, 'database' | 'webhooks'>,
  inspect?: typeof inspectStore,
): Promise<Finding> => {
  const { database, webhooks: settings } = config;
  const file = keptFileOf(database);
  const keyFile = file === undefined ? undefined : keyFileOf(file);
  if (keyFile !== undefined && (await isReadByOthers(keyFile)))
    return webhooks.warn(`${keyFile} can be read by other users`, `Run chmod 600 ${keyFile}`);
  if (!isPersistent(database)) return webhooks.ok('the secrets of endpoints end with the process');
  let stored: StoredSecrets | undefined;
  try {
    stored = await readStored(database, secretsThatOpen(openSecretBox(config)), inspect);
  } catch (error) {
    return webhooks.warn(`cannot be checked: ${errorLines(error).join(' ')}`, 'Run portico doctor again.');
  }
  const hasKeys = settings.secretKeys.length > 0;
  if (stored !== undefined && stored.closed.length > 0)
    return webhooks.warn(
      hasKeys || keyFile !== undefined
        ? `${stored.closed.length} of ${stored.count} endpoints receive nothing, because their secrets cannot be decrypted: ${stored.closed.join(', ')}`
        : 'the endpoints receive nothing: SECRETS_KEY is not set',
      hasKeys || keyFile === undefined
        ? 'Set SECRETS_KEY to the key that encrypted their secrets, or to a new one, and replace the secrets.'
        : `Restore ${keyFile} from a copy, or replace the secrets of these endpoints.`,
    );
  if (hasKeys) return webhooks.ok('the secrets of endpoints are encrypted with SECRETS_KEY');
  return webhooks.ok(
    keyFile === undefined
      ? 'to create an endpoint, set SECRETS_KEY first'
      : `the secrets of endpoints are encrypted with the key in ${keyFile}`,
  );
};

/** How many endpoints there are, and the ids of those whose newest secret cannot be decrypted: nothing is sent to them. */
interface StoredSecrets {
  readonly count: number;
  readonly closed: readonly WebhookEndpointId[];
}

const secretsThatOpen =
  (box: Pick<SecretBox, 'open'>) =>
  async ({ webhookEndpoints }: ReadRepositories): Promise<StoredSecrets> => {
    const { rows } = await webhookEndpoints.page({}, { limit: WebhookEndpoint.maxCount });
    const now = Instant.at(Date.now());
    const closed: WebhookEndpointId[] = [];
    for (const endpoint of rows) {
      const { id: ownerId } = endpoint;
      const [newest] = WebhookEndpoint.validSecrets(endpoint, now);
      if (newest === undefined) continue;
      await box.open(newest.sealed, { ownerId, secretId: newest.id }).catch(() => closed.push(ownerId));
    }
    return { count: rows.length, closed };
  };

const isReadByOthers = (file: string): Promise<boolean> =>
  stat(file).then(
    ({ mode }) => (mode & 0o077) !== 0,
    () => false,
  );

const checkAllowed = ({ allowed: { length } }: Config['webhooks']): readonly Finding[] =>
  length === 0
    ? []
    : [
        webhooks.ok(
          `WEBHOOK_ALLOW has ${length === 1 ? 'an exception' : `${length} exceptions`} to public receivers`,
        ),
      ];
