import type { Instant } from '#domain/instant.ts';
import { WebhookAttempts } from '#domain/webhooks/attempts.ts';
import { type WebhookDisabledReason, WebhookEndpoint } from '#domain/webhooks/endpoint.ts';
import type { WebhookProgress } from '#domain/webhooks/progress.ts';
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
  readonly progress: WebhookProgress | undefined;
  readonly at: Instant;
}) => Promise<boolean>;

/**
 * Disables an endpoint, unless it has been changed since it was read, and holds its deliveries back.
 * @param isDue looks again, by what is stored when nothing else can change it
 */
export const disableEndpoint =
  ({ unitOfWork, clock, observer, disableAfterHours }: Dependencies) =>
  async (
    { id, version }: WebhookEndpoint,
    reason: WebhookDisabledReason,
    isDue: IsDue = async () => true,
  ): Promise<void> => {
    const isDisabled = await unitOfWork.run(async (repositories) => {
      const { webhookEndpoints, webhookProgress, webhookQueue } = repositories;
      const endpoint = await webhookEndpoints.lock(id);
      if (endpoint?.version !== version || endpoint.status !== 'enabled') return false;
      const progress = await webhookProgress.lock(id);
      const at = clock.now();
      if (!(await isDue({ repositories, progress, at }))) return false;
      await webhookEndpoints.save(WebhookEndpoint.disable(endpoint, reason, at));
      await webhookQueue.reschedule(id, null, at);
      return true;
    });
    if (!isDisabled) return;
    observer.disabled(reason);
    const why =
      reason === 'gone' ? 'its receiver has answered 410' : `it has failed for ${disableAfterHours} hours`;
    observer.warn(
      `A webhook endpoint was disabled, because ${why}. Events wait for it as long as they are kept: enable it when its receiver works again, and set its position back for deliveries that have failed.`,
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
  const isAbandoned = (progress: WebhookProgress | undefined, at: Instant): boolean =>
    WebhookAttempts.isAbandoned(progress?.failingSince ?? null, at, disableAfterHours);
  return async (endpoint: WebhookEndpoint): Promise<void> => {
    const { id } = endpoint;
    const progress = await unitOfWork.read(({ webhookProgress }) => webhookProgress.find(id));
    if (!isAbandoned(progress, clock.now())) return;
    await disable(endpoint, 'failing', async ({ repositories, progress: locked, at }) => {
      if (!isAbandoned(locked, at)) return false;
      return (await repositories.webhookQueue.due(id, at, 1)).length === 0;
    });
  };
};
