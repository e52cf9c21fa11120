import { DomainError } from '#domain/errors.ts';
import type { UnitOfWork, Work } from './ports/unit-of-work.ts';

/**
 * Runs work that inserts what is missing, and retries it once after a conflict. When several processes start together, one
 * inserts, the others conflict, and their retry finds what was inserted.
 */
export const retryOnceOnConflict = async <T>(unitOfWork: UnitOfWork, work: Work<T>): Promise<T> => {
  try {
    return await unitOfWork.run(work);
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'conflict') return unitOfWork.run(work);
    throw error;
  }
};
