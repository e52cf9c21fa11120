import { DatabaseError } from 'pg';
import { ApplicationError, ConcurrencyConflict, UnavailableError } from '#application/errors.ts';
import { deadlineExceeded } from '../retry.ts';
import { constraintError, referenceError, unavailable } from '../sql/constraint-errors.ts';

/** The class of violated constraints, in which a reference to a missing row has a code of its own. */
const constraintViolation = /^23...$/;
const foreignKeyViolation = '23503';

/** The SQLSTATEs that `portico_require` raises: a row has changed since it was read, and an idempotency key exists already. */
export const conflictCodes = { changedRow: 'ZP001', duplicateKey: 'ZP003' } as const;

/** Serialization failure, deadlock, and a changed row. */
const conflicts: ReadonlySet<string> = new Set(['40001', '40P01', conflictCodes.changedRow]);

/** `portico_require`: the deadline has passed. */
const deadlinePassed = 'ZP002';

const statementTimeout = '57014';
const lockTimeout = '55P03';

/**
 * SQLSTATEs that make the database unavailable: the classes of connection failures, rejected credentials, exhausted
 * resources and system errors; no such database; no privilege; shutdown, crash and startup; idle timeouts; read-only after
 * a failover.
 * https://www.postgresql.org/docs/18/errcodes-appendix.html
 */
const unavailableStates = /^(08...|28...|3D000|42501|53...|58...|57P0[1-4]|25P0[34]|25006)$/;

const networkErrors =
  /^(ECONNREFUSED|ECONNRESET|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ENOENT)$/;

/** Any other error of a socket has the name of its system call, such as `read ENETDOWN`. */
const socketCalls: ReadonlySet<unknown> = new Set(['getaddrinfo', 'connect', 'read', 'write']);

/** An untrusted certificate or a failed TLS handshake, by the error codes of OpenSSL and Node. */
const tlsFailures =
  /^(CERT_|DEPTH_ZERO_|ERR_SSL_|ERR_TLS_|SELF_SIGNED_|UNABLE_TO_(GET|VERIFY|DECODE|DECRYPT)_)/;

/** Errors of the driver and its pool, which have no codes. */
const connectionFailures =
  /^(Connection terminated|The server does not support SSL|SECURITY WARNING: Using sslmode|There was an error establishing an SSL connection|timeout exceeded when trying to connect|Query read timeout|Client (was closed|has encountered)|Cannot use a pool after)/;

/** A partition names the constraint after itself: `idempotency_keys_7_pkey` is `idempotency_keys_pkey`. */
const constraintOfTable = (constraint: string): string => constraint.replace(/_\d+_pkey$/, '_pkey');

/** Whether the pool's other connections are suspect too: the server is silent, or it is no longer the primary. */
export const impliesStaleConnections = (error: unknown): boolean =>
  error instanceof Error &&
  (error.message === 'Query read timeout' || (error instanceof DatabaseError && error.code === '25006'));

/** Texts that the encoding of the database cannot hold. A start rejects one that is not UTF-8. */
const encodingErrors: ReadonlySet<string> = new Set(['22021', '22P05']);

/** Statement timeout, lock timeout, full disk, passed deadline, encoding: the server reports them, and the connection goes on. */
const harmless: ReadonlySet<string | undefined> = new Set([
  '57014',
  '55P03',
  '53100',
  deadlinePassed,
  ...encodingErrors,
]);

/** Whether a connection can be used again after an error, once its transaction is rolled back. @param error translated */
export const isConnectionUsable = (error: unknown): boolean => {
  if (!(error instanceof ApplicationError) || error.kind !== 'unavailable') return true;
  const { cause } = error;
  return cause === undefined || (cause instanceof DatabaseError && harmless.has(cause.code));
};

/**
 * Translates an error of the driver.
 * @returns ConcurrencyConflict, DomainError 'conflict', ApplicationError 'unavailable', ConstraintViolation, or the error
 * itself, which is a defect
 */
export const translateError = (error: unknown): unknown => {
  if (!(error instanceof Error)) return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (conflicts.has(code)) return new ConcurrencyConflict(error.message, error);
  if (code === deadlinePassed || code === statementTimeout) return deadlineExceeded(error);
  if (code === lockTimeout) return new UnavailableError('conflict', error);
  if (code === conflictCodes.duplicateKey) return constraintError('idempotency_keys_pkey', error);
  if (code === foreignKeyViolation) return referenceError(error);
  if (constraintViolation.test(code) && error instanceof DatabaseError) {
    return constraintError(constraintOfTable(error.constraint ?? ''), error);
  }
  // The server closed the connection or rejected it, for a reason that may lie in the URL.
  const isFatal = error instanceof DatabaseError && error.severity === 'FATAL';
  const isUnavailable =
    isFatal ||
    unavailableStates.test(code) ||
    encodingErrors.has(code) ||
    networkErrors.test(code) ||
    ('syscall' in error && socketCalls.has(error.syscall)) ||
    tlsFailures.test(code) ||
    connectionFailures.test(error.message);
  return isUnavailable ? unavailable(error) : error;
};

/** Whether a statement has waited too long for a lock. @param error translated */
export const isLockTimeout = (error: unknown): boolean =>
  error instanceof UnavailableError && error.reason === 'conflict';

/**
 * Whether the server has reported that a transaction failed, so that nothing of it is committed. When the connection is lost
 * or falls silent during a commit, the outcome is unknown. @param error translated
 */
export const isOutcomeKnown = (error: unknown): boolean =>
  !(error instanceof ApplicationError) ||
  (error.cause instanceof DatabaseError && harmless.has(error.cause.code));
