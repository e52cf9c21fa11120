import { WebhookAttempts } from '#domain/webhooks/attempts.ts';
import { type WebhookDisabledReason, WebhookEndpoint } from '#domain/webhooks/endpoint.ts';
import type { Clock } from '../ports/system.ts';
import type { UnitOfWork } from '../ports/unit-of-work.ts';
import type { WebhookObserver } from './observer.ts';

interface Dependencies {
  readonly unitOfWork: UnitOfWork;
  readonly clock: Clock;
  readonly observer: Pick<WebhookObserver, 'disabled' | 'warn'>;
  /** How long an endpoint may fail before it is disabled. */
  readonly disableAfterHours: number;
}

/** Disables an endpoint, unless it has been changed since it was read, and holds its deliveries back. */
export const disableEndpoint =
  ({ unitOfWork, clock, observer, disableAfterHours }: Dependencies) =>
  async ({ id, version }: WebhookEndpoint, reason: WebhookDisabledReason): Promise<void> => {
    const isDisabled = await unitOfWork.run(async ({ webhookEndpoints, webhookProgress, webhookQueue }) => {
      const endpoint = await webhookEndpoints.lock(id);
      if (endpoint?.version !== version || endpoint.status !== 'enabled') return false;
      const at = clock.now();
      await webhookProgress.lock(id);
      await webhookEndpoints.save(WebhookEndpoint.disable(endpoint, reason, at));
      await webhookQueue.reschedule(id, null, at);
      return true;
    });
    if (!isDisabled) return;
    observer.disabled(reason);
    const why =
      reason === 'gone' ? 'its receiver has answered 410' : `it has failed for ${disableAfterHours} hours`;
    observer.warn(
      `A webhook endpoint was disabled, because ${why}. Events wait for it as long as they are kept: enable it when its receiver works again.`,
      { endpointId: id },
    );
  };

/**
 * Disables an endpoint that has failed for too long while nothing is attempted, because its deliveries have failed or wait for hours.
 * Where something is due, its attempt decides: after a weekend without a server the receiver may work again.
 */
export const disableAbandoned = (dependencies: Dependencies) => {
  const { unitOfWork, clock, disableAfterHours } = dependencies;
  const disable = disableEndpoint(dependencies);
  return async (endpoint: WebhookEndpoint): Promise<void> => {
    const now = clock.now();
    const isAbandoned = await unitOfWork.read(async ({ webhookProgress, webhookQueue }) => {
      const { failingSince = null } = (await webhookProgress.find(endpoint.id)) ?? {};
      if (!WebhookAttempts.isAbandoned(failingSince, now, disableAfterHours)) return false;
      return (await webhookQueue.due(endpoint.id, now, 1)).length === 0;
    });
    if (isAbandoned) await disable(endpoint, 'failing');
  };
};
