import { WebhookAttempts } from '#domain/webhooks/attempts.ts';
import { type EndedAttempt, WebhookDelivery, type WebhookDeliveryId } from '#domain/webhooks/delivery.ts';
import type { WebhookEndpoint } from '#domain/webhooks/endpoint.ts';
import { EndpointPosition } from '#domain/webhooks/endpoint-position.ts';
import type { Clock } from '../ports/system.ts';
import type { UnitOfWork } from '../ports/unit-of-work.ts';
import { disableFailing, disableLocked, reportDisabled } from './disable-endpoint.ts';
import { reportUndelivered, type WebhookObserver } from './observer.ts';

/** What became of a delivery: an attempt has ended, or there is nothing left to deliver. */
export interface EndedDelivery {
  readonly id: WebhookDeliveryId;
  /** As it was when the attempt began. */
  readonly endpoint: Pick<WebhookEndpoint, 'version' | 'url'>;
  /** Undefined: the event is no longer kept. */
  readonly attempt?: Omit<EndedAttempt, 'ordering'>;
  readonly isGone?: boolean;
}

/**
 * Whether an attempt counts for the endpoint as it is now. A success at its URL does, whatever else has changed. A failure waits for
 * the next attempt where anything has: the endpoint may have been enabled again, or have another secret.
 */
export const countsTowardHealth = (
  { version, url }: WebhookEndpoint,
  { endpoint: then, attempt }: Pick<EndedDelivery, 'endpoint' | 'attempt'>,
): boolean => then.version === version || (attempt?.error === null && then.url === url);

interface Dependencies {
  readonly unitOfWork: UnitOfWork;
  readonly clock: Clock;
  readonly observer: WebhookObserver;
  /** How long an endpoint may fail before it is disabled. */
  readonly disableAfterHours: number;
}

/**
 * Records what became of deliveries of one endpoint, in the order in which they ended. A delivery that was canceled meanwhile stays so.
 * A late 410 does not disable an endpoint that was enabled again, and failures at an old URL do not count against the new one.
 */
export const recordAttempts = (dependencies: Dependencies) => {
  const { unitOfWork, clock, observer, disableAfterHours } = dependencies;
  const disable = disableFailing(dependencies);

  return async (
    { id: endpointId, ordering }: WebhookEndpoint,
    ended: readonly EndedDelivery[],
  ): Promise<void> => {
    const mayBeGone = ended.some(({ isGone }) => isGone);
    const recorded = await unitOfWork.run(async (repositories) => {
      const { webhookEndpoints, endpointPositions, webhookDeliveries } = repositories;
      const at = clock.now();
      const lockedEndpoint = mayBeGone ? await webhookEndpoints.lock(endpointId) : undefined;
      const progress = await endpointPositions.lock(endpointId);
      const endpoint = lockedEndpoint ?? (await webhookEndpoints.find(endpointId));
      const locked = await webhookDeliveries.lockBy(
        'id',
        ended.map(({ id }) => id),
      );
      const byId = new Map(locked.map((delivery) => [delivery.id, delivery]));
      const isPending = ({ id }: EndedDelivery): boolean => byId.get(id)?.status === 'pending';
      const undelivered = ended.filter((each) => each.attempt === undefined && isPending(each)).length;
      const after = ended.flatMap(({ id, attempt }) => {
        const delivery = byId.get(id);
        if (delivery?.status !== 'pending') return [];
        if (attempt === undefined) return [WebhookDelivery.cancel(delivery, at)];
        const noted = WebhookDelivery.note(
          delivery,
          { ...attempt, ordering: endpoint?.ordering ?? ordering },
          at,
        );
        // Disabled meanwhile: it is not tried again before it is enabled.
        return [delivery.nextAttemptAt === null ? { ...noted, nextAttemptAt: null } : noted];
      });
      await webhookDeliveries.saveAll(after);
      if (progress === undefined || endpoint === undefined) return { undelivered };

      const counting = ended.filter((each) => countsTowardHealth(endpoint, each));
      const attempts = counting.flatMap(({ attempt }) =>
        attempt === undefined ? [] : [{ isSuccess: attempt.error === null, at: attempt.at }],
      );
      // By the response of the attempt: it is not made again.
      const isGone = endpoint.status === 'enabled' && counting.some((each) => each.isGone);
      if (isGone) await disableLocked(repositories, endpoint, 'gone', at);
      const hasNews = progress.failures > 0 || attempts.some(({ isSuccess }) => !isSuccess);
      if (!hasNews || attempts.length === 0) return { undelivered, endpoint, isGone };
      const noted = EndpointPosition.note(progress, attempts, at);
      await endpointPositions.save(noted);
      return { undelivered, endpoint, isGone, failingSince: noted.failingSince };
    });
    const { undelivered, endpoint, isGone = false, failingSince = null } = recorded;
    reportUndelivered(observer, endpointId, undelivered);
    if (endpoint === undefined) return;
    if (isGone) reportDisabled(dependencies, endpointId, 'gone');
    else if (WebhookAttempts.isAbandoned(failingSince, clock.now(), disableAfterHours))
      await disable(endpoint);
  };
};
