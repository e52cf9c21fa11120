import type { WebhookError } from '#domain/webhooks/delivery.ts';
import type { WebhookDisabledReason, WebhookEndpointId } from '#domain/webhooks/endpoint.ts';

/** Gets what the deliveries of webhooks do, for metrics and the log. */
export interface WebhookObserver {
  /** An attempt has ended. @param outcome null for a success */
  attempted(outcome: WebhookError | null): void;
  /** How many events of the feed an endpoint is behind. Undefined: it is no longer delivered to. */
  lag(endpointId: WebhookEndpointId, events: number | undefined): void;
  /** An endpoint was disabled. */
  disabled(reason: WebhookDisabledReason): void;
  /** Events were deleted before they were handed over to an endpoint. */
  lost(count: number): void;
  /** What a person should look at. */
  warn(message: string, details: { readonly endpointId: WebhookEndpointId; readonly err?: unknown }): void;
}
