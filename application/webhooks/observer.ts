import type { WebhookError } from '#domain/webhooks/delivery.ts';
import type { WebhookDisabledReason, WebhookEndpointId } from '#domain/webhooks/endpoint.ts';

/** Why an attempt has failed; `not_signed` when a secret could not be opened, so that nothing was sent. */
export type WebhookOutcome = WebhookError | 'not_signed';

/** Gets what the deliveries of webhooks do, for metrics and the log. */
export interface WebhookObserver {
  /** An attempt has ended, or could not begin. @param outcome null for a success */
  attempted(outcome: WebhookOutcome | null): void;
  /** How many events of the feed an endpoint is behind. Undefined: it is no longer delivered to. */
  lag(endpointId: WebhookEndpointId, events: number | undefined): void;
  /** How long all attempts of an endpoint have failed, in milliseconds: 0 when the last succeeded. Undefined: it is no longer delivered to. */
  failing(endpointId: WebhookEndpointId, milliseconds: number | undefined): void;
  /** An endpoint was disabled. */
  disabled(reason: WebhookDisabledReason): void;
  /** Events were deleted before an endpoint got them. */
  lost(count: number): void;
  /** What a person should check. */
  warn(message: string, details: { readonly endpointId: WebhookEndpointId; readonly err?: unknown }): void;
}

/** Gets which events are lost to an endpoint. */
export type LossObserver = Pick<WebhookObserver, 'lost' | 'warn'>;

/** Reports deliveries that ended without success, because their events are no longer kept. @param count 0 for nothing to report */
export const reportUndelivered = (
  observer: LossObserver,
  endpointId: WebhookEndpointId,
  count: number,
): void => {
  if (count === 0) return;
  observer.lost(count);
  observer.warn(
    count === 1
      ? 'A delivery to this webhook endpoint was given up, because its event is no longer kept.'
      : `${count} deliveries to this webhook endpoint were given up, because their events are no longer kept.`,
    { endpointId },
  );
};
