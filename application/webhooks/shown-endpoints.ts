import type { Instant } from '#domain/instant.ts';
import type { Resource } from '#domain/resource.ts';
import type { WebhookEndpoint } from '#domain/webhooks/endpoint.ts';
import type { WebhookProgress } from '#domain/webhooks/progress.ts';
import type { ReadRepositories } from '../ports/repositories.ts';
import { requireFound } from '../preconditions.ts';

/** An endpoint, and how far it is, which is no part of its version. */
export interface ShownEndpoint extends WebhookEndpoint {
  readonly position: number;
  readonly failingSince: Instant | null;
}

export const showEndpoint = (
  endpoint: WebhookEndpoint,
  { position, failingSince }: Pick<WebhookProgress, 'position' | 'failingSince'>,
): ShownEndpoint => ({ ...endpoint, position, failingSince });

/** Adds to endpoints how far each is. */
export const readShownEndpoints = async (
  endpoints: readonly WebhookEndpoint[],
  { webhookProgress }: Pick<ReadRepositories, 'webhookProgress'>,
): Promise<readonly ShownEndpoint[]> => {
  if (endpoints.length === 0) return [];
  const found = await webhookProgress.findBy(
    'id',
    endpoints.map(({ id }) => id),
  );
  const byId = new Map<Resource['id'], WebhookProgress>(found.map((progress) => [progress.id, progress]));
  // Without progress the endpoint was deleted between the two reads.
  return endpoints.flatMap((endpoint) => {
    const progress = byId.get(endpoint.id);
    return progress === undefined ? [] : [showEndpoint(endpoint, progress)];
  });
};

export const readShownEndpoint = async (
  endpoint: WebhookEndpoint,
  repositories: Pick<ReadRepositories, 'webhookProgress'>,
): Promise<ShownEndpoint> => requireFound((await readShownEndpoints([endpoint], repositories))[0]);
