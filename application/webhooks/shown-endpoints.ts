import type { Instant } from '#domain/instant.ts';
import type { Resource } from '#domain/resource.ts';
import type { WebhookEndpoint } from '#domain/webhooks/endpoint.ts';
import type { EndpointPosition } from '#domain/webhooks/endpoint-position.ts';
import type { ReadRepositories } from '../ports/repositories.ts';
import { requireFound } from '../preconditions.ts';

/** An endpoint, and how far it is, which is no part of its version. */
export interface ShownEndpoint extends WebhookEndpoint {
  readonly position: number;
  readonly failingSince: Instant | null;
}

export const showEndpoint = (
  endpoint: WebhookEndpoint,
  { position, failingSince }: Pick<EndpointPosition, 'position' | 'failingSince'>,
): ShownEndpoint => ({ ...endpoint, position, failingSince });

/** Adds to endpoints how far each is. */
export const readShownEndpoints = async (
  endpoints: readonly WebhookEndpoint[],
  { endpointPositions }: Pick<ReadRepositories, 'endpointPositions'>,
): Promise<readonly ShownEndpoint[]> => {
  if (endpoints.length === 0) return [];
  const found = await endpointPositions.findBy(
    'id',
    endpoints.map(({ id }) => id),
  );
  const byId = new Map<Resource['id'], EndpointPosition>(found.map((progress) => [progress.id, progress]));
  // Without progress the endpoint was deleted between the two reads.
  return endpoints.flatMap((endpoint) => {
    const progress = byId.get(endpoint.id);
    return progress === undefined ? [] : [showEndpoint(endpoint, progress)];
  });
};

export const readShownEndpoint = async (
  endpoint: WebhookEndpoint,
  repositories: Pick<ReadRepositories, 'endpointPositions'>,
): Promise<ShownEndpoint> => requireFound((await readShownEndpoints([endpoint], repositories))[0]);
