import { brand } from './brand.ts';

/** The kinds of domain error. An adapter maps each to its own terms, such as an HTTP status. */
export type DomainErrorKind =
  | 'validation'
  | 'forbidden'
  | 'not-found'
  | 'product-not-found'
  | 'conflict'
  | 'invalid-state'
  | 'out-of-stock'
  | 'product-unavailable'
  | 'amount-exceeded'
  | 'precondition-failed'
  | 'payment-declined'
  | 'events-forgotten';

/** An invalid field. A nested field is dotted, as in `price.amount`. */
export interface FieldError {
  readonly field: string;
  readonly message: string;
}

/** An error that the client can understand and act upon. The use case that throws it changes nothing. */
export class DomainError extends Error {
  static {
    brand(DomainError, 'DomainError');
  }

  readonly kind: DomainErrorKind;
  readonly fieldErrors: readonly FieldError[];

  constructor(kind: DomainErrorKind, message: string, fieldErrors: readonly FieldError[] = []) {
    super(message);
    this.name = 'DomainError';
    this.kind = kind;
    this.fieldErrors = fieldErrors;
  }
}

/** A conflict on a unique field: another resource has the same value. */
export const conflictOn = (field: string): DomainError =>
  new DomainError('conflict', 'Another resource has the same value.', [
    { field, message: 'is taken already' },
  ]);

export const invalidFields = (fields: readonly FieldError[]): DomainError =>
  new DomainError('validation', 'Some fields are not valid.', fields);

/** A validation error on one field. */
export const invalidField = (field: string, message: string): DomainError =>
  invalidFields([{ field, message }]);
