/** The error of a server that did not respond within a time limit of this process. */
export const noResponseError = (): Error =>
  Object.assign(new Error('The server did not respond in time.'), { code: 'ETIMEDOUT' });

/**
 * Why a server that was reached does not serve yet, as while a node of a Galera cluster joins it or another node is lost.
 * Everything else that a start may meet, such as a closed port or a wrong password, stays as it is.
 *
 * A read that waits in vain for the commits of the other nodes (`wsrep_sync_wait`) fails with the number of a lock timeout:
 * https://mariadb.com/kb/en/galera-cluster-system-variables/#wsrep_sync_wait
 * @param error of a start, with its causes
 * @returns a sentence, or undefined for any other error
 */
export const notReadyReason = (error: unknown): string | undefined => {
  if (!(error instanceof Error)) return undefined;
  const { code, errno } = error as NodeJS.ErrnoException;
  return byError.get(errno) ?? byError.get(code) ?? notReadyReason(error.cause);
};

const noCluster = 'Its node is joining the cluster, or has lost it.';
const noResponse = 'It does not respond in time.';
const closed = 'It closes connections.';

/** By the number of the server's error, or else by the code of the driver or the socket. */
const byError: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  ...[1047, 1205].map((key) => [key, noCluster] as const),
  ...[1317, 1969, 'ETIMEDOUT'].map((key) => [key, noResponse] as const),
  ...[1053, 1180, 1927, 'PROTOCOL_CONNECTION_LOST', 'ECONNRESET', 'EPIPE'].map(
    (key) => [key, closed] as const,
  ),
]);
