import { DatabaseError } from 'pg';
import { ApplicationError } from '#application/errors.ts';

/** Lock timeout, statement timeout, and a deadline that passed before the commit. */
const limits: ReadonlySet<string | undefined> = new Set(['55P03', '57014', 'ZP002']);

/**
 * Whether what stopped a group would stop each of its units of work, alone. When the database is away it is so for everybody;
 * anything else may be due to one of them.
 */
export const isForAll = (error: unknown): boolean =>
  error instanceof ApplicationError &&
  !(error.cause instanceof DatabaseError && limits.has(error.cause.code));
