import { DomainError } from '#domain/errors.ts';
import type { SealedSecret, WebhookEndpointId, WebhookSecretId } from '#domain/webhooks/endpoint.ts';
import { WebhookSecret } from '#domain/webhooks/secret.ts';
import type { NewId } from '../ports/system.ts';
import type { WebhookPorts } from './ports.ts';

interface Dependencies {
  readonly newId: NewId;
  readonly webhooks: Pick<WebhookPorts, 'box' | 'randomSecret'>;
}

/**
 * Makes a secret of an endpoint, in plain and encrypted.
 * @throws DomainError 'conflict', whose message names what to set, where no secret can be kept
 */
export const newSecret = async (
  ownerId: WebhookEndpointId,
  { newId, webhooks: { box, randomSecret } }: Dependencies,
): Promise<{ readonly secret: string; readonly sealed: SealedSecret }> => {
  if (box.problem !== undefined) throw new DomainError('conflict', box.problem);
  const id: WebhookSecretId = newId();
  const secret = WebhookSecret.of(randomSecret());
  const sealed = await box.seal(secret, { ownerId, secretId: id });
  return { secret, sealed: { id, hint: WebhookSecret.hintOf(secret), sealed } };
};
