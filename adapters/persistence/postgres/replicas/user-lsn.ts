import type { UserId } from '#domain/user.ts';
import type { SqlSession, Statement } from '../../sql/session.ts';
import type { Connections } from '../connection/pool.ts';
import { listOf } from '../list-of.ts';
import { gather } from '../read-coalescing/batcher.ts';
import { postgresSession } from '../session.ts';

/** Bytes of the write-ahead log, counted from its beginning. */
export type Position = number;

/** What the primary says of some users. */
export interface Noted {
  /** Behind which a replica must not be to answer this user; undefined when they have written nothing of late. */
  of(user: UserId): Position | undefined;
  /** What a replica must show to be one of this primary's. */
  readonly lineage: string;
}

/** The id of nobody, under which the lineage is kept. */
const nobody = '00000000-0000-0000-0000-000000000000';

/** How long a position is kept, in milliseconds. By then every replica in use has long come so far. */
const lifetime = 60_000;

/** How many are thrown away at once, for whoever comes back just then waits until that is done. */
const mostForgotten = 10_000;

const bytes = (position: string): string => `(${position} - '0/0'::pg_lsn)::bigint`;

const note: Statement = {
  name: 'user_positions_note',
  text:
    'insert into user_positions (user_id, position) ' +
    'select noted, pg_current_wal_insert_lsn() from unnest($1::uuid[]) as noted ' +
    'on conflict (user_id) do update set noted_at = now(), ' +
    'position = greatest(user_positions.position, excluded.position) ' +
    `returning user_id, ${bytes('position')} as position`,
};

const find: Statement = {
  name: 'user_positions_find',
  text: `select user_id, ${bytes('position')} as position, lineage from user_positions where user_id = any($1::uuid[])`,
};

const beginLineage: Statement = {
  name: 'user_positions_begin',
  text:
    'with begun as (insert into user_positions (user_id, position, lineage) ' +
    `values ('${nobody}', '0/0', gen_random_uuid()) on conflict do nothing returning lineage), ` +
    'gone as (delete from replica_lineage where exists (select from begun)) ' +
    'insert into replica_lineage select lineage from begun',
};

const forget: Statement = {
  name: 'user_positions_forget',
  text:
    'delete from user_positions where user_id in (select user_id from user_positions ' +
    `where noted_at < now() - interval '${lifetime} milliseconds' and lineage is null ` +
    `limit ${mostForgotten} for update skip locked)`,
};

const current: Statement = {
  name: 'wal_position',
  text: `select ${bytes('pg_current_wal_lsn()')} as position`,
};

interface Row {
  readonly user_id: UserId;
  readonly position: Position;
  readonly lineage: string | null;
}

/** How long the primary is given to answer, in milliseconds. */
const patience = 2_000;

/**
 * How far in the log each user's own changes reach, whichever process made them. It is kept on the primary, in no log and on
 * no replica, and to note one never waits for a disk or a standby. All are gone after a crash or a failover: whoever finds
 * them gone begins a new lineage, and a replica that does not show it has not yet replayed what may have been lost with
 * them, or follows somebody else.
 */
export class Positions {
  readonly #connections: Connections;
  /** As far as this process has made them, in the order in which it noted them. */
  readonly #own = new Map<UserId, { readonly position: Position; readonly at: number }>();

  /** Of whom something is being noted, or could not be. */
  readonly #owed = new Map<UserId, Promise<void>>();

  /** @returns undefined when the positions had been lost */
  readonly find: (user: UserId) => Promise<Noted | undefined> = gather((users) => this.#find(users));

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  async prepare(): Promise<void> {
    await this.#session.execute(beginLineage, []);
  }

  /**
   * Notes how far the log reaches now, before which all is that the users have committed.
   * @param over outside a transaction; any connection unless that is said
   * @throws as a session does
   */
  async note(users: readonly UserId[], over = this.#session): Promise<void> {
    const noting = this.#note(users, over);
    for (const user of users) this.#owed.set(user, noting);
    await noting;
    for (const user of users) if (this.#owed.get(user) === noting) this.#owed.delete(user);
  }

  /**
   * Waits until all is noted that the user has committed through this process: they may be shown it from then on.
   * @throws as a session does when that cannot be seen to
   */
  async complete(user: UserId): Promise<void> {
    await this.#owed.get(user)?.catch(() => this.note([user]));
  }

  async #note(users: readonly UserId[], over: SqlSession): Promise<void> {
    // In the same order everywhere: each waits for those before it, and nobody in a circle.
    const rows = await over.query<Pick<Row, 'user_id' | 'position'>>(note, [listOf(users.toSorted())]);
    const at = performance.now();
    for (const { user_id: user, position } of rows) {
      this.#own.delete(user);
      this.#own.set(user, { position, at });
    }
  }

  /** What is known without asking: a lower bound. */
  known(user: UserId): Position {
    return this.#own.get(user)?.position ?? 0;
  }

  /** How far the log of the primary reaches. */
  async current(): Promise<Position> {
    const [row] = await this.#session.query<{ readonly position: Position }>(current, []);
    return row?.position ?? Number.POSITIVE_INFINITY;
  }

  async forget(): Promise<void> {
    const before = performance.now() - lifetime;
    for (const [user, { at }] of this.#own) {
      if (at > before) break;
      this.#own.delete(user);
    }
    let gone = mostForgotten;
    while (gone === mostForgotten) gone = await this.#session.execute(forget, []);
  }

  async #find(users: readonly UserId[]): Promise<Noted | undefined> {
    const rows = await this.#session.query<Row>(find, [listOf([...users, nobody])]);
    const byUser = new Map(rows.map((row) => [row.user_id as string, row]));
    const lineage = byUser.get(nobody)?.lineage;
    if (lineage) return { lineage, of: (user) => byUser.get(user)?.position };
    await this.#session.execute(beginLineage, []);
    return undefined;
  }

  get #session(): SqlSession {
    return postgresSession(this.#connections, performance.now() + patience);
  }
}
