import type { QuotaStore, RateLimit, WindowState } from '#adapters/support/quota-store.ts';
import { QuotaEntity } from '../schema/entities/infrastructure.ts';
import type { SqlSession } from './session.ts';
import type { Statement } from './sql-table.ts';

const { tableName: quotas } = QuotaEntity;

/** Where the SQL of the databases differs. */
export interface QuotaDialect {
  /** The database's time, in whole milliseconds since 1970. */
  readonly now: string;
  /** A `from` item named `given` for the rows of `$1`, a JSON array: `key`, and `count`, `ends_at` and `quota_limit` where needed. */
  readonly rowsFromJson: string;
  /** The column `key`, quoted where that name is reserved. */
  readonly key: string;
  /** The value of a column in the row that an upsert would insert. */
  readonly excluded: (column: string) => string;
  /**
   * Ends an insert: it updates the row that has the same key.
   * @param assignments columns and their new values, made of the row as it was; no value depends on an earlier column
   * @param where other rows stay unchanged
   */
  readonly upsert: (
    assignments: readonly (readonly [column: string, value: string])[],
    where?: string,
  ) => string;
  /** Whether an upsert also returns the rows that its condition excludes. */
  readonly returnsUnchanged?: true;
  /** Deletes rows, the earliest end first, at most as many as the only parameter. */
  readonly deleteEnded: (table: string, where: string, skipLocked: string) => string;
  /** Appended to a `select`: skips rows that another transaction has locked. */
  readonly skipLocked: string;
}

interface Row {
  readonly key: string;
  readonly ends_at: number;
  readonly used: number;
  readonly granted: number;
}

/** Windows are deleted this long after their end, in milliseconds. */
const retentionMs = 3_600_000;

/** A window that ends this much later than it can was opened before the clock was set back, in milliseconds. */
const clockToleranceMs = 1_000;

/**
 * The quota of each key, shared by all processes. Each call is one atomic statement, so it works through any pooler. It locks
 * its rows in the order of their keys, so no two calls deadlock.
 * @returns the quotas under a limit. Their statements do not depend on it, so that none is prepared for each limit.
 * @param session one with autocommit, which retries: what a statement has changed is committed when it resolves
 * @param readSession for calls that change nothing
 */
export const sqlQuotas = (
  session: SqlSession,
  dialect: QuotaDialect,
  readSession: SqlSession = session,
): ((rateLimit: RateLimit) => QuotaStore) => {
  const byWindow = new Map<number, QuotaStatements>();
  return ({ limit, windowMilliseconds }) => {
    const statements = byWindow.get(windowMilliseconds) ?? quotaStatements(dialect, windowMilliseconds);
    byWindow.set(windowMilliseconds, statements);
    return quotaStore({ session, readSession, dialect, statements, limit });
  };
};

interface Parts {
  readonly session: SqlSession;
  readonly readSession: SqlSession;
  readonly dialect: QuotaDialect;
  readonly statements: QuotaStatements;
  readonly limit: number;
}

const quotaStore = ({ session, readSession, dialect, statements, limit }: Parts): QuotaStore => {
  const run = (statement: Statement, value: string | number, on = session) =>
    on.query<Row>(statement, [value]);
  const stateOf = ({ key, ends_at, used }: Row): WindowState => ({
    key,
    resetAt: ends_at,
    unleased: Math.max(0, limit - used),
  });

  return {
    lease: async (requests) => {
      const counts = new Map(requests.map(({ key, count }) => [key, Math.min(count, limit)]));
      const given = Array.from(counts, ([key, count]) => ({ key, count, quota_limit: limit }));
      const rows = await run(statements.lease, JSON.stringify(given));
      // A window that was opened has its limit in the place of what was granted.
      return rows.map((row) => ({
        ...stateOf(row),
        granted: Math.min(row.granted, counts.get(row.key) ?? 0),
      }));
    },
    returnBlocks: async (blocks) => {
      const given = blocks.map(({ key, count, resetAt }) => ({ key, count, ends_at: resetAt }));
      const rows = await run(statements.returnBlocks, JSON.stringify(given));
      const endsAt = new Map(blocks.map(({ key, resetAt }) => [key, resetAt]));
      const isOwn = ({ key, ends_at }: Row) => !dialect.returnsUnchanged || endsAt.get(key) === ends_at;
      return rows.filter(isOwn).map(stateOf);
    },
    read: async (keys) => {
      const given = JSON.stringify(keys.map((key) => ({ key })));
      return (await run(statements.read, given, readSession)).map(stateOf);
    },
    purge: async (maxRows) => (await run(statements.purge, maxRows)).length,
  };
};

type QuotaStatements = ReturnType<typeof quotaStatements>;

/**
 * Written by hand: the typed builder has no upsert from JSON rows whose arithmetic depends on the row that exists. The
 * others share the clock and the rows of the dialect with it, which are text. The window is in the text, because a parameter may
 * occur only once.
 */
const quotaStatements = (
  { now, rowsFromJson, key, excluded, upsert, deleteEnded, skipLocked }: QuotaDialect,
  windowMilliseconds: number,
) => {
  const columns = `${key}, ends_at, used, granted`;
  const returning = `returning ${quotas}.key, ${quotas}.ends_at, ${quotas}.used, ${quotas}.granted`;

  // The excluded row holds the requested count in `used`, the limit in `granted`, and the end of a window that starts now. Each row
  // reads the clock once.
  const limit = excluded('granted');
  const hasEnded = `${quotas}.ends_at <= ${excluded('ends_at')} - ${windowMilliseconds}`;
  const isImplausible = `${quotas}.ends_at > ${excluded('ends_at')} + ${clockToleranceMs}`;
  const granted =
    `case when ${hasEnded} or ${excluded('used')} <= ${limit} - ${quotas}.used then ${excluded('used')} ` +
    `when ${quotas}.used < ${limit} then ${limit} - ${quotas}.used else 0 end`;

  /** Opens a window where there is none, and grants at most what remains of the limit in one. */
  const lease: Statement = {
    name: `${quotas}_lease_${windowMilliseconds}`,
    text:
      `insert into ${quotas} (${columns}) ` +
      `select given.key, ${now} + ${windowMilliseconds}, given.count, given.quota_limit from ${rowsFromJson} where true order by given.key ` +
      upsert([
        ['granted', granted],
        ['used', `case when ${hasEnded} then 0 else ${quotas}.used end + ${granted}`],
        [
          'ends_at',
          `case when ${hasEnded} or ${isImplausible} then ${excluded('ends_at')} else ${quotas}.ends_at end`,
        ],
      ]) +
      ` ${returning}`,
  };

  /** Changes only the window that granted the block. An upsert, because it locks in order; what it inserts has ended. */
  const returnBlocks: Statement = {
    name: `${quotas}_return`,
    text:
      `insert into ${quotas} (${columns}) ` +
      `select given.key, given.ends_at, 0, given.count from ${rowsFromJson} where true order by given.key ` +
      upsert(
        [['used', `${quotas}.used - ${excluded('granted')}`]],
        `${quotas}.ends_at = ${excluded('ends_at')} and ${quotas}.used >= ${excluded('granted')}`,
      ) +
      ` ${returning}`,
  };

  const read: Statement = {
    name: `${quotas}_read`,
    text: `select ${columns} from ${quotas} where ${key} in (select given.key from ${rowsFromJson})`,
  };

  const purge: Statement = {
    name: `${quotas}_purge`,
    text: `${deleteEnded(quotas, `ends_at <= ${now} - ${retentionMs}`, skipLocked)} returning ${key}`,
  };

  return { lease, returnBlocks, read, purge };
};
