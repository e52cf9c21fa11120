import type { Instant } from '#domain/instant.ts';
import { WebhookAttempts } from '#domain/webhooks/attempts.ts';
import {
  type WebhookDisabledReason,
  WebhookEndpoint,
  type WebhookEndpointId,
} from '#domain/webhooks/endpoint.ts';
import type { EndpointPosition } from '#domain/webhooks/endpoint-position.ts';
import type { Repositories } from '../ports/repositories.ts';
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

/** Whether an endpoint that is locked with its progress is still to be disabled. */
type IsDue = (locked: {
  readonly repositories: Repositories;
  readonly progress: EndpointPosition | undefined;
  readonly at: Instant;
}) => Promise<boolean>;

/** Disables an endpoint that is locked with its progress, and holds its deliveries back. */
export const disableLocked = async (
  { webhookEndpoints, webhookQueue }: Pick<Repositories, 'webhookEndpoints' | 'webhookQueue'>,
  endpoint: WebhookEndpoint,
  reason: WebhookDisabledReason,
  at: Instant,
): Promise<void> => {
  await webhookEndpoints.save(WebhookEndpoint.disable(endpoint, reason, at));
  await webhookQueue.reschedule(endpoint.id, null, at);
};

/** Reports that an endpoint was disabled, once that is committed. */
export const reportDisabled = (
  { observer, disableAfterHours }: Pick<Dependencies, 'observer' | 'disableAfterHours'>,
  endpointId: WebhookEndpointId,
  reason: WebhookDisabledReason,
): void => {
  observer.disabled(reason);
  const why =
    reason === 'gone' ? 'its receiver has answered 410' : `it has failed for ${disableAfterHours} hours`;
  observer.warn(
    `A webhook endpoint was disabled, because ${why}. Events wait for it as long as they are kept: enable it when its receiver works again, and set its position back for deliveries that have failed.`,
    { endpointId },
  );
};

/**
 * Disables an endpoint that fails, unless it has been changed since it was read.
 * @param isDue checks again, by what is stored when nothing else can change it
 */
export const disableFailing =
  (dependencies: Dependencies) =>
  async ({ id, version }: WebhookEndpoint, isDue: IsDue = async () => true): Promise<void> => {
    const { unitOfWork, clock } = dependencies;
    const isDisabled = await unitOfWork.run(async (repositories) => {
      const { webhookEndpoints, endpointPositions } = repositories;
      const endpoint = await webhookEndpoints.lock(id);
      if (endpoint?.version !== version || endpoint.status !== 'enabled') return false;
      const progress = await endpointPositions.lock(id);
      const at = clock.now();
      if (!(await isDue({ repositories, progress, at }))) return false;
      await disableLocked(repositories, endpoint, 'failing', at);
      return true;
    });
    if (isDisabled) reportDisabled(dependencies, id, 'failing');
  };

/**
 * Disables an endpoint that has failed for too long while nothing is attempted, because its deliveries have failed or wait for hours.
 * Where something is due, its attempt decides: after a weekend without a server the receiver may work again.
 */
export const disableAbandoned = (dependencies: Dependencies) => {
  const { unitOfWork, clock, disableAfterHours } = dependencies;
  const disable = disableFailing(dependencies);
  const isAbandoned = (progress: EndpointPosition | undefined, at: Instant): boolean =>
    WebhookAttempts.isAbandoned(progress?.failingSince ?? null, at, disableAfterHours);
  return async (endpoint: WebhookEndpoint): Promise<void> => {
    const { id } = endpoint;
    const progress = await unitOfWork.read(({ endpointPositions }) => endpointPositions.find(id));
    if (!isAbandoned(progress, clock.now())) return;
    await disable(endpoint, async ({ repositories, progress: locked, at }) => {
      if (!isAbandoned(locked, at)) return false;
      return (await repositories.webhookQueue.due(id, at, 1)).length === 0;
    });
  };
};
