import { tables } from '../schema/entities/all.ts';
import { eventQueue, events } from '../schema/entities/event.ts';
import { idempotencyKeys } from '../schema/entities/idempotency-key.ts';
import { unavailable } from '../sql/constraint-errors.ts';
import type { SqlSession } from '../sql/session.ts';
import type { Statement } from '../sql/sql-table.ts';
import type { Problem } from '../store.ts';

const names = [...Object.values(tables), idempotencyKeys, events, eventQueue].map(({ name }) => `'${name}'`);

/** Written by hand: it asks the catalogue. */
const otherCharacterSet: Statement = {
  name: 'other_character_set',
  text: `select table_name as name, character_set_name as charset from information_schema.columns
    where table_schema = database() and table_name in (${names.join(', ')}) and character_set_name <> 'utf8mb4'
    order by table_name limit 1`,
};

/** A session keeps the format that the server had when it began, and the next ones get the one of now. */
const serverSettings: Statement = {
  name: 'server_settings',
  text: `select @@log_bin and 'STATEMENT' in (@@session.binlog_format, @@global.binlog_format) as rejects_rows,
    @@max_allowed_packet as packet`,
};

/** MariaDB's own default, in bytes. A batch of an import is a statement of several of these at its longest texts. */
const leastPacket = 16 * 1024 * 1024;

interface ServerSettings {
  readonly rejects_rows: number | null;
  readonly packet: number;
}

/**
 * Checks the settings of the server that no session may set.
 * @returns why every write fails; undefined when none fails by a setting
 */
export const findWriteProblem = async (session: SqlSession): Promise<Problem | undefined> => {
  const [settings] = await session.query<ServerSettings>(serverSettings, []);
  return settings?.rejects_rows ? rejectedWrites : undefined;
};

const rejectedWrites: Problem = {
  problem: 'rejects every write: its binlog_format is STATEMENT',
  remedy: 'Set binlog_format to ROW or MIXED in the configuration of the server, and restart Portico.',
};

/**
 * Checks the settings of the server, and the tables, which have a character set of their own: that of the database does not
 * matter. Another tool, or a dump that was restored with other options, may have changed it.
 * @returns what is wrong; undefined when every write is possible, and every table can hold every character
 */
export const findProblem = async (session: SqlSession): Promise<Problem | undefined> => {
  const [settings] = await session.query<ServerSettings>(serverSettings, []);
  if (settings?.rejects_rows) return rejectedWrites;
  if (settings !== undefined && settings.packet < leastPacket)
    return {
      problem: `has a max_allowed_packet of ${settings.packet} bytes, which rejects long statements`,
      remedy: `Set max_allowed_packet to ${leastPacket} or more in the configuration of the server.`,
    };
  const [found] = await session.query<{ readonly name: string; readonly charset: string }>(
    otherCharacterSet,
    [],
  );
  if (found === undefined) return undefined;
  return {
    problem: `stores texts of the table ${found.name} in ${found.charset}, not in utf8mb4, so it cannot keep every character`,
    remedy: `Back it up, and run alter table ${found.name} convert to character set utf8mb4 collate utf8mb4_nopad_bin.`,
  };
};

/** @throws ApplicationError 'unavailable' with the reason, for a database that responds but cannot be used */
export const requireUsable = async (session: SqlSession): Promise<void> => {
  const found = await findProblem(session);
  if (found !== undefined) throw unavailable(new Error(`It ${found.problem}. ${found.remedy}`));
};
