import type { Instant } from '#domain/instant.ts';
import type { WebhookDelivery } from '#domain/webhooks/delivery.ts';
import type { WebhookEndpointId } from '#domain/webhooks/endpoint.ts';

/** What the deliveries of webhooks need besides their collection. Each call costs the same however many deliveries have ended. */
export interface WebhookQueueReader {
  /** Lists pending deliveries of an endpoint whose next attempt is due, the longest due first. */
  due(endpointId: WebhookEndpointId, now: Instant, limit: number): Promise<readonly WebhookDelivery[]>;

  /** Lists pending deliveries of an endpoint that have a next attempt, due or not, in ascending order of sequence and id. */
  first(endpointId: WebhookEndpointId, limit: number): Promise<readonly WebhookDelivery[]>;

  /** Counts pending deliveries of an endpoint of which no attempt was made, up to a limit. */
  countUntried(endpointId: WebhookEndpointId, limit: number): Promise<number>;
}

/** What became of a batch of old deliveries. */
export interface DeletedDeliveries {
  /** Whether there may be more to delete. */
  readonly hasMore: boolean;
  /** How many were still pending, examples not counted, by endpoint: events that it never got. */
  readonly undelivered: readonly { readonly endpointId: WebhookEndpointId; readonly count: number }[];
}

/** Changes of many deliveries at once, and of the secrets that sign them. A changed delivery reaches its next version. */
export interface WebhookQueue extends WebhookQueueReader {
  /**
   * Sets the next attempt of all pending deliveries of an endpoint.
   * @param nextAttemptAt null for none, until they are rescheduled
   */
  reschedule(endpointId: WebhookEndpointId, nextAttemptAt: Instant | null, now: Instant): Promise<void>;

  /**
   * Replaces the encrypted secrets of an endpoint that the unit of work has locked. Nothing else changes, not even its version, because
   * clients see no difference.
   */
  replaceSealedSecrets(endpointId: WebhookEndpointId, sealedSecrets: readonly string[]): Promise<void>;

  /** Cancels all pending deliveries of an endpoint. */
  cancelAll(endpointId: WebhookEndpointId, now: Instant): Promise<void>;

  /** Cancels the pending deliveries of an endpoint that were enqueued, of events behind a sequence: they are enqueued again. */
  cancelEnqueued(endpointId: WebhookEndpointId, after: number, now: Instant): Promise<void>;

  /**
   * Cancels the pending deliveries of an endpoint whose events are gone: those of a smaller sequence. Examples have no event, and stay.
   * @returns how many it has canceled
   */
  cancelOrphaned(endpointId: WebhookEndpointId, before: number, now: Instant): Promise<number>;

  /**
   * Deletes of a batch of the oldest deliveries all that are older. One that a clock that was ahead gave a later time stays, and keeps
   * none behind it.
   * @param than those that were created before
   */
  deleteOlder(than: Instant): Promise<DeletedDeliveries>;
}
