import { Instant } from '#domain/instant.ts';
import { WebhookEndpoint } from '#domain/webhooks/endpoint.ts';
import type { Clock } from '../ports/system.ts';
import type { UnitOfWork } from '../ports/unit-of-work.ts';
import { type LossObserver, reportUndelivered } from './observer.ts';

interface Dependencies {
  readonly unitOfWork: UnitOfWork;
  readonly clock: Clock;
  readonly observer: LossObserver;
}

/** The time between two runs, in milliseconds. Each locks the progress of every endpoint, for which deliveries wait. */
const pauseMs = 60_000;

/** Cancels deliveries whose events are deleted, once a minute: those of an endpoint that is disabled would wait for nothing. */
export const cancelOrphanedDeliveries = ({ unitOfWork, clock, observer }: Dependencies) => {
  let checkedAt = Number.NEGATIVE_INFINITY;
  let firstThen = 0;

  return async (): Promise<void> => {
    const now = clock.now();
    // The clock may have been set back.
    if (Math.abs(Instant.milliseconds(now) - checkedAt) < pauseMs) return;
    const { endpoints, first } = await unitOfWork.read(async ({ webhookEndpoints, events }) => ({
      endpoints: (await webhookEndpoints.page({}, { limit: WebhookEndpoint.maxCount })).rows,
      first: (await events.feed()).first,
    }));
    if (first !== firstThen) {
      for (const { id } of endpoints) {
        const canceled = await unitOfWork.run(async ({ endpointPositions, webhookQueue }) => {
          // First, as wherever many deliveries of an endpoint are changed.
          await endpointPositions.lock(id);
          return webhookQueue.cancelOrphaned(id, first, now);
        });
        reportUndelivered(observer, id, canceled);
      }
    }
    checkedAt = Instant.milliseconds(now);
    firstThen = first;
  };
};
