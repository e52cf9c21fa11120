import { ApplicationError, ConcurrencyConflict } from '#application/errors.ts';
import { retryOnConflict } from '../../retry.ts';
import type { Row, Value } from '../../schema/entities/table.ts';
import { jsonOf } from '../../sql/direct-session.ts';
import type { ReadSession, SqlSession } from '../../sql/session.ts';
import type { BoundStatement, SqlTable } from '../../sql/sql-table.ts';
import { memoized } from '../../sql/statements.ts';
import { encodeTextArray } from '../pipeline/pipeline.ts';
import { createBatcher } from './batcher.ts';

interface Lookup {
  readonly key: readonly Value[];
  readonly deadline: number;
}

type RowsByKey = ReadonlyMap<string, Row>;

type Rows = readonly Row[];

/**
 * Read coalescing outside of units of work. Look-ups by key in one turn of the event loop are one statement for each table
 * (DataLoader); equal lists are sent once (single flight), because most clients of a shop want its first page. The latest deadline
 * among them holds. Each read is retried on its own after a conflict.
 * @param sessionUntil opens a session without a transaction. Deadlines are on the clock of `performance.now()`.
 * @returns opens the reads for a deadline
 */
export const coalescedReads = (
  sessionUntil: (deadline: number) => SqlSession,
): ((deadline: number) => ReadSession) => {
  const findByKey = memoized((table: SqlTable) =>
    createBatcher((lookups: readonly Lookup[]) => loadBatch(sessionUntil, table, lookups)),
  );

  const find = async (table: SqlTable, key: readonly Value[], deadline: number): Promise<Row | undefined> => {
    const rows = await findByKey(table)({ key, deadline });
    // After an error that may be due to another look-up, each is sent alone.
    return rows === undefined
      ? (await sessionUntil(deadline).query<Row>(table.find, key))[0]
      : rows.get(nameOf(key));
  };

  /** The lists that are not sent yet: a later equal one joins them. */
  const unsent = new Map<string, (deadline: number) => Promise<Rows>>();
  const list = ({ statement, values }: BoundStatement, deadline: number): Promise<Rows> => {
    const name = JSON.stringify([statement.name, ...values]);
    const load =
      unsent.get(name) ??
      createBatcher((deadlines: readonly number[]) => {
        unsent.delete(name);
        return sessionUntil(Math.max(...deadlines)).query<Row>(statement, values);
      });
    unsent.set(name, load);
    return load(deadline);
  };

  return (deadline) => {
    const retry = <T>(read: () => Promise<T>): Promise<T> => retryOnConflict(read, deadline);
    return {
      query: (statement, values) => retry(() => sessionUntil(deadline).query(statement, values)),
      find: (table, key) => retry(() => find(table, key, deadline)),
      findBy: (table, column, values) =>
        retry(() => list({ statement: table.findBy(column), values: [jsonOf(column, values)] }, deadline)),
      firstBy: (table, column, values, limit) => {
        const bound = { statement: table.firstBy(column), values: [jsonOf(column, values), limit] };
        return retry(() => list(bound, deadline));
      },
      page: (table, query) => retry(() => list(table.page(query), deadline)),
    };
  };
};

/** @returns undefined when each look-up must be sent alone */
const loadBatch = async (
  sessionUntil: (deadline: number) => SqlSession,
  table: SqlTable,
  lookups: readonly Lookup[],
): Promise<RowsByKey | undefined> => {
  const session = sessionUntil(Math.max(...lookups.map(({ deadline }) => deadline)));
  const [only] = lookups;
  const keys = new Map(lookups.map(({ key }) => [nameOf(key), key]));
  const read =
    keys.size === 1 && only !== undefined
      ? session.query<Row>(table.find, only.key)
      : session.query<Row>(table.findAll, listsOf(table, [...keys.values()]));
  try {
    return new Map((await read).map((row) => [nameOf(table.key.map((column) => row[column] ?? null)), row]));
  } catch (error) {
    if (error instanceof ApplicationError || error instanceof ConcurrencyConflict) throw error;
    return undefined;
  }
};

/** No key holds a NUL: PostgreSQL stores none in a text. */
const nameOf = (key: readonly Value[]): string => key.join('\0');

const listsOf = (table: SqlTable, keys: readonly (readonly Value[])[]): readonly Value[] =>
  table.key.map((_, index) => encodeTextArray(keys.map((key) => String(key[index]))));
