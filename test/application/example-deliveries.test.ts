import { expect } from 'chai';
import { openMemory } from '#adapters/persistence/memory/open.ts';
import { recordAttempts } from '#application/webhooks/record-attempts.ts';
import type { WebhookOrdering } from '#domain/webhooks/attempts.ts';
import type { WebhookTrigger } from '#domain/webhooks/delivery.ts';
import { existing } from '../contracts/harness.ts';
import { aWebhook, noon } from '../contracts/samples.ts';

describe('An example for a webhook endpoint', () => {
  /** One attempt that the receiver does not accept. */
  const rejected = async (trigger: WebhookTrigger, ordering: WebhookOrdering) => {
    const { unitOfWork } = await openMemory();
    const { webhookEndpoint, webhookProgress, webhookDelivery } = aWebhook();
    const endpoint = { ...webhookEndpoint, ordering };
    const { id } = webhookDelivery;
    await unitOfWork.run(async (store) => {
      await store.webhookEndpoints.add(endpoint);
      await store.webhookProgress.add(webhookProgress);
      await store.webhookDeliveries.add({ ...webhookDelivery, trigger });
    });
    const observer = { attempted() {}, failing() {}, lag() {}, disabled() {}, lost() {}, warn() {} };
    const record = recordAttempts({ unitOfWork, clock: { now: () => noon }, observer, disableAfterHours: 1 });
    const attempt = { at: noon, durationMs: 1, statusCode: 400, error: 'status' as const, random: 0 };
    await record(endpoint, [{ id, endpointVersion: endpoint.version, attempt }]);
    return unitOfWork.read(async (store) => ({
      delivery: existing(await store.webhookDeliveries.find(id)),
      progress: existing(await store.webhookProgress.find(endpoint.id)),
    }));
  };

  for (const ordering of ['parallel', 'sequential'] as const) {
    it(`is tried once, and its failure is none of the endpoint (${ordering})`, async () => {
      const { delivery, progress } = await rejected('test', ordering);
      expect(delivery).to.include({ status: 'failed', attemptCount: 1, nextAttemptAt: null });
      expect(progress).to.include({ failures: 0, failingSince: null });
    });

    it(`differs in that from an event (${ordering})`, async () => {
      const { delivery, progress } = await rejected('event', ordering);
      expect(delivery).to.include({ status: 'pending', attemptCount: 1 });
      expect(progress).to.include({ failures: 1, failingSince: noon });
    });
  }
});
