import { ApplicationError, type ApplicationErrorKind } from '#application/errors.ts';
import { DomainError, type DomainErrorKind } from '#domain/errors.ts';

/** The kind of error that a promise was refused with; fails when it was not refused in our own terms. */
export const kindOf = async (promise: Promise<unknown>): Promise<DomainErrorKind | ApplicationErrorKind> => {
  const error = await promise.then(
    () => new Error('It was expected to be refused.'),
    (reason: unknown) => reason,
  );
  if (error instanceof DomainError || error instanceof ApplicationError) return error.kind;
  throw error;
};

/** The fields that were at fault. */
export const faultsOf = async (promise: Promise<unknown>): Promise<readonly string[]> => {
  const error = await promise.then(
    () => new Error('It was expected to be refused.'),
    (reason: unknown) => reason,
  );
  if (error instanceof DomainError) return error.fieldErrors.map(({ field }) => field);
  throw error;
};
