const starting = 'It is starting up, shutting down or recovering.';

/** Shutdown, crash and startup: https://www.postgresql.org/docs/18/errcodes-appendix.html */
const notReadyStates = /^57P0[1-3]$/;

/** PgBouncer passes the message of the server on, but not its code. */
const passedOn = /the database system is (starting up|shutting down|in recovery mode|not (yet )?accepting)/;

/**
 * Why a server that was reached does not serve yet. Everything else that a start may meet, such as a closed port or a wrong
 * password, stays as it is.
 * @param error of a start, with its causes
 * @returns a sentence, or undefined for any other error
 */
export const notReadyReason = (error: unknown): string | undefined => {
  if (!(error instanceof Error)) return undefined;
  const { code, message } = error as NodeJS.ErrnoException;
  const isNotReady = notReadyStates.test(code ?? '') || (code === '08P01' && passedOn.test(message));
  return isNotReady ? starting : notReadyReason(error.cause);
};
