import { WebhookEndpoint } from '#domain/webhooks/endpoint.ts';
import type { SecretBox } from '../ports/secret-box.ts';
import type { UnitOfWork } from '../ports/unit-of-work.ts';
import type { WebhookObserver } from './observer.ts';

interface Dependencies {
  readonly unitOfWork: UnitOfWork;
  readonly box: Pick<SecretBox, 'reseal'>;
  readonly observer: Pick<WebhookObserver, 'warn'>;
}

/**
 * Encrypts the secrets of an endpoint with the current key. One that cannot be decrypted stays unchanged: the deliveries report it.
 * @returns undefined when nothing changes
 */
export const resealed = async (
  { id: ownerId, secrets, sealedSecrets }: WebhookEndpoint,
  box: Pick<SecretBox, 'reseal'>,
): Promise<readonly string[] | undefined> => {
  const after = await Promise.all(
    secrets.map(({ id: secretId }, index) =>
      box.reseal(sealedSecrets[index] ?? '', { ownerId, secretId }).catch(() => undefined),
    ),
  );
  if (after.every((sealed) => sealed === undefined)) return undefined;
  return after.map((sealed, index) => sealed ?? sealedSecrets[index] ?? '');
};

/**
 * Encrypts the secrets of all endpoints with the current key, so that older keys can be removed. No endpoint gets a new version or an
 * event, and a failure at one of them does not stop the others.
 */
export const resealSecrets =
  ({ unitOfWork, box, observer }: Dependencies) =>
  async (): Promise<void> => {
    const { rows } = await unitOfWork.read(({ webhookEndpoints }) =>
      webhookEndpoints.page({}, { limit: WebhookEndpoint.maxCount }),
    );
    for (const endpoint of rows) {
      const { id: endpointId } = endpoint;
      if ((await resealed(endpoint, box)) === undefined) continue;
      try {
        await unitOfWork.run(async ({ webhookEndpoints, webhookQueue }) => {
          // Read again under the lock: a request may have replaced a secret.
          const locked = await webhookEndpoints.lock(endpointId);
          const sealedSecrets = locked && (await resealed(locked, box));
          if (sealedSecrets) await webhookQueue.replaceSealedSecrets(endpointId, sealedSecrets);
        });
      } catch (err) {
        observer.warn(
          'Secrets of a webhook endpoint could not be encrypted with the current key. It is tried again.',
          { endpointId, err },
        );
      }
    }
  };
