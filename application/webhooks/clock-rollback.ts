import { Instant } from '#domain/instant.ts';
import { WebhookAttempts } from '#domain/webhooks/attempts.ts';
import { WebhookDelivery } from '#domain/webhooks/delivery.ts';
import type { WebhookEndpoint } from '#domain/webhooks/endpoint.ts';
import { type Clock, latestPlausibleExpiry } from '../ports/system.ts';
import type { UnitOfWork } from '../ports/unit-of-work.ts';
import { maxUntried } from './enqueue-deliveries.ts';
import type { WebhookObserver } from './observer.ts';

interface Dependencies {
  readonly unitOfWork: UnitOfWork;
  readonly clock: Clock;
  readonly observer: Pick<WebhookObserver, 'warn'>;
}

/**
 * Makes all pending deliveries of an endpoint due where one of them waits for longer than it can: its time was written before the clock
 * was set back. Without that it would wait for as long as the clock was ahead, and a sequential endpoint would get nothing meanwhile.
 */
export const hastenAfterClockRollback =
  ({ unitOfWork, clock, observer }: Dependencies) =>
  async (endpoint: WebhookEndpoint): Promise<void> => {
    const { id } = endpoint;
    const now = clock.now();
    const isImplausible = (delivery: WebhookDelivery): boolean => {
      const { nextAttemptAt, attemptCount } = delivery;
      const ordering = WebhookDelivery.orderingOf(delivery, endpoint);
      const latest = Instant.plus(now, WebhookAttempts.maxDelayAfter(ordering, attemptCount));
      return nextAttemptAt !== null && nextAttemptAt > latestPlausibleExpiry(latest);
    };
    const pending = await unitOfWork.read(({ webhookQueue }) => webhookQueue.first(id, maxUntried));
    if (!pending.some(isImplausible)) return;
    const isDone = await unitOfWork.run(async ({ webhookEndpoints, endpointPositions, webhookQueue }) => {
      const current = await webhookEndpoints.lock(id);
      if (current?.status !== 'enabled') return false;
      await endpointPositions.lock(id);
      const at = clock.now();
      await webhookQueue.reschedule(id, at, at);
      return true;
    });
    if (isDone)
      observer.warn(
        'Deliveries to this webhook endpoint waited for too long, because the clock was set back. They are made now.',
        { endpointId: id },
      );
  };
