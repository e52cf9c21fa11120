/**
 * - `key-in-progress`: the first request with the idempotency key is still running
 * - `key-reused`: the idempotency key was used for a different request
 * - `provider-failed`, `provider-timeout`: the outcome at the payment provider is unknown
 * - `unavailable`: the store is unavailable or overloaded; a later retry may succeed
 */
export type ApplicationErrorKind =
  | 'key-in-progress'
  | 'key-reused'
  | 'provider-failed'
  | 'provider-timeout'
  | 'unavailable';

/** A request that failed for a reason outside the domain. */
export class ApplicationError extends Error {
  readonly kind: ApplicationErrorKind;

  constructor(kind: ApplicationErrorKind, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'ApplicationError';
    this.kind = kind;
  }
}
