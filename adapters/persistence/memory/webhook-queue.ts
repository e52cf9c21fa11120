import type { DeletedDeliveries, WebhookQueue } from '#application/ports/webhook-queue.ts';
import type { Instant } from '#domain/instant.ts';
import { updated } from '#domain/resource.ts';
import { WebhookDelivery } from '#domain/webhooks/delivery.ts';
import type { WebhookEndpoint, WebhookEndpointId } from '#domain/webhooks/endpoint.ts';
import type { Draft } from './rows.ts';

const deletionBatchSize = 1000;

export class MemoryWebhookQueue implements WebhookQueue {
  readonly #deliveries: Draft<WebhookDelivery>;
  readonly #endpoints: Draft<WebhookEndpoint>;

  constructor(deliveries: Draft<WebhookDelivery>, endpoints: Draft<WebhookEndpoint>) {
    this.#deliveries = deliveries;
    this.#endpoints = endpoints;
  }

  async due(endpointId: WebhookEndpointId, now: Instant, limit: number): Promise<readonly WebhookDelivery[]> {
    return this.#pending(endpointId)
      .flatMap((delivery) => {
        const { nextAttemptAt: at } = delivery;
        return at === null || at > now ? [] : [{ delivery, at }];
      })
      .sort((one, other) => (one.at < other.at ? -1 : Number(one.at > other.at)))
      .slice(0, limit)
      .map(({ delivery }) => delivery);
  }

  async first(endpointId: WebhookEndpointId, limit: number): Promise<readonly WebhookDelivery[]> {
    // A sort keeps the order of ids among those of one sequence.
    return this.#pending(endpointId)
      .filter(({ nextAttemptAt }) => nextAttemptAt !== null)
      .sort((one, other) => one.sequence - other.sequence)
      .slice(0, limit);
  }

  async countUntried(endpointId: WebhookEndpointId, limit: number): Promise<number> {
    const untried = this.#pending(endpointId).filter(({ attemptCount }) => attemptCount === 0);
    return Math.min(untried.length, limit);
  }

  async reschedule(
    endpointId: WebhookEndpointId,
    nextAttemptAt: Instant | null,
    now: Instant,
  ): Promise<void> {
    for (const delivery of this.#pending(endpointId))
      this.#deliveries.put(delivery.id, updated(delivery, { nextAttemptAt }, now));
  }

  async replaceSealedSecrets(endpointId: WebhookEndpointId, sealedSecrets: readonly string[]): Promise<void> {
    const endpoint = this.#endpoints.get(endpointId);
    if (endpoint !== undefined) this.#endpoints.put(endpointId, { ...endpoint, sealedSecrets });
  }

  async cancelAll(endpointId: WebhookEndpointId, now: Instant): Promise<void> {
    for (const delivery of this.#pending(endpointId))
      this.#deliveries.put(delivery.id, WebhookDelivery.cancel(delivery, now));
  }

  async cancelEnqueued(endpointId: WebhookEndpointId, after: number, now: Instant): Promise<void> {
    for (const delivery of this.#pending(endpointId)) {
      if (delivery.sequence > after && WebhookDelivery.isHandedOver(delivery))
        this.#deliveries.put(delivery.id, WebhookDelivery.cancel(delivery, now));
    }
  }

  async cancelOrphaned(endpointId: WebhookEndpointId, before: number, now: Instant): Promise<number> {
    const gone = this.#pending(endpointId).filter(
      ({ sequence, trigger }) => sequence < before && trigger !== 'test',
    );
    for (const delivery of gone) this.#deliveries.put(delivery.id, WebhookDelivery.cancel(delivery, now));
    return gone.length;
  }

  async deleteOlder(than: Instant): Promise<DeletedDeliveries> {
    const undelivered = new Map<WebhookEndpointId, number>();
    let deleted = 0;
    const oldest = [...this.#deliveries.walk()].slice(0, deletionBatchSize);
    for (const { id, createdAt, endpointId, ...delivery } of oldest) {
      if (createdAt >= than) continue;
      this.#deliveries.put(id, undefined);
      deleted += 1;
      if (delivery.status === 'pending' && delivery.trigger !== 'test')
        undelivered.set(endpointId, (undelivered.get(endpointId) ?? 0) + 1);
    }
    return {
      hasMore: deleted > 0 && oldest.length === deletionBatchSize,
      undelivered: [...undelivered].map(([endpointId, count]) => ({ endpointId, count })),
    };
  }

  /** In ascending order of id. Of most deliveries the attempts have ended, so an index finds the others. */
  #pending(endpointId: WebhookEndpointId): readonly WebhookDelivery[] {
    return this.#deliveries
      .having('status', 'pending')
      .filter((delivery) => delivery.endpointId === endpointId)
      .sort((one, other) => (one.id < other.id ? -1 : 1));
  }
}
