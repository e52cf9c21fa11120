import { brand } from '#domain/brand.ts';

/**
 * - `key-in-progress`: the first request with the idempotency key is still running
 * - `key-reused`: the idempotency key was used for a different request, or its stored response has been erased
 * - `provider-failed`, `provider-timeout`: the outcome at the payment provider is unknown
 * - `unavailable`: the request cannot be served now, and a later retry may succeed; `UnavailableError` has the reason
 */
export type ApplicationErrorKind =
  | 'key-in-progress'
  | 'key-reused'
  | 'provider-failed'
  | 'provider-timeout'
  | 'unavailable';

/** What a call of the payment provider was about, for the log. */
export interface Concerned {
  readonly paymentId: string;
  readonly orderId?: string | undefined;
  readonly refundId?: string;
  readonly captureId?: string;
}

/** A request that failed for a reason outside the domain. */
export class ApplicationError extends Error {
  static {
    brand(ApplicationError, 'ApplicationError');
  }

  /** What the call of the payment provider was about that has failed. */
  concerned: Concerned | undefined;

  readonly kind: ApplicationErrorKind;

  constructor(kind: ApplicationErrorKind, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'ApplicationError';
    this.kind = kind;
  }
}

/** Whether the outcome of a call of the payment provider is unknown. */
export const isOfProvider = (error: unknown): error is ApplicationError =>
  error instanceof ApplicationError &&
  (error.kind === 'provider-failed' || error.kind === 'provider-timeout');

/** @returns what a failed call of the payment provider was about; undefined for any other error */
export const concernedBy = (error: unknown): Concerned | undefined =>
  error instanceof ApplicationError ? error.concerned : undefined;

/** The idempotency key was used for another request. */
export class KeyReused extends ApplicationError {
  static {
    brand(KeyReused, 'KeyReused');
  }

  /** The names of the fields that differ from the first request, as far as they are known. */
  readonly fields: readonly string[];

  constructor(message: string, fields: readonly string[] = []) {
    super('key-reused', message);
    this.name = 'KeyReused';
    this.fields = fields;
  }
}

/** What a provider was asked to do, or has done by itself. */
export type MismatchedProcess = 'payment' | 'refund' | 'capture';

/**
 * The provider reports something else than what was asked: another amount, currency or id. The payment, refund or capture stays as it is
 * until the provider reports otherwise, or an operator settles it.
 */
export class ProviderMismatch extends ApplicationError {
  static {
    brand(ProviderMismatch, 'ProviderMismatch');
  }

  readonly process: MismatchedProcess;
  /** The id of the payment, refund or capture. */
  readonly subject: string;
  /** For the operator: what the provider reports, and what was asked. */
  readonly difference: string;

  constructor(process: MismatchedProcess, subject: string, difference: string) {
    super(
      'provider-failed',
      `The payment provider's response does not match the ${process}, which stays pending until it is checked.`,
    );
    this.name = 'ProviderMismatch';
    this.process = process;
    this.subject = subject;
    this.difference = difference;
  }
}

/**
 * The charge of a payment has not reached the provider, as far as it knows, and may still do so while the payer can act. The payment
 * stays pending until then.
 */
export class ChargeNotFound extends ApplicationError {
  static {
    brand(ChargeNotFound, 'ChargeNotFound');
  }

  /** The id of the payment. */
  readonly subject: string;

  constructor(subject: string) {
    super('provider-timeout', 'The payment provider does not know the charge yet. Try again later.');
    this.name = 'ChargeNotFound';
    this.subject = subject;
  }
}

/**
 * A change that the store rejects whenever it is tried: a duplicate id, a reference to nothing, a second live payment of an order.
 * It is a defect of the work, which has not checked what it relies on, so it is no error that a client can act upon.
 */
export class ConstraintViolation extends Error {
  static {
    brand(ConstraintViolation, 'ConstraintViolation');
  }

  constructor(reason: string, cause?: unknown) {
    super(reason, { cause });
    this.name = 'ConstraintViolation';
  }
}

/**
 * Optimistic concurrency control has found that another unit of work changed the same rows first. A store throws it to have
 * the work run again from the beginning, which then sees that change. No use case catches it.
 */
export class ConcurrencyConflict extends Error {
  static {
    brand(ConcurrencyConflict, 'ConcurrencyConflict');
  }

  constructor(reason: string, cause?: unknown) {
    super(reason, { cause });
    this.name = 'ConcurrencyConflict';
  }
}

/**
 * A violated constraint that may be due to a concurrent unit of work, which was first. The next attempt sees what that has
 * committed, so only a lasting violation meets the same constraint again.
 */
export class ConstraintRace extends ConcurrencyConflict {
  static {
    brand(ConstraintRace, 'ConstraintRace');
  }

  readonly constraint: string;

  constructor(constraint: string, cause?: unknown) {
    super(`Another unit of work was first: ${constraint}.`, cause);
    this.name = 'ConstraintRace';
    this.constraint = constraint;
  }
}

/** Why a request cannot be served now, and what its client reads. */
const unavailableMessages = {
  overloaded: 'The server is overloaded. Try again.',
  draining: 'The server is shutting down. Try again.',
  'database-unavailable': 'The database is unavailable.',
  'identity-provider-unavailable': 'The identity provider is unavailable.',
  'deadline-exceeded': 'The request was not finished in time. Try again.',
  conflict: 'Too many concurrent changes. Retry the request.',
} as const;

export type UnavailableReason = keyof typeof unavailableMessages;

export const unavailableReasons = Object.keys(unavailableMessages) as readonly UnavailableReason[];

/** A request that cannot be served now. A later retry may succeed. */
export class UnavailableError extends ApplicationError {
  static {
    brand(UnavailableError, 'UnavailableError');
  }

  readonly reason: UnavailableReason;

  constructor(reason: UnavailableReason, cause?: unknown, message: string = unavailableMessages[reason]) {
    super('unavailable', message, cause);
    this.reason = reason;
  }
}
