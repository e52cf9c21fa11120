import { stat } from 'node:fs/promises';
import { keyFileOf } from '#adapters/secrets/secret-keys.ts';
import { type Finding, findingsFor } from '#application/ports/inspection.ts';
import type { inspectStore } from '../../composition/ports/open-store.ts';
import type { Config } from '../../config/config.ts';
import { type Database, isPersistent, keptFileOf } from '../../config/database.ts';
import { errorLines } from '../error-messages.ts';
import { readStored } from './stored.ts';

const webhooks = findingsFor('webhooks');

/** Whether secrets of webhook endpoints can be kept, and which receivers are allowed beside public ones. */
export const checkWebhooks = async (
  config: Pick<Config, 'database' | 'webhooks'>,
  inspect?: typeof inspectStore,
): Promise<readonly Finding[]> => [await checkKey(config, inspect), ...checkAllowed(config.webhooks)];

const checkKey = async (
  { database, webhooks: { secretKeys } }: Pick<Config, 'database' | 'webhooks'>,
  inspect?: typeof inspectStore,
): Promise<Finding> => {
  const file = keptFileOf(database);
  const keyFile = file === undefined ? undefined : keyFileOf(file);
  if (keyFile !== undefined && (await isReadByOthers(keyFile)))
    return webhooks.warn(`${keyFile} can be read by other users`, `Run chmod 600 ${keyFile}`);
  if (secretKeys.length > 0) return webhooks.ok('the secrets of endpoints are encrypted with SECRETS_KEY');
  if (keyFile !== undefined)
    return webhooks.ok(`the secrets of endpoints are encrypted with the key in ${keyFile}`);
  if (!isPersistent(database)) return webhooks.ok('the secrets of endpoints end with the process');
  return checkNeed(database, inspect);
};

/** A shop without webhooks needs no key, so only endpoints that exist make its absence a warning. */
const checkNeed = async (database: Database, inspect?: typeof inspectStore): Promise<Finding> => {
  try {
    const endpoints = await readStored(
      database,
      async ({ webhookEndpoints }) => (await webhookEndpoints.page({}, { limit: 1 })).rows.length,
      inspect,
    );
    return endpoints
      ? webhooks.warn(
          'the endpoints receive nothing: SECRETS_KEY is not set',
          'Set SECRETS_KEY to the key that encrypted their secrets, or to a new one, and replace the secrets.',
        )
      : webhooks.ok('to create an endpoint, set SECRETS_KEY first');
  } catch (error) {
    return webhooks.warn(`cannot be checked: ${errorLines(error).join(' ')}`, 'Run portico doctor again.');
  }
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
