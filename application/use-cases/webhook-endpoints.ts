import { DomainError, invalidField } from '#domain/errors.ts';
import type { Instant } from '#domain/instant.ts';
import {
  WebhookEndpoint,
  type WebhookEndpointChanges,
  type WebhookEndpointDetails,
  type WebhookEndpointId,
} from '#domain/webhooks/endpoint.ts';
import { EndpointPosition } from '#domain/webhooks/endpoint-position.ts';
import type { Feed } from '../ports/events.ts';
import type { Page } from '../ports/page.ts';
import type { PageRequest, Repositories } from '../ports/repositories.ts';
import type { Clock, NewId } from '../ports/system.ts';
import { type ExpectedVersions, requireFound, requireVersion } from '../preconditions.ts';
import { command, query } from '../use-case.ts';
import { newSecret } from '../webhooks/new-secret.ts';
import type { WebhookPorts } from '../webhooks/ports.ts';
import {
  readShownEndpoint,
  readShownEndpoints,
  type ShownEndpoint,
  showEndpoint,
} from '../webhooks/shown-endpoints.ts';

/** What the endpoint of a change or a deletion is named by. */
export interface AtVersion {
  readonly id: WebhookEndpointId;
  readonly expectedVersions: ExpectedVersions;
}

export interface ChangeEndpoint extends AtVersion {
  readonly changes: WebhookEndpointChanges & {
    /** The sequence that deliveries begin after, once more where it is set back. */
    readonly position?: number;
  };
}

/** A new endpoint, and its first secret, which is shown once. */
export interface CreatedEndpoint {
  readonly endpoint: ShownEndpoint;
  readonly secret: string;
}

interface Dependencies {
  readonly clock: Clock;
  readonly newId: NewId;
  readonly webhooks: WebhookPorts;
}

/** Endpoints of webhooks: staff see them, administrators change them. */
export const webhookEndpointUseCases = ({ clock, newId, webhooks }: Dependencies) => {
  const { sender } = webhooks;

  const requireCallable = (url: string): void => {
    const problem = sender.problemOf(url);
    if (problem !== undefined) throw invalidField('url', problem);
  };

  return {
    list: query(
      'webhook-endpoints:read',
      [],
      (_caller, page: PageRequest<WebhookEndpointId>) =>
        async (repositories): Promise<Page<ShownEndpoint>> => {
          const { rows, hasMore } = await repositories.webhookEndpoints.page({}, page);
          return { rows: await readShownEndpoints(rows, repositories), hasMore };
        },
      'staff',
    ),

    get: query(
      'webhook-endpoints:read',
      ['not-found'],
      (_caller, id: WebhookEndpointId) => async (repositories) =>
        readShownEndpoint(requireFound(await repositories.webhookEndpoints.find(id)), repositories),
      'staff',
    ),

    /**
     * Creates an endpoint, which receives what happens from now on.
     * @throws DomainError 'conflict' when there are too many already, or no secret can be kept
     */
    create: command(
      'webhook-endpoints:write',
      ['conflict', 'validation'],
      (_caller, details: WebhookEndpointDetails) =>
        async (repositories): Promise<CreatedEndpoint> => {
          const { webhookEndpoints, endpointPositions, events } = repositories;
          const valid = WebhookEndpoint.requireDetails(details);
          requireCallable(valid.url);
          const at = clock.now();
          await requireRoom(repositories, at);
          const id: WebhookEndpointId = newId();
          // Last, because the first secret creates its key: a rejected request creates none.
          const { secret, sealed } = await newSecret(id, { newId, webhooks });
          const endpoint = WebhookEndpoint.create(id, valid, sealed, at);
          const progress = EndpointPosition.begin(id, (await events.feed()).last, at);
          await webhookEndpoints.add(endpoint);
          await endpointPositions.add(progress);
          return { endpoint: showEndpoint(endpoint, progress), secret };
        },
      'admin',
    ),

    /**
     * Changes an endpoint, and its position, which changes no version. Enabled again, it goes on where it was.
     * @throws DomainError 'validation' for a position that the feed does not reach, or whose next events are no longer kept
     */
    change: command(
      'webhook-endpoints:write',
      ['not-found', 'precondition-failed', 'validation'],
      (_caller, { id, expectedVersions, changes }: ChangeEndpoint) =>
        async (repositories) => {
          const { webhookEndpoints, endpointPositions, webhookQueue, events } = repositories;
          const before = requireFound(await webhookEndpoints.lock(id));
          requireVersion(before, expectedVersions);
          const { position, ...details } = changes;
          const at = clock.now();
          const after =
            Object.keys(details).length === 0 ? before : WebhookEndpoint.change(before, details, at);
          if (after.url !== before.url) requireCallable(after.url);
          if (after !== before) await webhookEndpoints.save(after);

          const progress = requireFound(await endpointPositions.lock(id));
          let moved = progress;
          if (position !== undefined) {
            requireKept(position, await events.feed());
            // They are enqueued again. If they stayed pending, they would overtake the earlier ones, and come twice.
            await webhookQueue.cancelEnqueued(id, position, at);
            moved = EndpointPosition.moveTo(moved, position, at);
          }
          const isEnabled = after.status === 'enabled';
          const hasNewStatus = after.status !== before.status;
          // Failures at the old URL do not count for the new one.
          if ((hasNewStatus && isEnabled) || after.url !== before.url)
            moved = EndpointPosition.clear(moved, at);
          // The delays of the other ordering are not those of this one.
          if (hasNewStatus || (isEnabled && after.ordering !== before.ordering))
            await webhookQueue.reschedule(id, isEnabled ? at : null, at);
          // Both changes are one version of the progress.
          if (moved !== progress) await endpointPositions.save({ ...moved, version: progress.version + 1 });
          return showEndpoint(after, moved);
        },
      'admin',
    ),

    /** Deletes an endpoint, and cancels what it has not received. */
    remove: command(
      'webhook-endpoints:write',
      ['not-found', 'precondition-failed'],
      (_caller, { id, expectedVersions }: AtVersion) =>
        async ({ webhookEndpoints, endpointPositions, webhookQueue }) => {
          requireVersion(requireFound(await webhookEndpoints.lock(id)), expectedVersions);
          await endpointPositions.lock(id);
          await webhookQueue.cancelAll(id, clock.now());
          await endpointPositions.remove(id);
          await webhookEndpoints.remove(id);
        },
      'admin',
    ),
  };
};

/**
 * Creations write one and the same row before they count, so that of two at once the second sees the first: also where there is no
 * endpoint yet, and in a cluster whose locks bind one node only. That row is a lease which all of them hold.
 * @throws DomainError 'conflict' when there are as many as there may be
 */
const requireRoom = async (
  { webhookEndpoints, leases }: Pick<Repositories, 'webhookEndpoints' | 'leases'>,
  at: Instant,
): Promise<void> => {
  await leases.acquire({ name: 'webhook-endpoint-creation', holder: 'any', expiresAt: at }, at);
  const { rows } = await webhookEndpoints.page({}, { limit: WebhookEndpoint.maxCount });
  if (rows.length >= WebhookEndpoint.maxCount)
    throw new DomainError(
      'conflict',
      `There are ${WebhookEndpoint.maxCount} webhook endpoints already. Delete one that is no longer used.`,
    );
};

/** @throws DomainError 'validation' */
const requireKept = (position: number, { first, last }: Feed): void => {
  if (position >= first - 1 && position <= last) return;
  throw invalidField(
    'position',
    `must be from ${first - 1} to ${last}, because the events after it must exist or follow`,
  );
};
