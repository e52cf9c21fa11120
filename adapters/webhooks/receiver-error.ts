import type { WebhookError } from '#domain/webhooks/delivery.ts';

/** Why a message did not get a response. */
export class ReceiverError extends Error {
  readonly kind: Exclude<WebhookError, 'status'>;

  constructor(kind: Exclude<WebhookError, 'status'>, cause?: unknown) {
    super(kind, { cause });
    this.name = 'ReceiverError';
    this.kind = kind;
  }
}
