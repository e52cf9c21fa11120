import { DomainError, type DomainErrorKind } from '#domain/errors.ts';

interface DeclaredErrors {
  readonly errorKinds: readonly DomainErrorKind[];
}

/** @throws when a use case throws an undeclared kind of error; a missing permission is declared by all */
export const requireDeclared = ({ errorKinds }: DeclaredErrors, error: unknown): void => {
  if (error instanceof DomainError && error.kind !== 'forbidden' && !errorKinds.includes(error.kind)) {
    throw new Error(`The use case does not declare that it can throw '${error.kind}'.`, {
      cause: error,
    });
  }
};

/** Awaits a use case, and passes on its result or a domain error of a declared kind. */
export const asDeclared = async <T>(useCase: DeclaredErrors, doing: () => Promise<T>): Promise<T> => {
  try {
    return await doing();
  } catch (error) {
    requireDeclared(useCase, error);
    throw error;
  }
};
