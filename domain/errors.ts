/** The ways in which the domain says no. Whoever faces the outside puts them into its own terms. */
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
  | 'payment-declined';

/** One field at fault; nested fields are dotted, as in `price.amount`. */
export interface FieldFault {
  readonly field: string;
  readonly message: string;
}

/** A refusal that a caller can understand and act upon. It changed nothing. */
export class DomainError extends Error {
  readonly kind: DomainErrorKind;
  readonly faults: readonly FieldFault[];

  constructor(kind: DomainErrorKind, message: string, faults: readonly FieldFault[] = []) {
    super(message);
    this.name = 'DomainError';
    this.kind = kind;
    this.faults = faults;
  }
}

/** Something else has the value already, of a field in which no two may have the same. */
export const taken = (field: string): DomainError =>
  new DomainError('conflict', 'Another resource has the same value.', [
    { field, message: 'is taken already' },
  ]);

/** A single field that breaks its rule. */
export const invalid = (field: string, message: string): DomainError =>
  new DomainError('validation', 'Some fields are not valid.', [{ field, message }]);
