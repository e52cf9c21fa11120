import { stat } from 'node:fs/promises';
import { keyFileOf, keyFileProblem } from '#adapters/secrets/secret-keys.ts';
import { type Finding, findingsFor } from '#application/ports/inspection.ts';
import type { ReadRepositories } from '#application/ports/repositories.ts';
import type { SecretBox } from '#application/ports/secret-box.ts';
import { resealed } from '#application/webhooks/reseal-secrets.ts';
import { Instant } from '#domain/instant.ts';
import { WebhookEndpoint, type WebhookEndpointId } from '#domain/webhooks/endpoint.ts';
import type { inspectStore } from '../../composition/ports/open-store.ts';
import { openSecretBox } from '../../composition/ports/open-webhooks.ts';
import { isPersistent, keptFileOf } from '../../composition/ports/store-kind.ts';
import type { Config } from '../../config/config.ts';
import { errorLines } from '../error-messages.ts';
import { readStored } from './stored.ts';

const webhooks = findingsFor('webhooks');

type WebhookConfig = Pick<Config, 'database' | 'webhooks'>;

/** Whether secrets of webhook endpoints can be kept, and which receivers are allowed beside public ones. */
export const checkWebhooks = async (
  config: WebhookConfig,
  inspect?: typeof inspectStore,
): Promise<readonly Finding[]> => [
  ...(await checkKeyFileMode(config)),
  ...(await checkKeys(config, inspect)),
  ...checkAllowed(config.webhooks),
];

/** The file with the key of a SQLite database, whether it exists or not. */
const keyFileIn = ({ database }: WebhookConfig): string | undefined => {
  const file = keptFileOf(database);
  return file === undefined ? undefined : keyFileOf(file);
};

const checkKeyFileMode = async (config: WebhookConfig): Promise<readonly Finding[]> => {
  const keyFile = keyFileIn(config);
  return keyFile !== undefined && (await isReadByOthers(keyFile))
    ? [webhooks.warn(`${keyFile} can be read by other users`, `Run chmod 600 ${keyFile}`)]
    : [];
};

const checkKeys = async (
  config: WebhookConfig,
  inspect?: typeof inspectStore,
): Promise<readonly Finding[]> => {
  const { database } = config;
  if (!isPersistent(database)) return [webhooks.ok('the secrets of endpoints end with the process')];
  try {
    const stored = await readStored(database, secretsThatOpen(openSecretBox(config)), inspect);
    const file = keptFileOf(database);
    const fileProblem = file === undefined ? undefined : await keyFileProblem(file);
    const isSpare = config.webhooks.secretKeys.length > 0 && stored?.closed.length === 0;
    return fileProblem !== undefined && file !== undefined && isSpare
      ? [
          webhooks.warn(
            `${fileProblem} Deliveries go on without it.`,
            `Remove ${keyFileOf(file)}, or restore it from a copy.`,
          ),
          findingOf(config, stored, undefined),
        ]
      : [findingOf(config, stored, fileProblem)];
  } catch (error) {
    return [webhooks.warn(`cannot be checked: ${errorLines(error).join(' ')}`, 'Run portico doctor again.')];
  }
};

/** @param fileProblem why the key file cannot be used */
const findingOf = (
  config: WebhookConfig,
  stored: StoredSecrets | undefined,
  fileProblem: string | undefined,
): Finding => {
  const keyFile = keyFileIn(config);
  const hasKeys = config.webhooks.secretKeys.length > 0;
  if (stored !== undefined && stored.closed.length > 0) {
    if (!hasKeys && keyFile === undefined)
      return webhooks.warn('the endpoints receive nothing: SECRETS_KEY is not set', setKey);
    const { closed, count } = stored;
    const message = `${closed.length} of ${count} endpoints receive nothing, because their secrets cannot be decrypted: ${closed.join(', ')}`;
    if (fileProblem !== undefined)
      return webhooks.warn(`${message}. ${fileProblem}`, restoreOrReplace(keyFile));
    return webhooks.warn(message, hasKeys ? setKey : restoreOrReplace(keyFile));
  }
  if (fileProblem !== undefined)
    return webhooks.warn(
      `${fileProblem}${hasKeys ? '' : ' No secret can be encrypted.'}`,
      `Restore ${keyFile} from a copy. If there is no endpoint yet, remove it.`,
    );
  if (hasKeys && stored !== undefined && stored.older > 0)
    return webhooks.warn(
      `the secrets of ${stored.older} of ${stored.count} endpoints are not encrypted with the first key of SECRETS_KEY yet`,
      'Keep every other key, also one in a file. The server that delivers webhooks encrypts the secrets again within a minute of its start.',
    );
  if (hasKeys) return webhooks.ok('the secrets of endpoints are encrypted with SECRETS_KEY');
  return webhooks.ok(
    keyFile === undefined
      ? 'to create an endpoint, set SECRETS_KEY first'
      : `the secrets of endpoints are encrypted with the key in ${keyFile}`,
  );
};

const setKey =
  'Set SECRETS_KEY to the key that encrypted their secrets, or to a new one, and replace the secrets.';

const restoreOrReplace = (keyFile: string | undefined): string =>
  `Restore ${keyFile} from a copy, or replace the secrets of these endpoints.`;

/** How many endpoints there are, and the ids of those whose newest secret cannot be decrypted: nothing is sent to them. */
interface StoredSecrets {
  readonly count: number;
  readonly closed: readonly WebhookEndpointId[];
  /** How many endpoints have a secret that an older key encrypts. */
  readonly older: number;
}

const secretsThatOpen =
  (box: Pick<SecretBox, 'open' | 'reseal'>) =>
  async ({ webhookEndpoints }: ReadRepositories): Promise<StoredSecrets> => {
    const { rows } = await webhookEndpoints.page({}, { limit: WebhookEndpoint.maxCount });
    const now = Instant.at(Date.now());
    const closed: WebhookEndpointId[] = [];
    let older = 0;
    for (const endpoint of rows) {
      const { id: ownerId } = endpoint;
      if ((await resealed(endpoint, box)) !== undefined) older += 1;
      const [newest] = WebhookEndpoint.validSecrets(endpoint, now);
      if (newest === undefined) continue;
      await box.open(newest.sealed, { ownerId, secretId: newest.id }).catch(() => closed.push(ownerId));
    }
    return { count: rows.length, closed, older };
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
