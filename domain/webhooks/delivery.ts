import type { EventType } from '../event.ts';
import type { EventId } from '../event-id.ts';
import { Instant } from '../instant.ts';
import { type Id, newResource, type Resource, updated } from '../resource.ts';
import { WebhookAttempts, type WebhookOrdering } from './attempts.ts';
import type { WebhookEndpointId } from './endpoint.ts';

export type WebhookDeliveryId = Id<'webhook-delivery'>;

/** `failed`: the last attempt was made (a dead letter). `canceled`: the endpoint or the event is gone. */
export const webhookDeliveryStatuses = ['pending', 'succeeded', 'failed', 'canceled'] as const;
export type WebhookDeliveryStatus = (typeof webhookDeliveryStatuses)[number];

/** Why it was made: the event itself, a position that was set back, a request, or a request for an example. */
export const webhookTriggers = ['event', 'position', 'manual', 'test'] as const;
export type WebhookTrigger = (typeof webhookTriggers)[number];

/** Why an attempt has failed. `status`: the receiver has answered, and not with a success. */
export const webhookErrors = [
  'connection_failed',
  'tls_failed',
  'timed_out',
  'address_rejected',
  'name_unknown',
  'status',
] as const;
export type WebhookError = (typeof webhookErrors)[number];

export interface WebhookAttempt {
  /** When it began. */
  readonly at: Instant;
  readonly durationMs: number;
  /** What the receiver answered; null when no response arrived. */
  readonly statusCode: number | null;
  /** Null for a success. */
  readonly error: WebhookError | null;
}

/** One event on its way to one endpoint. It is kept as long as events are. */
export interface WebhookDelivery extends Resource<WebhookDeliveryId> {
  readonly endpointId: WebhookEndpointId;
  /** Of an example: an id that no event has. */
  readonly eventId: EventId;
  readonly eventType: EventType;
  /** The place of the event in the feed; 0 for an example, which has none. */
  readonly sequence: number;
  readonly status: WebhookDeliveryStatus;
  readonly trigger: WebhookTrigger;
  readonly attemptCount: number;
  /** Null when it has ended, and while the endpoint is disabled. */
  readonly nextAttemptAt: Instant | null;
  /** The last ten. */
  readonly attempts: readonly WebhookAttempt[];
}

export type NewWebhookDelivery = Pick<
  WebhookDelivery,
  'endpointId' | 'eventId' | 'eventType' | 'sequence' | 'trigger'
>;

export interface EndedAttempt extends WebhookAttempt {
  readonly ordering: WebhookOrdering;
  /** How long the receiver asks to wait, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  /** From 0 to 1, 1 excluded. */
  readonly random: number;
}

export const WebhookDelivery = {
  maxAttemptsKept: 10,

  /** @param nextAttemptAt null for an endpoint that is disabled */
  create: (
    id: WebhookDeliveryId,
    details: NewWebhookDelivery,
    at: Instant,
    nextAttemptAt: Instant | null = at,
  ): WebhookDelivery => ({
    ...newResource(id, at),
    ...details,
    ...{ status: 'pending', attemptCount: 0, nextAttemptAt, attempts: [] },
  }),

  /** An attempt has ended: the delivery has, too, or it is tried again later. */
  note: (delivery: WebhookDelivery, ended: EndedAttempt, now: Instant): WebhookDelivery => {
    const { at, durationMs, statusCode, error, retryAfterMs, random } = ended;
    const ordering = WebhookDelivery.orderingOf(delivery, ended);
    const attemptCount = delivery.attemptCount + 1;
    const attempt: WebhookAttempt = { at, durationMs, statusCode, error };
    const attempts = [...delivery.attempts, attempt].slice(-WebhookDelivery.maxAttemptsKept);
    const delayMs =
      error === null
        ? undefined
        : WebhookAttempts.delayAfter({ ordering, attemptCount, retryAfterMs }, random);
    const status: WebhookDeliveryStatus = error === null ? 'succeeded' : 'failed';
    return updated(
      delivery,
      delayMs === undefined
        ? { attemptCount, attempts, status, nextAttemptAt: null }
        : { attemptCount, attempts, nextAttemptAt: Instant.plus(now, delayMs) },
      now,
    );
  },

  /** Whether it was made because of the position of its endpoint, and not by a request. */
  isHandedOver: ({ trigger }: Pick<WebhookDelivery, 'trigger'>): boolean =>
    trigger === 'event' || trigger === 'position',

  /** An example has no place in the order of events: it holds up none of them, and is given up in the end. */
  orderingOf: (
    { trigger }: Pick<WebhookDelivery, 'trigger'>,
    { ordering }: { readonly ordering: WebhookOrdering },
  ): WebhookOrdering => (trigger === 'test' ? 'parallel' : ordering),

  cancel: (delivery: WebhookDelivery, at: Instant): WebhookDelivery =>
    updated(delivery, { status: 'canceled', nextAttemptAt: null }, at),
};
