import { DomainError, type DomainErrorKind } from '#domain/errors.ts';

interface Rejection {
  readonly kind: DomainErrorKind;
  readonly fields: readonly string[];
}

/** The kind and fields of the domain error that a call throws. @throws when it throws none, or another error */
export const domainErrorOf = (call: () => unknown): Rejection => {
  try {
    call();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { kind: error.kind, fields: error.fieldErrors.map(({ field }) => field) };
  }
  throw new Error('Expected a domain error.');
};
