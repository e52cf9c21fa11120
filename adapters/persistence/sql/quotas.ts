import type { Handed, Limit, QuotaState, Quotas } from '#adapters/support/quota-store.ts';
import { retryOnConflict } from '../retry.ts';
import { QuotaEntity } from '../schema/entities/quota.ts';
import type { SqlSession, Statement } from './session.ts';

const { tableName: quotas } = QuotaEntity;

/** Where the two databases do not speak the same SQL. */
export interface QuotaDialect {
  /** The database's time, in whole milliseconds since 1970. */
  readonly now: string;
  /** The rows of `$1`, a JSON list, as `given` with `key`, `count` and `ends_at`. */
  readonly rowsFromJson: string;
  /** Behind a `select`: rows that somebody else is at are left out. */
  readonly skipLocked: string;
}

interface Row {
  readonly key: string;
  readonly ends_at: number;
  readonly used: number;
  readonly granted: number;
}

/** Rows that nobody has asked for since so long are removed, in milliseconds. */
const silence = 3_600_000;

/** How much further away than it can be a window's end may be before the clock must have been put back, in milliseconds. */
const clockTolerance = 1_000;

/**
 * Each call is one statement for all its keys, in the order of the keys, so that no two processes wait for each other in
 * turn. That it is one makes it atomic, needs no transaction of several statements, and works through any pooler.
 * @param session whose statements each stand alone: what one has changed is committed when it has answered
 * @param reading for what changes nothing
 */
export const sqlQuotas = (
  session: SqlSession,
  dialect: QuotaDialect,
  limit: Limit,
  reading: SqlSession = session,
): Quotas => {
  const { lease, look, giveBack, forget } = statements(dialect, limit);
  const stateOf = ({ key, ends_at, used }: Row): QuotaState => ({
    key,
    resetAt: ends_at,
    rest: Math.max(0, limit.limit - used),
  });
  const given = (rows: readonly Handed[]): readonly [string] => [
    JSON.stringify(rows.map(({ key, count, resetAt }) => ({ key, count, ends_at: resetAt }))),
  ];

  const ask = (statement: Statement, values: readonly [string | number]) =>
    retryOnConflict(() => session.query<Row>(statement, values));

  return {
    lease: async (needs) => {
      const rows = await ask(lease, given(needs.map((need) => ({ ...need, resetAt: 0 }))));
      return rows.map((row) => ({ ...stateOf(row), granted: row.granted }));
    },
    look: async (keys) => {
      const values = given(keys.map((key) => ({ key, count: 0, resetAt: 0 })));
      return (await retryOnConflict(() => reading.query<Row>(look, values))).map(stateOf);
    },
    giveBack: async (rests) => (await ask(giveBack, given(rests))).map(stateOf),
    forget: async (most) => (await ask(forget, [most])).length,
  };
};

const statements = (
  { now, rowsFromJson: given, skipLocked: free }: QuotaDialect,
  { limit, windowMilliseconds }: Limit,
) => {
  const end = `${now} + ${windowMilliseconds}`;
  const isOver = `${quotas}.ends_at <= ${now}`;
  // What the excluded row has was made of this key's wish, cut down to the limit.
  const most = `case when ${quotas}.used >= ${limit} then 0 when excluded.used < ${limit} - ${quotas}.used then excluded.used else ${limit} - ${quotas}.used end`;
  const wish = `case when given.count < ${limit} then given.count else ${limit} end`;
  const name = `${limit}_${windowMilliseconds}`;
  const answer = `returning ${quotas}.key, ${quotas}.ends_at, ${quotas}.used, ${quotas}.granted`;

  /** Opens a window where there is none; within one, hands out what is left at the most. */
  const lease: Statement = {
    name: `${quotas}_lease_${name}`,
    text:
      `insert into ${quotas} (key, ends_at, used, granted) ` +
      `select given.key, ${end}, ${wish}, ${wish} from ${given} where true order by given.key ` +
      `on conflict (key) do update set ` +
      `ends_at = case when ${isOver} then ${end} when ${quotas}.ends_at > ${end} + ${clockTolerance} then ${end} else ${quotas}.ends_at end, ` +
      `used = case when ${isOver} then excluded.used else ${quotas}.used + ${most} end, ` +
      `granted = case when ${isOver} then excluded.used else ${most} end ${answer}`,
  };

  const look: Statement = {
    name: `${quotas}_look`,
    text: `select key, ends_at, used, granted from ${quotas} where key in (select given.key from ${given})`,
  };

  /** Only to the window that it was taken from. Where there is no row any more, one that is over takes its place. */
  const giveBack: Statement = {
    name: `${quotas}_give_back_${name}`,
    text:
      `insert into ${quotas} (key, ends_at, used, granted) ` +
      `select given.key, given.ends_at, 0, given.count from ${given} where true order by given.key ` +
      `on conflict (key) do update set used = ${quotas}.used - excluded.granted ` +
      `where ${quotas}.ends_at = excluded.ends_at and ${quotas}.used >= excluded.granted ${answer}`,
  };

  const forget: Statement = {
    name: `${quotas}_forget`,
    text:
      `delete from ${quotas} where key in (select key from ${quotas} ` +
      `where ends_at <= ${now} - ${silence} order by ends_at limit $1${free}) returning key`,
  };

  return { lease, look, giveBack, forget };
};
