import BetterSqlite3 from 'better-sqlite3';
import { ConcurrencyConflict } from '#application/errors.ts';
import { constraintError, referenceError, unavailable } from '../sql/constraint-errors.ts';

const { SqliteError } = BetterSqlite3;

const conflictCodes = /^SQLITE_(BUSY|LOCKED)/;
const unavailableCodes = /^SQLITE_(FULL|IOERR|CANTOPEN|READONLY|PROTOCOL|NOMEM|NOTADB|CORRUPT|AUTH|PERM)/;
const closedMessage = 'The database connection is not open';

/** Whether another connection, of this process or another, holds the write lock. */
export const isBusy = (error: unknown): boolean =>
  error instanceof SqliteError && error.code.startsWith('SQLITE_BUSY');

/**
 * Translates an error of the driver.
 * @returns a ConcurrencyConflict, an ApplicationError 'unavailable', a DomainError 'conflict', a ConstraintViolation, or the
 * error itself, which is a defect
 */
export const translateError = (error: unknown): unknown => {
  if (error instanceof TypeError && error.message === closedMessage) return unavailable(error);
  if (!(error instanceof SqliteError)) return error;
  if (error.code === 'SQLITE_CONSTRAINT_FOREIGNKEY') return referenceError(error);
  if (conflictCodes.test(error.code)) return new ConcurrencyConflict(error.message, error);
  if (unavailableCodes.test(error.code)) return unavailable(error);
  return error.code.startsWith('SQLITE_CONSTRAINT') ? constraintError(constraintOf(error), error) : error;
};

/** The name of the constraint as PostgreSQL forms it. SQLite names the columns instead (`products.sku`). */
const constraintOf = ({ code, message }: InstanceType<typeof SqliteError>): string => {
  const columns = message.split(': ')[1] ?? '';
  if (code === 'SQLITE_CONSTRAINT_PRIMARYKEY') return `${columns.split('.')[0]}_pkey`;
  return `${columns.replace('.', '_')}_unique`;
};
