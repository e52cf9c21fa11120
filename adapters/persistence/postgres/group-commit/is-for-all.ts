import { DatabaseError } from 'pg';
import { ApplicationError } from '#application/errors.ts';

/** Lock timeout, statement timeout, and a deadline that passed before the commit. */
const limits: ReadonlySet<string | undefined> = new Set(['55P03', '57014', 'ZP002']);

/**
 * Whether an error that ended a group would end each of its units of work too. An unavailable database would; any other error
 * may be due to one of them, so each runs again in a transaction of its own.
 */
export const isForAll = (error: unknown): boolean =>
  error instanceof ApplicationError &&
  !(error.cause instanceof DatabaseError && limits.has(error.cause.code));
