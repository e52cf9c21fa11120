import { expect } from 'chai';
import { type WebhookDeliveryRow, webhookDeliveries } from '#adapters/persistence/schema/entities/webhook.ts';
import { type WebhookAttempt, WebhookDelivery } from '#domain/webhooks/delivery.ts';
import { aWebhook, later } from '../contracts/samples.ts';

describe('A delivery', () => {
  const { webhookDelivery } = aWebhook();
  const failed: WebhookAttempt = { at: later(1), durationMs: 20, statusCode: 503, error: 'status' };
  const succeeded: WebhookAttempt = { at: later(2), durationMs: 30, statusCode: 204, error: null };
  const ended = { ordering: 'parallel', retryAfterMs: 60_000, random: 0.5 } as const;
  const note = (delivery: WebhookDelivery, attempt: WebhookAttempt) =>
    WebhookDelivery.note(delivery, { ...attempt, ...ended }, later(3));

  it('keeps of an attempt when it began, how long it took, the status and the error, and nothing else', () => {
    const once = note(webhookDelivery, failed);
    expect(once).to.deep.include({ status: 'pending', attemptCount: 1, attempts: [failed] });
    const twice = note(once, succeeded);
    expect(twice).to.deep.include({ status: 'succeeded', attemptCount: 2, attempts: [failed, succeeded] });
  });

  it('keeps the last ten attempts', () => {
    const attempts = Array.from({ length: 11 }, (_, index) => ({ ...failed, durationMs: index }));
    expect(attempts.reduce(note, webhookDelivery)).to.deep.include({
      ...{ attemptCount: 11, attempts: attempts.slice(1) },
    });
  });

  it('loads and goes on where its stored attempts have more fields', () => {
    const stored = [{ ...failed, ordering: 'parallel' }];
    const row = webhookDeliveries.toRow({ ...webhookDelivery, attemptCount: 1, attempts: stored });
    const loaded = webhookDeliveries.fromRow(row as WebhookDeliveryRow);
    expect(loaded.attempts).to.deep.equal(stored);
    expect(note(loaded, succeeded).attempts).to.deep.equal([...stored, succeeded]);
  });
});
