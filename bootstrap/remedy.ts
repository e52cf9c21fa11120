import { FileBroken } from '#adapters/files/row.ts';
import { CopyRefused } from '#adapters/persistence/mikro-orm/sqlite/copy-refused.ts';
import { ApplicationError } from '#application/errors.ts';
import { DomainError } from '#domain/errors.ts';
import { UsageError } from './command-line/usage-error.ts';
import { SettingError } from './settings.ts';

/** In lines: what an operator can mend is said in one, and what only we can mend is shown whole. */
export const reasonFor = (error: unknown): readonly string[] => {
  const said = remedy(error);
  if (said !== undefined) return [said];
  return (error instanceof Error ? (error.stack ?? error.message) : String(error)).split('\n');
};

/** Their messages are for operators already. */
const sayWhatIsWrong = [SettingError, UsageError, FileBroken, CopyRefused];

const remedy = (error: unknown): string | undefined => {
  if (sayWhatIsWrong.some((kind) => error instanceof kind)) return (error as Error).message;
  if (error instanceof DomainError) return refusal(error);
  if (error instanceof ApplicationError && error.kind === 'unavailable') {
    return isFull(error.cause)
      ? 'The database has no room left, for its disk is full. Make room, and try again.'
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

/** As SQLite and PostgreSQL say it. */
const isFull = (cause: unknown): boolean =>
  ['SQLITE_FULL', '53100'].includes((cause as NodeJS.ErrnoException | undefined)?.code ?? '');

/** The message, and what is wrong with which field. */
export const refusal = ({ message, faults }: DomainError): string =>
  faults.length === 0
    ? message
    : `${faults.map(({ field, message: fault }) => `${field} ${fault}`).join('; ')}.`;

const reasonOf = ({ message, cause }: ApplicationError): string =>
  cause instanceof Error ? cause.message : message;
