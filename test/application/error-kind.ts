import { ApplicationError, type ApplicationErrorKind } from '#application/errors.ts';
import { DomainError, type DomainErrorKind } from '#domain/errors.ts';

/** The kind of the domain or application error with which a promise rejects. @throws any other error */
export const kindOf = async (promise: Promise<unknown>): Promise<DomainErrorKind | ApplicationErrorKind> => {
  const error = await promise.then(
    () => new Error('Expected an error.'),
    (reason: unknown) => reason,
  );
  if (error instanceof DomainError || error instanceof ApplicationError) return error.kind;
  throw error;
};

/** The invalid fields of the domain error with which a promise rejects. */
export const invalidFieldsOf = async (promise: Promise<unknown>): Promise<readonly string[]> => {
  const error = await promise.then(
    () => new Error('Expected an error.'),
    (reason: unknown) => reason,
  );
  if (error instanceof DomainError) return error.fieldErrors.map(({ field }) => field);
  throw error;
};
