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

/**
 * Looks at the tables, which have a character set of their own: that of the database does not matter. Another tool, or a dump that
 * was restored with other options, may have changed it.
 * @returns what is wrong; undefined when every table can hold every character
 */
export const findProblem = async (session: SqlSession): Promise<Problem | undefined> => {
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
