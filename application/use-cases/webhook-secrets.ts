import {
  type EndpointSecret,
  WebhookEndpoint,
  type WebhookEndpointId,
  type WebhookSecretId,
} from '#domain/webhooks/endpoint.ts';
import { pageOf } from '../pages.ts';
import type { Page } from '../ports/page.ts';
import type { PageRequest } from '../ports/repositories.ts';
import type { Clock, NewId } from '../ports/system.ts';
import { type ExpectedVersions, requireFound, requireVersion } from '../preconditions.ts';
import { command, query } from '../use-case.ts';
import { newSecret } from '../webhooks/new-secret.ts';
import type { WebhookPorts } from '../webhooks/ports.ts';

export interface AddSecret {
  readonly endpointId: WebhookEndpointId;
  /** How long the secret before goes on signing, in seconds. */
  readonly previousExpiresIn?: number;
}

export interface ListSecrets {
  readonly endpointId: WebhookEndpointId;
  readonly page: PageRequest<WebhookSecretId>;
}

export interface NamedSecret {
  readonly endpointId: WebhookEndpointId;
  readonly id: WebhookSecretId;
}

export interface RemoveSecret extends NamedSecret {
  readonly expectedVersions: ExpectedVersions;
}

/** A secret, and its text, which is shown once. */
export interface IssuedSecret extends EndpointSecret {
  readonly secret: string;
}

interface Dependencies {
  readonly clock: Clock;
  readonly newId: NewId;
  readonly webhooks: WebhookPorts;
}

/** Secrets of the endpoints of webhooks: staff see what distinguishes them, administrators change them. */
export const webhookSecretUseCases = ({ clock, newId, webhooks }: Dependencies) => ({
  list: query(
    'webhook-endpoints:read',
    ['not-found'],
    (_caller, { endpointId, page }: ListSecrets) =>
      async ({ webhookEndpoints }): Promise<Page<EndpointSecret>> =>
        pageOf(requireFound(await webhookEndpoints.find(endpointId)).secrets, page),
    'staff',
  ),

  get: query(
    'webhook-endpoints:read',
    ['not-found'],
    (_caller, { endpointId, id }: NamedSecret) =>
      async ({ webhookEndpoints }): Promise<EndpointSecret> =>
        secretIn(requireFound(await webhookEndpoints.find(endpointId)), id),
    'staff',
  ),

  /**
   * Replaces the secret of an endpoint. Until the one before expires, every message has the signatures of both.
   * @throws DomainError 'conflict' where no secret can be kept
   */
  add: command(
    'webhook-endpoints:write',
    ['not-found', 'conflict', 'validation'],
    (_caller, { endpointId, previousExpiresIn = WebhookEndpoint.defaultSecretOverlap }: AddSecret) =>
      async ({ webhookEndpoints }): Promise<IssuedSecret> => {
        WebhookEndpoint.requireOverlap(previousExpiresIn);
        const endpoint = requireFound(await webhookEndpoints.lock(endpointId));
        const { secret, sealed } = await newSecret(endpointId, { newId, webhooks });
        const after = WebhookEndpoint.addSecret(endpoint, sealed, previousExpiresIn, clock.now());
        await webhookEndpoints.save(after);
        return { ...requireFound(after.secrets[0]), secret };
      },
    'admin',
  ),

  /** @throws DomainError 'conflict' for the last secret */
  remove: command(
    'webhook-endpoints:write',
    ['not-found', 'conflict', 'precondition-failed'],
    (_caller, { endpointId, id, expectedVersions }: RemoveSecret) =>
      async ({ webhookEndpoints }) => {
        const endpoint = requireFound(await webhookEndpoints.lock(endpointId));
        requireVersion(secretIn(endpoint, id), expectedVersions);
        await webhookEndpoints.save(WebhookEndpoint.removeSecret(endpoint, id, clock.now()));
      },
    'admin',
  ),
});

const secretIn = ({ secrets }: WebhookEndpoint, id: WebhookSecretId): EndpointSecret =>
  requireFound(secrets.find((secret) => secret.id === id));
