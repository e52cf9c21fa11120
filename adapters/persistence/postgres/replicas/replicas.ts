import { repeatedly } from '#adapters/support/interval.ts';
import type { Mandate } from '#application/ports/unit-of-work.ts';
import type { UserId } from '#domain/user.ts';
import type { SqlSession } from '../../sql/session.ts';
import type { Replica } from './replica.ts';
import type { Position, Positions } from './user-lsn.ts';

/** By how much a replica may lag behind the primary, in milliseconds. One that lags more is left out until it is back. */
const longestLag = 5_000;

/** Without a newer look at the primary than that, nobody knows who lags. */
const longestBlindness = 30_000;

/** How often it is looked how far the replicas have come, how far the primary has, and for positions nobody needs. */
const every = { replica: 100, primary: 1_000, forgetting: 10_000 };

interface Sight {
  readonly at: number;
  readonly position: Position;
}

/**
 * Lets replicas answer readings where nobody notices: the one who asks finds what they have written, whichever process
 * wrote it, and a replica that is away costs no more than the time that it took to find out.
 */
export class Replicas {
  readonly #replicas: readonly Replica[];
  readonly #positions: Positions;
  readonly #stops: readonly (() => void)[];
  /** How far the primary had come: the first was long enough ago that every replica in use must have come so far. */
  #sights: readonly Sight[] = [];
  #next = 0;

  private constructor(replicas: readonly Replica[], positions: Positions) {
    this.#replicas = replicas;
    this.#positions = positions;
    this.#stops = [
      ...replicas.map((replica) => repeatedly(every.replica, () => replica.look())),
      repeatedly(every.primary, () => this.#lookAtPrimary()),
      repeatedly(every.forgetting, () => positions.forget()),
    ];
  }

  /** @throws whatever keeps the primary from being prepared; replicas may be away */
  static async beside(positions: Positions, replicas: readonly Replica[]): Promise<Replicas> {
    await positions.prepare();
    return new Replicas(replicas, positions);
  }

  /**
   * To be called when units of work of these users have been committed, and waited for before anybody hears of that.
   * @param over the connection that has committed them, while there is one
   */
  note(users: readonly UserId[], over?: SqlSession): Promise<void> {
    return this.#positions.note(users, over);
  }

  /** @param primary answers where no replica may, or can */
  sessionFor({ user, until }: Mandate, primary: SqlSession): SqlSession {
    let choice: Promise<Replica | undefined> | undefined;
    return {
      query: async (statement, values) => {
        choice ??= this.#choose(user);
        const chosen = await choice;
        if (chosen === undefined) return primary.query(statement, values);
        try {
          return await chosen.query(statement, values, until);
        } catch {
          choice = Promise.resolve(undefined);
          return primary.query(statement, values);
        }
      },
      execute: (statement, values) => primary.execute(statement, values),
    };
  }

  async close(): Promise<void> {
    for (const stop of this.#stops) stop();
    await Promise.all(this.#replicas.map((replica) => replica.close()));
  }

  /**
   * One that is known to have all that the user wrote, and does not lag.
   * @throws as a session does when what they wrote cannot be noted: no other process would know of what they are shown here
   */
  async #choose(user: UserId): Promise<Replica | undefined> {
    await this.#positions.complete(user);
    const least = Math.max(this.#positions.known(user), this.#leastPosition());
    // To ask the primary how far it must be is not worth it when none is far enough for what is known here.
    if (!this.#replicas.some((replica) => replica.mayHave(least))) return undefined;
    const noted = await this.#positions.find(user);
    if (noted === undefined) return undefined;
    const position = Math.max(least, noted.of(user) ?? 0);
    this.#next += 1;
    for (let step = 0; step < this.#replicas.length; step += 1) {
      const replica = this.#replicas[(this.#next + step) % this.#replicas.length];
      if (replica?.has(noted.lineage, position)) return replica;
    }
    return undefined;
  }

  /** Of the primary as it was the longest lag ago; beyond anybody while that is not known. */
  #leastPosition(): Position {
    const [first] = this.#sights;
    const isKnown = first !== undefined && performance.now() - first.at <= longestBlindness;
    return isKnown ? first.position : Number.POSITIVE_INFINITY;
  }

  async #lookAtPrimary(): Promise<void> {
    const at = performance.now();
    const sights = [...this.#sights, { at, position: await this.#positions.current() }];
    const first = sights.findLastIndex((sight) => at - sight.at >= longestLag);
    this.#sights = sights.slice(Math.max(first, 0));
  }
}
