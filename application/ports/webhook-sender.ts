import type { WebhookError } from '#domain/webhooks/delivery.ts';

/** One message to one receiver. */
export interface WebhookMessage {
  readonly url: string;
  /** The id of the event, by which a receiver notices a repetition. */
  readonly id: string;
  /** The JSON text that is signed and sent as it is. */
  readonly body: string;
  /** The secrets of the endpoint, newest first: one signature is sent for each. */
  readonly secrets: readonly string[];
}

export interface WebhookResult {
  /** Null when the receiver has accepted the message. */
  readonly error: WebhookError | null;
  /** What the receiver has answered; null when no response arrived. */
  readonly statusCode: number | null;
  readonly durationMs: number;
  /** Whether the receiver answered that it has gone for good. */
  readonly isGone: boolean;
  /** How long the receiver asks to wait, up to an hour; undefined when it does not. */
  readonly retryAfterMs?: number | undefined;
}

/**
 * Sends webhooks as Standard Webhooks 1.0 describes them.
 *
 * - It connects to public addresses only, and to what the operator has allowed. Every address of a name is checked, and the
 *   connection goes to a checked address.
 * - Certificates are always checked. Redirects are not followed.
 * - A connection has at most 5 seconds, an attempt at most 15. The body of the response is never read or kept.
 * - A message can arrive twice in one attempt, when the receiver closes a kept connection just then.
 */
export interface WebhookSender {
  /** @returns why this URL is never called, as a message for the client; undefined when it may be called */
  problemOf(url: string): string | undefined;

  /**
   * Makes one attempt. A failure is a result and throws nothing.
   * @param signal abandons the attempt, whose result is then unknown
   * @throws the signal's reason, once it is aborted
   */
  send(message: WebhookMessage, signal?: AbortSignal): Promise<WebhookResult>;
}
