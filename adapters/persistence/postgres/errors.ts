import { DatabaseError } from 'pg';
import { ApplicationError } from '#application/errors.ts';
import { ConcurrencyConflict } from '../retry.ts';
import { constraintError, unavailable } from '../sql/constraint-errors.ts';

const uniqueViolation = '23505';

/** Serialization failure, deadlock, a reference to a row that was just removed, and a row that has changed (`portico_require`). */
const lost: ReadonlySet<string> = new Set(['40001', '40P01', '23503', 'ZP001']);

/** `portico_require`: the deadline has passed. */
const deadlinePassed = 'ZP002';

/**
 * The classes of connection failures, of credentials refused, of resources run out and of system errors; no such
 * database; no right to what is in it; shut down, crashed and starting up;
 * a statement that took too long or waited too long for a lock; idle too long; read-only after a failover.
 * https://www.postgresql.org/docs/18/errcodes-appendix.html
 */
const away = /^(08...|28...|3D000|42501|53...|58...|57P0[1-4]|57014|55P03|25P0[34]|25006)$/;

const unreachable: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
]);

/** A certificate that is not to be trusted, or no TLS to be agreed on, as OpenSSL and Node name it. */
const untrusted =
  /^(CERT_|DEPTH_ZERO_|ERR_SSL_|ERR_TLS_|SELF_SIGNED_|UNABLE_TO_(GET|VERIFY|DECODE|DECRYPT)_)/;

/** The driver and its pool have no codes of their own. */
const disconnected =
  /^(Connection terminated|The server does not support SSL|SECURITY WARNING: Using sslmode|There was an error establishing an SSL connection|timeout exceeded when trying to connect|Query read timeout|Client (was closed|has encountered)|Cannot use a pool after)/;

/** A table that is kept in parts is refused by one of them, which has the constraint under a name of its own. */
const wholeOf = (constraint: string): string => constraint.replace(/_\d+_pkey$/, '_pkey');

/** Nobody answers, or a server answers that is the primary no more. */
export const makesSuspicious = (error: unknown): boolean =>
  error instanceof Error &&
  (error.message === 'Query read timeout' || (error instanceof DatabaseError && error.code === '25006'));

/** A statement timeout, a lock timeout, a full disk, a passed deadline: the server reports them and goes on. */
const sound: ReadonlySet<string | undefined> = new Set(['57014', '55P03', '53100', deadlinePassed]);

/** Whether the connection over which an error came is as good as before, once what was begun is undone. */
export const isSound = (error: unknown): boolean => {
  if (!(error instanceof ApplicationError) || error.kind !== 'unavailable') return true;
  const { cause } = error;
  return cause === undefined || (cause instanceof DatabaseError && sound.has(cause.code));
};

/** What an error of the driver means here. */
export const explain = (error: unknown): unknown => {
  if (!(error instanceof Error)) return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (lost.has(code)) return new ConcurrencyConflict(error.message, error);
  if (code === deadlinePassed) return new ApplicationError('unavailable', 'It took too long.', error);
  if (code === uniqueViolation && error instanceof DatabaseError) {
    return constraintError(wholeOf(error.constraint ?? ''), error);
  }
  // Of a connection that the server ends, or does not let come about: it may be what the URL asks for, too.
  const isEnded = error instanceof DatabaseError && error.severity === 'FATAL';
  const isAway =
    isEnded ||
    away.test(code) ||
    unreachable.has(code) ||
    untrusted.test(code) ||
    disconnected.test(error.message);
  return isAway ? unavailable(error) : error;
};
