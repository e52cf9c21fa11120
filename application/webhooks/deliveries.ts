import { Instant } from '#domain/instant.ts';
import type { WebhookDelivery } from '#domain/webhooks/delivery.ts';
import { WebhookEndpoint } from '#domain/webhooks/endpoint.ts';
import type { EndpointPosition } from '#domain/webhooks/endpoint-position.ts';
import type { Feed } from '../ports/events.ts';
import type { SecretBox } from '../ports/secret-box.ts';
import type { Clock, NewId } from '../ports/system.ts';
import type { UnitOfWork } from '../ports/unit-of-work.ts';
import type { WebhookSender } from '../ports/webhook-sender.ts';
import { hastenAfterClockRollback } from './clock-rollback.ts';
import { disableAbandoned } from './disable-endpoint.ts';
import { enqueueDeliveries } from './enqueue-deliveries.ts';
import { acquireWebhookLease } from './lease.ts';
import { messageOf, type ShowEvents } from './message.ts';
import type { WebhookObserver } from './observer.ts';
import { type EndedDelivery, recordAttempts } from './record-attempts.ts';
import { resealSecrets } from './reseal-secrets.ts';

export interface WebhookDependencies {
  readonly unitOfWork: UnitOfWork;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly sender: Pick<WebhookSender, 'send'>;
  readonly box: Pick<SecretBox, 'open' | 'reseal'>;
  readonly show: ShowEvents;
  readonly observer: WebhookObserver;
  readonly disableAfterHours: number;
  /**
   * Resolves when each read sees what was committed before, also one that may lag, so that a receiver finds what an event names.
   * Undefined where no read lags.
   */
  readonly untilReplayed?: ((signal: AbortSignal) => Promise<void>) | undefined;
  /** Numbers from 0 to 1, 1 excluded. */
  readonly random: () => number;
}

/** An endpoint that is enabled, and how it fares. */
export interface EnabledEndpoint {
  readonly endpoint: WebhookEndpoint;
  /** The attempts that have failed since the last success. */
  readonly failures: number;
  /** How long all attempts have failed, in milliseconds. */
  readonly failingMs: number;
}

/** Delivers webhooks at least once, step by step. The dispatcher decides when each step runs, and how many at once. */
export const webhookDeliveries = (dependencies: WebhookDependencies) => {
  const { unitOfWork, clock, sender, observer, random } = dependencies;
  const { untilReplayed = async () => undefined } = dependencies;
  const message = messageOf(dependencies);

  return {
    enqueue: enqueueDeliveries(dependencies),
    record: recordAttempts(dependencies),
    hastenAfterClockRollback: hastenAfterClockRollback(dependencies),
    disableAbandoned: disableAbandoned(dependencies),
    resealSecrets: resealSecrets(dependencies),

    /** Acquires, renews or releases the lease, as `acquireWebhookLease`. */
    acquireLease: (holder: string, ttlMs: number): Promise<boolean> =>
      acquireWebhookLease(dependencies, holder, ttlMs),

    feed: (): Promise<Feed> => unitOfWork.read(({ events }) => events.feed()),

    /** Lists the endpoints that are enabled. */
    enabledEndpoints: (): Promise<readonly EnabledEndpoint[]> =>
      unitOfWork.read(async ({ webhookEndpoints, endpointPositions }) => {
        const { rows } = await webhookEndpoints.page({}, { limit: WebhookEndpoint.maxCount });
        const enabled = rows.filter(({ status }) => status === 'enabled');
        if (enabled.length === 0) return [];
        const progress = await endpointPositions.findBy(
          'id',
          enabled.map(({ id }) => id),
        );
        const byId = new Map<string, EndpointPosition>(progress.map((each) => [each.id, each]));
        const now = Instant.milliseconds(clock.now());
        return enabled.map((endpoint) => {
          const { failures = 0, failingSince } = byId.get(endpoint.id) ?? {};
          const failingMs = failingSince ? Math.max(0, now - Instant.milliseconds(failingSince)) : 0;
          return { endpoint, failures, failingMs };
        });
      }),

    /**
     * Lists what can be delivered now. Of a sequential endpoint it is the next in order, up to one whose time has not come. Examples hold
     * up none, however many wait.
     */
    ready: ({ id, ordering }: WebhookEndpoint, limit: number): Promise<readonly WebhookDelivery[]> =>
      unitOfWork.read(async ({ webhookQueue }) => {
        const now = clock.now();
        if (ordering === 'parallel') return webhookQueue.due(id, now, limit);
        const isEarly = ({ nextAttemptAt }: WebhookDelivery): boolean =>
          nextAttemptAt === null || nextAttemptAt > now;
        // Examples come before all events, so as many more are read as wait.
        for (let size = limit; ; size *= 2) {
          const first = await webhookQueue.first(id, size);
          const inOrder = first.filter((delivery) => delivery.trigger !== 'test' || !isEarly(delivery));
          if (inOrder.length < limit && first.length === size) continue;
          const early = inOrder.findIndex(isEarly);
          return inOrder.slice(0, early === -1 ? limit : Math.min(early, limit));
        }
      }),

    /**
     * Makes one attempt.
     * @returns undefined when it was given up, with an unknown result
     * @throws ApplicationError 'unavailable' when the newest secret cannot be opened
     */
    attempt: async (
      endpoint: WebhookEndpoint,
      delivery: WebhookDelivery,
      signal: AbortSignal,
    ): Promise<EndedDelivery | undefined> => {
      const { id, trigger, eventId } = delivery;
      const isExample = trigger === 'test';
      const event = isExample ? undefined : await unitOfWork.read(({ events }) => events.find(eventId));
      if (!isExample && event === undefined) return { id, endpoint };
      const toSend = await message(endpoint, delivery, event).catch((error: unknown) => {
        observer.attempted('not_signed');
        throw error;
      });
      if (!isExample) await untilReplayed(signal);
      if (signal.aborted) return undefined;
      const at = clock.now();
      try {
        const { isGone, ...result } = await sender.send(toSend, signal);
        observer.attempted(result.error);
        return { id, endpoint, isGone, attempt: { at, random: random(), ...result } };
      } catch (error) {
        if (signal.aborted) return undefined;
        throw error;
      }
    },
  };
};

export type WebhookDeliveries = ReturnType<typeof webhookDeliveries>;
