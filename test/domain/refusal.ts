import { DomainError, type DomainErrorKind } from '#domain/errors.ts';

/** How the domain said no: the kind, and which fields were at fault. */
interface Refusal {
  readonly kind: DomainErrorKind;
  readonly fields: readonly string[];
}

/** What a call was refused with; fails when it was not refused by the domain. */
export const refusal = (call: () => unknown): Refusal => {
  try {
    call();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { kind: error.kind, fields: error.fieldErrors.map(({ field }) => field) };
  }
  throw new Error('It was expected to be refused.');
};
