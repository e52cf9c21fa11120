import { expect } from 'chai';
import { type SecretKeys, secretBox } from '#adapters/secrets/secret-box.ts';
import type { WebhookEndpoint } from '#domain/webhooks/endpoint.ts';
import { aWebhook } from '../../contracts/samples.ts';

/** Values of SECRETS_KEY. */
export const key = `${'A'.repeat(43)}=`;
export const otherKey = `${'B'.repeat(42)}A=`;

/** What the doctor finds where there is no endpoint and no key. */
export const withoutEndpoint = {
  check: 'webhooks',
  state: 'ok',
  message: 'to create an endpoint, set SECRETS_KEY first',
};

/** An endpoint whose secret was encrypted with one of these keys. */
export const endpointSealedWith = async (keys: SecretKeys): Promise<WebhookEndpoint> => {
  const { webhookEndpoint: endpoint } = aWebhook();
  const [secret] = endpoint.secrets;
  if (secret === undefined) return expect.fail('It has a secret.');
  const place = { ownerId: endpoint.id, secretId: secret.id };
  return { ...endpoint, sealedSecrets: [await secretBox(keys).seal('a secret', place)] };
};
