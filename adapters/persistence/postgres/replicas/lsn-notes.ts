import type { PoolClient } from 'pg';
import type { UserId } from '#domain/user.ts';
import { retryOnConflict } from '../../retry.ts';
import type { Connections } from '../connection/pool.ts';
import { postgresSession } from '../session.ts';
import type { Replicas } from './replicas.ts';

/** How long a note may take, in milliseconds: for several it waits for whoever is in the way of one, so that they go alone soon. */
const longest = { together: 300, alone: 2_000 };

/**
 * What is between a commit and its acknowledgement: where there are replicas, it is noted for each user how far one must be
 * to show what they have changed.
 */
export class Notes {
  readonly #connections: Connections;
  readonly #replicas: Replicas | undefined;

  constructor(connections: Connections, replicas?: Replicas) {
    this.#connections = connections;
    this.#replicas = replicas;
  }

  /**
   * Over the connection that has just committed, for the others may all be busy, and gives it back. It throws nothing, for
   * what is committed stays so.
   * @returns whether it could be done; otherwise it has to be tried `again` for each
   */
  async take(client: PoolClient, users: readonly UserId[]): Promise<boolean> {
    if (this.#replicas !== undefined && users.length > 0) {
      const until = performance.now() + (users.length > 1 ? longest.together : longest.alone);
      try {
        await this.#replicas.note(users, postgresSession(this.#connections, until, client));
      } catch (error) {
        await this.#connections.undo(client, error, until);
        return false;
      }
    }
    client.release();
    return true;
  }

  /**
   * Acknowledged is only what the user is sure to find. When that cannot be seen to, they hear the same as when the primary
   * went away during the commit: an idempotency key tells at the next try.
   */
  async again(user: UserId): Promise<void> {
    await retryOnConflict(async () => this.#replicas?.note([user]));
  }
}
