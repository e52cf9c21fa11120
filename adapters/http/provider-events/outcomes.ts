import type { ReceivedProviderEvent } from '#application/reconciliation/receive-provider-event.ts';

/**
 * What became of a request to the listener for events of the provider, besides what became of its event:
 *
 * - `not_stored`: the store did not enqueue what to retrieve, or not in time
 * - `too_many`: more requests were in progress than are served at once
 * - `too_large`: the body exceeds the limit
 * - `incomplete`: the body did not arrive, or not in time
 */
export type EventOutcome = ReceivedProviderEvent | 'not_stored' | 'too_many' | 'too_large' | 'incomplete';

/**
 * Called with what became of a message.
 * @param details who sent it, and why it was not stored; undefined for one that was rejected unread
 */
export type ObserveEvent = (
  outcome: EventOutcome,
  details?: { readonly clientAddress: string | undefined; readonly error?: unknown },
) => void;

export interface EventResponse {
  readonly status: number;
  /** A line for the operator, who reads it in the list of deliveries at the provider; null for an empty body. */
  readonly text: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Asks the provider to send the event again. */
const later = { 'Retry-After': '1' };

/** RFC 9110 section 11.6.1 demands the header of every 401. The scheme is the provider's own. */
const signed = { 'WWW-Authenticate': 'Signature' };

/** The response to each outcome. */
export const responseTo = {
  accepted: { status: 204, text: null },
  unknown_type: { status: 204, text: null },
  malformed: { status: 400, text: 'The body is no event of the payment provider.' },
  forged: { status: 401, text: 'The signature is missing or invalid.', headers: signed },
  stale: { status: 401, text: 'The signature is more than 300 seconds old.', headers: signed },
  not_stored: { status: 503, text: 'The event could not be stored. Send it again.', headers: later },
} as const satisfies Record<ReceivedProviderEvent | 'not_stored', EventResponse>;
