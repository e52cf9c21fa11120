import type { Metrics } from '#adapters/metrics/metrics.ts';
import type { OpenLog } from '#adapters/system/log.ts';
import type { WebhookObserver } from '#application/webhooks/observer.ts';

/** How often an error of one endpoint is logged at most, in milliseconds. */
const errorIntervalMs = 60_000;

/**
 * Logs and counts what the deliveries of webhooks do.
 * @param now milliseconds from any start
 */
export const observingWebhooks = (
  { webhooks }: Pick<Metrics, 'webhooks'>,
  log: Pick<OpenLog, 'warn'>,
  now: () => number = () => performance.now(),
): WebhookObserver => {
  const loggedAt = new Map<string, number>();
  return {
    ...webhooks,
    warn: (message, { endpointId, ...details }) => {
      if ('err' in details) {
        if (now() - (loggedAt.get(endpointId) ?? Number.NEGATIVE_INFINITY) < errorIntervalMs) return;
        loggedAt.set(endpointId, now());
      }
      log.warn({ webhookEndpointId: endpointId, ...details }, message);
    },
  };
};
