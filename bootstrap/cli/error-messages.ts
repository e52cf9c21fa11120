import { getSystemErrorMessage } from 'node:util';
import { MalformedFileError } from '#adapters/files/rows.ts';
import { ServerSettingError } from '#adapters/persistence/mariadb/server-setting-error.ts';
import { HistoryError } from '#adapters/persistence/schema/history.ts';
import { MigrationError } from '#adapters/persistence/schema/migrate.ts';
import { BackupError } from '#adapters/persistence/sqlite/files/backup-error.ts';
import { ApplicationError, isOfProvider, ProviderMismatch } from '#application/errors.ts';
import { DomainError, type FieldError } from '#domain/errors.ts';
import { SettingError } from '../config/env-parser.ts';
import { UsageError } from './framework/exit-codes.ts';
import type { Terminal } from './framework/terminal.ts';

/** Prints an error to standard error. */
export const printError = async (error: unknown, terminal: Terminal): Promise<void> => {
  const [first, ...others] = errorLines(error);
  await terminal.notify(`portico: ${first}`);
  for (const line of others) await terminal.notify(line);
};

/** @returns one line for an error that an operator can fix, and the whole stack for a bug of Portico */
export const errorLines = (error: unknown): readonly string[] => {
  const message = operatorMessage(error);
  if (message !== undefined) return [message, ...detailsOf(error)];
  return (error instanceof Error ? (error.stack ?? error.message) : String(error)).split('\n');
};

/** With `LOG_LEVEL=debug` or `trace`, the stack of what a module from outside has thrown. */
const detailsOf = (error: unknown): readonly string[] => {
  const { LOG_LEVEL: level = '' } = process.env;
  return error instanceof SettingError && /^(debug|trace)$/.test(level)
    ? (error.details?.split('\n') ?? [])
    : [];
};

/** Errors whose messages are written for operators. */
const selfExplanatory = [
  SettingError,
  UsageError,
  MalformedFileError,
  BackupError,
  ServerSettingError,
  HistoryError,
];

const operatorMessage = (error: unknown): string | undefined => {
  if (selfExplanatory.some((kind) => error instanceof kind)) return (error as Error).message;
  if (error instanceof DomainError) return domainErrorMessage(error);
  if (error instanceof MigrationError) {
    return isDiskFull(error.cause) ? diskFull : `${error.message} ${migrationAdvice(error)}`;
  }
  if (error instanceof ApplicationError && error.kind === 'unavailable') {
    return isDiskFull(error.cause)
      ? diskFull
      : `DATABASE_URL names a database that cannot be used: ${causeMessage(error)}`;
  }
  if (error instanceof ProviderMismatch) return `${error.message} ${error.difference}`;
  if (isOfProvider(error)) return providerMessage(error);
  return (
    missingPackageMessage(error as NodeJS.ErrnoException) ??
    systemErrorMessage(error as NodeJS.ErrnoException)
  );
};

/** A package of Portico itself. One that a module from outside misses has become a SettingError. */
const missingPackageMessage = ({ code, message }: NodeJS.ErrnoException): string | undefined => {
  const missing = code === 'ERR_MODULE_NOT_FOUND' && /^Cannot find package '([^']+)'/.exec(message)?.[1];
  return missing
    ? `The package ${missing} is missing: the installation is incomplete. Run npm ci.`
    : undefined;
};

/**
 * The system call distinguishes errors of the operating system: databases number theirs in other ways.
 * @returns undefined for anything that the operating system did not report
 */
const systemErrorMessage = (error: NodeJS.ErrnoException): string | undefined => {
  const { code, errno, syscall, path, message } = error;
  if (code === undefined || syscall === undefined) return undefined;
  const reason = errno === undefined ? code : `${systemReason(errno) ?? message} (${code})`;
  if (syscall === 'mkdir') {
    return `DATABASE_URL names a file whose folder cannot be created: ${reason}. Create ${path} for this user, or name a file elsewhere.`;
  }
  if (path !== undefined) return `${path} cannot be used: ${reason}.`;
  return `${message}.`;
};

/** @returns undefined for a number that is none of the operating system, which Node rejects where it is not negative */
const systemReason = (errno: number): string | undefined =>
  Number.isSafeInteger(errno) && errno < 0 ? getSystemErrorMessage(errno) : undefined;

const diskFull = 'The disk of the database is full. Free some space and try again.';

/** The codes of SQLite and PostgreSQL. */
const isDiskFull = (cause: unknown): boolean => ['SQLITE_FULL', '53100'].includes(codeOf(cause));

const codeOf = (cause: unknown): string => (cause as NodeJS.ErrnoException | undefined)?.code ?? '';

export const grantTablesAdvice =
  'Grant this user USAGE and CREATE on the schema, or run portico migrate up as the owner of the tables.';

const migrationAdvice = ({ cause, isRolledBack }: MigrationError): string => {
  // insufficient_privilege and invalid_schema_name
  if (['42501', '3F000'].includes(codeOf(cause))) return grantTablesAdvice;
  if (alreadyExists(cause))
    return 'The database contains tables of another program. Set DATABASE_URL to a database for Portico alone.';
  return isRolledBack
    ? 'Nothing was changed. Fix the cause and start again, or go back to the previous version.'
    : 'What it has made stays, and it can run again: fix the cause and start again.';
};

/** PostgreSQL translates its messages, so its codes decide; SQLite has only messages, which are English. */
const alreadyExists = (cause: unknown): boolean =>
  ['42P07', '42710'].includes(codeOf(cause)) ||
  (cause instanceof Error && /^(table|index) .* already exists$/.test(cause.message));

/** The outcome at the payment provider is unknown. */
const providerMessage = ({ message, cause }: ApplicationError): string => {
  const reason = cause instanceof Error && cause.message !== '' ? ` (${firstLineOf(cause.message)})` : '';
  return `${message} Try again when it responds.${reason}`;
};

const firstLineOf = (text: string): string => text.split('\n', 1).join();

const causeMessage = ({ message, cause }: ApplicationError): string =>
  cause instanceof Error ? cause.message : message;

export const domainErrorMessage = ({
  message,
  fieldErrors,
}: Pick<DomainError, 'message' | 'fieldErrors'>): string =>
  fieldErrors.length === 0
    ? message
    : `${fieldErrors.map((error) => `${error.field} ${error.message}`).join('; ')}.`;

/** Bound the report of one line of a file, whatever the file contains. */
const maxFieldErrors = 20;
const maxFieldNameLength = 60;
const maxReasonLength = 1_000;

/** The errors of a line in a file. Further ones are counted, and long field names are shortened. */
export const fieldErrorsText = (fieldErrors: readonly FieldError[]): string => {
  const texts = fieldErrors
    .slice(0, maxFieldErrors)
    .map(({ field, message }) => `${truncate(field, maxFieldNameLength)} ${message}`);
  if (fieldErrors.length > maxFieldErrors)
    texts.push(`and ${fieldErrors.length - maxFieldErrors} more errors`);
  return truncateReason(texts.join('; '));
};

/** Copies the text: a plain substring would keep the whole line of the file in memory. */
export const truncateReason = (reason: string): string =>
  Buffer.from(truncate(reason, maxReasonLength)).toString();

const truncate = (text: string, maxLength: number): string =>
  text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text;
