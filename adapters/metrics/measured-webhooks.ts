import { Counter, Gauge, type Registry } from 'prom-client';
import type { WebhookObserver } from '#application/webhooks/observer.ts';
import { webhookErrors } from '#domain/webhooks/delivery.ts';
import { startingAtZero } from './measured-requests.ts';

/** Counts the attempts of webhooks, and shows how far each endpoint is behind. */
export const measuredWebhooks = (registry: Registry): Omit<WebhookObserver, 'warn'> => {
  const registers = [registry];
  const attempts = new Counter({
    name: 'portico_webhook_attempts_total',
    help: 'Attempts to deliver a webhook by outcome: success, or why it failed. not_signed: a secret could not be opened. One that failed is made again.',
    labelNames: ['outcome'],
    registers,
  });
  const outcomes = ['success', ...webhookErrors, 'not_signed'] as const;
  const children = new Map<string, Counter.Internal>(
    outcomes.map((outcome) => [outcome, startingAtZero(attempts.labels({ outcome }))]),
  );
  const lag = new Gauge({
    name: 'portico_webhook_lag_events',
    help: 'Events of the feed that are not enqueued for the endpoint yet, in the process that delivers webhooks.',
    labelNames: ['endpoint'],
    registers,
  });
  const failing = new Gauge({
    name: 'portico_webhook_failing_seconds',
    help: 'How long all attempts of the endpoint have failed, 0 when the last succeeded, in the process that delivers webhooks.',
    labelNames: ['endpoint'],
    registers,
  });
  const disabled = new Counter({
    name: 'portico_webhook_endpoints_disabled_total',
    help: 'Webhook endpoints that Portico has disabled: the receiver answered 410 (gone), or has failed for too long (failing).',
    labelNames: ['reason'],
    registers,
  });
  for (const reason of ['gone', 'failing']) startingAtZero(disabled.labels({ reason }));
  const lost = startingAtZero(
    new Counter({
      name: 'portico_webhook_events_lost_total',
      help: 'Events that were deleted before a webhook endpoint got them.',
      registers,
    }).labels(),
  );
  return {
    disabled: (reason) => disabled.inc({ reason }),
    lost: (count) => lost.inc(count),
    attempted: (error) => children.get(error ?? 'success')?.inc(),
    lag: (endpoint, events) => {
      if (events === undefined) lag.remove({ endpoint });
      else lag.set({ endpoint }, events);
    },
    failing: (endpoint, milliseconds) => {
      if (milliseconds === undefined) failing.remove({ endpoint });
      else failing.set({ endpoint }, milliseconds / 1_000);
    },
  };
};
