import type { Handed, Limit, QuotaState, Quotas } from '#adapters/support/quota-store.ts';
import { retryOnConflict } from '../retry.ts';
import { QuotaEntity } from '../schema/entities/infrastructure.ts';
import type { SqlSession, Statement } from './session.ts';

const { tableName: quotas } = QuotaEntity;

/** Where the SQL of the databases differs. */
export interface QuotaDialect {
  /** The database's time, in whole milliseconds since 1970. */
  readonly now: string;
  /** A `from` item named `given` for the rows of `$1`, a JSON array, with `key`, `count` and `ends_at`. */
  readonly rowsFromJson: string;
  /** Appended to a `select`: leaves out rows that another transaction has locked. */
  readonly skipLocked: string;
}

interface Row {
  readonly key: string;
  readonly ends_at: number;
  readonly used: number;
  readonly granted: number;
}

/** Rows are deleted this long after their window has ended, in milliseconds. */
const retentionMs = 3_600_000;

/** A window whose end is implausibly far away was written before the clock was set back. Tolerance, in milliseconds. */
const clockToleranceMs = 1_000;

/**
 * The quota of each key, shared by all processes. Each call is one atomic statement, so it works through any pooler, and locks
 * its rows in the order of their keys, so that no two calls deadlock.
 * @param session one with autocommit: what a statement has changed is committed when it resolves
 * @param readSession for calls that change nothing
 */
export const sqlQuotas = (
  session: SqlSession,
  dialect: QuotaDialect,
  limit: Limit,
  readSession: SqlSession = session,
): Quotas => {
  const { lease, look, giveBack, forget } = statements(dialect, limit);
  const stateOf = ({ key, ends_at, used }: Row): QuotaState => ({
    key,
    resetAt: ends_at,
    rest: Math.max(0, limit.limit - used),
  });
  const rowsOf = (rows: readonly Handed[]): readonly [string] => [
    JSON.stringify(rows.map(({ key, count, resetAt }) => ({ key, count, ends_at: resetAt }))),
  ];

  const execute = (statement: Statement, values: readonly [string | number]) =>
    retryOnConflict(() => session.query<Row>(statement, values));

  return {
    lease: async (needs) => {
      const rows = await execute(lease, rowsOf(needs.map((need) => ({ ...need, resetAt: 0 }))));
      return rows.map((row) => ({ ...stateOf(row), granted: row.granted }));
    },
    look: async (keys) => {
      const values = rowsOf(keys.map((key) => ({ key, count: 0, resetAt: 0 })));
      return (await retryOnConflict(() => readSession.query<Row>(look, values))).map(stateOf);
    },
    giveBack: async (rests) => (await execute(giveBack, rowsOf(rests))).map(stateOf),
    forget: async (limit) => (await execute(forget, [limit])).length,
  };
};

const statements = (
  { now, rowsFromJson, skipLocked }: QuotaDialect,
  { limit, windowMilliseconds }: Limit,
) => {
  const end = `${now} + ${windowMilliseconds}`;
  const hasEnded = `${quotas}.ends_at <= ${now}`;
  // The excluded row holds the requested quota, capped at the limit.
  const available = `case when ${quotas}.used >= ${limit} then 0 when excluded.used < ${limit} - ${quotas}.used then excluded.used else ${limit} - ${quotas}.used end`;
  const requested = `case when given.count < ${limit} then given.count else ${limit} end`;
  const name = `${limit}_${windowMilliseconds}`;
  const returning = `returning ${quotas}.key, ${quotas}.ends_at, ${quotas}.used, ${quotas}.granted`;

  /** An upsert: opens a window where there is none, and grants at most what is left of the limit in one. */
  const lease: Statement = {
    name: `${quotas}_lease_${name}`,
    text:
      `insert into ${quotas} (key, ends_at, used, granted) ` +
      `select given.key, ${end}, ${requested}, ${requested} from ${rowsFromJson} where true order by given.key ` +
      `on conflict (key) do update set ` +
      `ends_at = case when ${hasEnded} then ${end} when ${quotas}.ends_at > ${end} + ${clockToleranceMs} then ${end} else ${quotas}.ends_at end, ` +
      `used = case when ${hasEnded} then excluded.used else ${quotas}.used + ${available} end, ` +
      `granted = case when ${hasEnded} then excluded.used else ${available} end ${returning}`,
  };

  const look: Statement = {
    name: `${quotas}_look`,
    text: `select key, ends_at, used, granted from ${quotas} where key in (select given.key from ${rowsFromJson})`,
  };

  /** Returns quota only to the window that granted it. Where the row is gone, a row whose window has ended takes its place. */
  const giveBack: Statement = {
    name: `${quotas}_give_back_${name}`,
    text:
      `insert into ${quotas} (key, ends_at, used, granted) ` +
      `select given.key, given.ends_at, 0, given.count from ${rowsFromJson} where true order by given.key ` +
      `on conflict (key) do update set used = ${quotas}.used - excluded.granted ` +
      `where ${quotas}.ends_at = excluded.ends_at and ${quotas}.used >= excluded.granted ${returning}`,
  };

  const forget: Statement = {
    name: `${quotas}_forget`,
    text:
      `delete from ${quotas} where key in (select key from ${quotas} ` +
      `where ends_at <= ${now} - ${retentionMs} order by ends_at limit $1${skipLocked}) returning key`,
  };

  return { lease, look, giveBack, forget };
};
