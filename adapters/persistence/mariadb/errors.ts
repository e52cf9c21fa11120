import { ApplicationError, ConcurrencyConflict, UnavailableError } from '#application/errors.ts';
import { deadlineExceeded } from '../retry.ts';
import { constraintError, referenceError, unavailable } from '../sql/constraint-errors.ts';
import { ServerSettingError } from './server-setting-error.ts';

/** Errors of the server, by their numbers: https://mariadb.com/kb/en/mariadb-error-code-reference/ */
const codes = {
  /** A deadlock. In a Galera cluster, also a transaction that lost its certification, at any statement or at the commit. */
  deadlock: 1213,
  lockTimeout: 1205,
  /** `kill query`, and `max_statement_time`. */
  interrupted: [1317, 1969],
  duplicateKey: 1062,
  references: [1451, 1452],
  missingTable: 1146,
  /** A value that does not fit its column, and a comparison of texts in two character sets. */
  wrongValue: 1366,
  mixedCollations: 1267,
} as const;

/**
 * Numbers that make the database unavailable: no privilege or no such database; too many connections or prepared statements; shutdown, a killed
 * connection and network errors; full disk or a failing storage engine; read-only after a failover; and in a Galera cluster a
 * node without a majority (1047) or a commit whose outcome is unknown (1180).
 */
const unavailableCodes: ReadonlySet<number> = new Set([
  ...[1044, 1045, 1049, 1142, 1143, 1227, 1698],
  ...[1040, 1129, 1130, 1203, 1226, 1461],
  ...[1053, 1077, 1078, 1152, 1156, 1158, 1159, 1160, 1161, 1184, 1927, 4031],
  ...[3, 1021, 1026, 1030, 1114, 1290, 1792, 1836],
  ...[1047, 1180],
]);

/** What a setting of the server forbids, whenever it is tried. */
const forbidden: ReadonlyMap<number, string> = new Map([
  [1665, 'The server rejects every write, because its binlog_format is STATEMENT. Set it to ROW or MIXED.'],
  [
    1153,
    'The server rejects a statement that is longer than its max_allowed_packet. Set that to 16777216 or more.',
  ],
]);

interface DriverError extends Error {
  readonly errno?: number;
  /** Whether the connection is lost, for the driver's own errors and those of sockets. */
  readonly fatal?: boolean;
}

/** MariaDB calls each primary key PRIMARY. The name of a statement begins with its table. */
const constraintOf = ({ message }: Error, statement: string): string => {
  const name = /for key '([^']+)'$/.exec(message)?.[1] ?? message;
  return name === 'PRIMARY' ? `${statement.replace(/_insert(_all)?$/, '')}_pkey` : name;
};

/**
 * Translates an error of the driver.
 * @param statement its name
 * @returns ConcurrencyConflict, DomainError 'conflict', ApplicationError 'unavailable', ConstraintViolation, ServerSettingError, or the error
 * itself, which is a defect
 */
export const translateError = (error: unknown, statement = ''): unknown => {
  if (!(error instanceof Error) || error instanceof ApplicationError) return error;
  const { errno = 0, fatal = false }: DriverError = error;
  const reason = forbidden.get(errno);
  if (reason !== undefined) return new ServerSettingError(reason, error);
  if (errno === codes.deadlock) return new ConcurrencyConflict(error.message, error);
  if (errno === codes.lockTimeout) return new UnavailableError('conflict', error);
  if (isOneOf(codes.interrupted, errno)) return deadlineExceeded(error);
  if (isOneOf(codes.references, errno)) return referenceError(error);
  if (errno === codes.duplicateKey) return constraintError(constraintOf(error, statement), error);
  return fatal || unavailableCodes.has(errno) || isEncodingError(error) ? unavailable(error) : error;
};

/** Whether a table cannot hold a text in its character set. A start rejects one that is not utf8mb4. */
const isEncodingError = ({ errno, message }: DriverError): boolean =>
  errno === codes.mixedCollations || (errno === codes.wrongValue && /string value/i.test(message));

/** Whether a table does not exist. */
export const isMissingTable = (error: unknown): boolean =>
  error instanceof Error && (error as DriverError).errno === codes.missingTable;

const isOneOf = (numbers: readonly number[], number: number): boolean => numbers.includes(number);
