import BetterSqlite3 from 'better-sqlite3';
import { ConcurrencyConflict } from '../retry.ts';
import { constraintError, unavailable } from '../sql/constraint-errors.ts';

const { SqliteError } = BetterSqlite3;

const lost = /^SQLITE_(BUSY|LOCKED)/;
const away = /^SQLITE_(FULL|IOERR|CANTOPEN|READONLY|PROTOCOL|NOMEM|NOTADB|CORRUPT|AUTH|PERM)/;
const closed = 'The database connection is not open';

/** Whether another connection, of this process or another, is writing. */
export const isBusy = (error: unknown): boolean =>
  error instanceof SqliteError && error.code.startsWith('SQLITE_BUSY');

/** What an error of the driver means here. */
export const explain = (error: unknown): unknown => {
  if (error instanceof TypeError && error.message === closed) return unavailable(error);
  if (!(error instanceof SqliteError)) return error;
  if (error.code === 'SQLITE_CONSTRAINT_FOREIGNKEY' || lost.test(error.code)) {
    return new ConcurrencyConflict(error.message, error);
  }
  if (away.test(error.code)) return unavailable(error);
  return constraintError(constraintOf(error), error);
};

/** SQLite names the columns (`products.sku`) where PostgreSQL names the constraint. */
const constraintOf = ({ code, message }: InstanceType<typeof SqliteError>): string => {
  const columns = message.split(': ')[1] ?? '';
  if (code === 'SQLITE_CONSTRAINT_PRIMARYKEY') return `${columns.split('.')[0]}_pkey`;
  return `${columns.replace('.', '_')}_unique`;
};
