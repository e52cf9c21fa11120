import { DomainError } from '#domain/errors.ts';
import type { UnitOfWork, Work } from './ports/unit-of-work.ts';

/**
 * Runs work that adds what is not there yet. Processes that start together all find it missing, and one of them adds it;
 * the others run into that, look again, and find it.
 */
export const retryOnceOnConflict = async <T>(unitOfWork: UnitOfWork, work: Work<T>): Promise<T> => {
  try {
    return await unitOfWork.run(work);
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'conflict') return unitOfWork.run(work);
    throw error;
  }
};
