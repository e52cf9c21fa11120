import { FileBroken } from '#adapters/files/parsed-row.ts';
import { MigrationError } from '#adapters/persistence/schema/migration-failed.ts';
import { BackupError } from '#adapters/persistence/sqlite/files/backup-error.ts';
import { ApplicationError } from '#application/errors.ts';
import { DomainError } from '#domain/errors.ts';
import { SettingError } from '../config/env-parser.ts';
import { UsageError } from './framework/exit-codes.ts';
import type { Terminal } from './framework/terminal.ts';

/** In lines: what an operator can mend is said in one, and what only we can mend is shown whole. */
export const reasonFor = (error: unknown): readonly string[] => {
  const said = remedy(error);
  if (said !== undefined) return [said];
  return (error instanceof Error ? (error.stack ?? error.message) : String(error)).split('\n');
};

/** Their messages are for operators already. */
const sayWhatIsWrong = [SettingError, UsageError, FileBroken, BackupError];

const remedy = (error: unknown): string | undefined => {
  if (sayWhatIsWrong.some((kind) => error instanceof kind)) return (error as Error).message;
  if (error instanceof DomainError) return refusal(error);
  if (error instanceof MigrationError) {
    return isFull(error.cause) ? full : `${error.message} ${mendMigration(error.cause)}`;
  }
  if (error instanceof ApplicationError && error.kind === 'unavailable') {
    return isFull(error.cause)
      ? full
      : `DATABASE_URL names a database that cannot be used: ${reasonOf(error)}`;
  }
  const { code, syscall, path, message } = error as NodeJS.ErrnoException;
  if (syscall === 'mkdir') return `DATABASE_URL names a file whose folder cannot be made (${code}).`;
  if (code !== undefined && path !== undefined) {
    return `${path} cannot be ${code === 'ENOSPC' ? 'written, for its disk is full' : 'used'} (${code}).`;
  }
  // What the system refuses is nothing that we could mend.
  return code !== undefined && syscall !== undefined ? `${message}.` : undefined;
};

const full = 'The database has no room left, for its disk is full. Make room, and try again.';

/** As SQLite and PostgreSQL say it. */
const isFull = (cause: unknown): boolean => ['SQLITE_FULL', '53100'].includes(codeOf(cause));

const codeOf = (cause: unknown): string => (cause as NodeJS.ErrnoException | undefined)?.code ?? '';

/** What to do where somebody may not make tables. */
export const grantTables =
  'Grant that user USAGE and CREATE on the schema, or run portico migrate up as the owner of the tables.';

const mendMigration = (cause: unknown): string => {
  // No right to the schema, or to one of its tables; no schema at all.
  if (['42501', '3F000'].includes(codeOf(cause))) return grantTables;
  return isThere(cause)
    ? 'Something else is in that database: let DATABASE_URL name one for Portico alone.'
    : 'All is as it was before: mend that and start again, or go back to the version before.';
};

/** PostgreSQL has codes, whatever language it speaks; SQLite has none, but one language. */
const isThere = (cause: unknown): boolean =>
  ['42P07', '42710'].includes(codeOf(cause)) ||
  (cause instanceof Error && /^(table|index) .* already exists$/.test(cause.message));

/** The message, and what is wrong with which field. */
export const refusal = ({ message, faults }: DomainError): string =>
  faults.length === 0
    ? message
    : `${faults.map(({ field, message: fault }) => `${field} ${fault}`).join('; ')}.`;

const reasonOf = ({ message, cause }: ApplicationError): string =>
  cause instanceof Error ? cause.message : message;

/** Prints an error to standard error: one line if an operator can fix it, otherwise the whole stack. */
export const printError = async (error: unknown, terminal: Terminal): Promise<void> => {
  const [first, ...others] = reasonFor(error);
  await terminal.notify(`portico: ${first}`);
  for (const line of others) await terminal.notify(line);
};
