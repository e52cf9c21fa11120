import type { PoolClient } from 'pg';
import type { UserId } from '#domain/user.ts';
import { retryOnConflict } from '../../retry.ts';
import type { ConnectionPool } from '../connection/pool.ts';
import type { UserLsns } from './user-lsn.ts';

/**
 * How long a record may take, in milliseconds. A record for several users waits for the row locks of all of them, so it
 * gives up sooner, and each user is recorded alone.
 */
const recordTimeoutMs = { several: 300, one: 2_000 };

/**
 * Read-your-writes on replicas: between a commit and its response it records, for each user, how far a replica must have
 * replayed the log to show what the user wrote.
 * @param userLsns undefined without replicas: then it records nothing
 */
export const readYourWrites = (connections: ConnectionPool, userLsns?: UserLsns) => ({
  /**
   * Records the users' LSNs and releases the connection that has just committed; the others may all be in use. It throws
   * nothing, because the commit stands.
   * @returns whether all are recorded; otherwise `record` must be called for each user before the response
   */
  recordAndRelease: async (client: PoolClient, users: readonly UserId[]): Promise<boolean> => {
    if (userLsns !== undefined && users.length > 0) {
      const deadline = performance.now() + (users.length > 1 ? recordTimeoutMs.several : recordTimeoutMs.one);
      try {
        await userLsns.record(users, deadline, client);
      } catch (error) {
        await connections.rollbackAndRelease(client, error, deadline);
        return false;
      }
    }
    client.release();
    return true;
  },

  /**
   * Records a user's LSN over any connection: behind a commit, which may be acknowledged only when its user is sure to read it, and
   * behind a read whose user must not read older data later.
   * @throws ApplicationError 'unavailable', as when the primary fails during a commit; a retry with the
   * same idempotency key then returns the outcome
   */
  record: async (user: UserId): Promise<void> => {
    await retryOnConflict(async () => userLsns?.record([user]));
  },
});

export type ReadYourWrites = ReturnType<typeof readYourWrites>;
