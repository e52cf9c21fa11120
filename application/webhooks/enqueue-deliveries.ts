import type { Event } from '#domain/event.ts';
import { WebhookDelivery } from '#domain/webhooks/delivery.ts';
import { WebhookEndpoint } from '#domain/webhooks/endpoint.ts';
import { EndpointPosition } from '#domain/webhooks/endpoint-position.ts';
import type { Feed } from '../ports/events.ts';
import type { Clock, NewId } from '../ports/system.ts';
import type { UnitOfWork } from '../ports/unit-of-work.ts';
import type { WebhookObserver } from './observer.ts';

interface Dependencies {
  readonly unitOfWork: UnitOfWork;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly observer: WebhookObserver;
}

/** How many events one unit of work enqueues. */
const batchSize = 100;

/**
 * How many deliveries of an endpoint may wait for their first attempt. More are not made, so that a receiver that is down costs the
 * same however long it is: its position stays behind.
 */
export const maxUntried = 1_000;

/**
 * A position that matched nothing moves on when it is so many events behind, or at the end of a quiet time: most events do not match
 * most endpoints, and each move is a write.
 */
const idleMoveEvents = 1_000;

export interface EnqueuedDeliveries {
  /** How many deliveries were made. */
  readonly count: number;
  /** Whether some were enqueued before: the position was set back, and what was pending behind it is canceled. */
  readonly isReplay: boolean;
  /** How many events are behind the position. */
  readonly lag: number;
  /** Whether another call would enqueue more at once. */
  readonly hasMore: boolean;
}

const nothing: EnqueuedDeliveries = { count: 0, isReplay: false, lag: 0, hasMore: false };

/**
 * Hands the next events over to an endpoint: its position and the deliveries are written together, and only if the position is still
 * where the events were read (compare-and-set). So two processes never enqueue one event twice, and none is omitted.
 * @param endpoint as it was read, enabled; where it has changed since, nothing is enqueued
 */
export const enqueueDeliveries =
  ({ unitOfWork, clock, newId, observer }: Dependencies) =>
  async (endpoint: WebhookEndpoint, feed: Feed, isQuiet: boolean): Promise<EnqueuedDeliveries> => {
    const { id: endpointId } = endpoint;
    const found = await unitOfWork.read(({ endpointPositions }) => endpointPositions.find(endpointId));
    if (found === undefined) return nothing;
    const behind = (position: number): number => Math.max(0, feed.last - position);
    if (found.position >= Math.max(feed.last, feed.first - 1))
      return { ...nothing, lag: behind(found.position) };

    const untried = await unitOfWork.read(({ webhookQueue }) =>
      webhookQueue.countUntried(endpointId, maxUntried),
    );
    if (untried >= maxUntried) return { ...nothing, lag: behind(found.position) };

    const types = WebhookEndpoint.typesOf(endpoint);
    const limit = Math.min(batchSize, maxUntried - untried);
    // The end of the feed was read before its page: all events up to it are in the page, or behind it. Its begin is read after the
    // page, so that an event that was deleted meanwhile is not mistaken for one that does not match.
    const { page, kept } = await unitOfWork.read(async ({ events }) => ({
      page: await events.page({ ...(types !== undefined && { types }) }, { after: found.position, limit }),
      kept: await events.feed(),
    }));
    const { hasMore } = page;
    const rows = page.rows.filter(({ sequence }) => sequence >= kept.first);
    const start = Math.max(found.position, kept.first - 1);
    const lost = start - found.position;
    const last = rows.at(-1)?.sequence ?? start;
    const position = hasMore ? last : Math.max(last, feed.last);
    const isIdle = rows.length === 0 && !isQuiet && lost === 0;
    if (isIdle && position - found.position < idleMoveEvents) return nothing;

    const isDone = await unitOfWork.run(
      async ({ webhookEndpoints, endpointPositions, webhookDeliveries }) => {
        const progress = await endpointPositions.lock(endpointId);
        const current = await webhookEndpoints.find(endpointId);
        // It may have been disabled meanwhile, or have other types: events of new types would be omitted for good.
        if (progress?.position !== found.position || current?.version !== endpoint.version) return false;
        const at = clock.now();
        const toDelivery = ({ id: eventId, type: eventType, sequence }: Event) =>
          WebhookDelivery.create(
            newId(),
            {
              ...{ endpointId, eventId, eventType, sequence },
              trigger: sequence <= progress.furthest ? 'position' : 'event',
            },
            at,
          );
        await webhookDeliveries.addAll(rows.map(toDelivery));
        await endpointPositions.save(EndpointPosition.moveTo(progress, position, at));
        return true;
      },
    );
    // Once they are passed, and so only once.
    if (isDone && lost > 0) {
      observer.lost(lost);
      observer.warn(
        `Events ${found.position + 1} to ${start} were deleted before they were enqueued for this webhook endpoint. It goes on with the oldest that is kept.`,
        { endpointId },
      );
    }
    if (!isDone) return { ...nothing, lag: behind(found.position) };
    const isReplay = rows.some(({ sequence }) => sequence <= found.furthest);
    return { count: rows.length, isReplay, lag: behind(position), hasMore };
  };
