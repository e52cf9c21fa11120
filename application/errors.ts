/**
 * - `key-in-progress`: the first request with the idempotency key is still at work
 * - `key-reused`: the idempotency key stands for another request
 * - `provider-failed`, `provider-timeout`: whether the payment provider did it is not known yet
 * - `unavailable`: the store cannot be reached or is too busy, and trying again later may help
 */
export type ApplicationErrorKind =
  | 'key-in-progress'
  | 'key-reused'
  | 'provider-failed'
  | 'provider-timeout'
  | 'unavailable';

/** A request that could not be carried out for a reason outside the domain. */
export class ApplicationError extends Error {
  readonly kind: ApplicationErrorKind;

  constructor(kind: ApplicationErrorKind, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'ApplicationError';
    this.kind = kind;
  }
}
