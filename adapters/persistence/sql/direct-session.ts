import type { Row, Value } from '../schema/entities/table.ts';
import type { ReadSession, SqlSession, TableSession } from './session.ts';
import type { CompiledStatement } from './sql-table.ts';

/** Reads that send a statement each, at once. */
export const directReads = (session: Pick<SqlSession, 'query'>): ReadSession => ({
  query: (statement, values) => session.query(statement, values),
  find: async (table, key) => (await session.query<Row>(table.find, key))[0],
  findBy: (table, column, values) => session.query<Row>(table.findBy(column), [jsonOf(column, values)]),
  firstBy: (table, column, values, limit) =>
    session.query<Row>(table.firstBy(column), [jsonOf(column, values), limit]),
  page: (table, query) => {
    const { statement, values } = table.page(query);
    return session.query<Row>(statement, values);
  },
});

/** Operations that send a statement each, at once. */
export const directSession = (session: SqlSession): TableSession => {
  const insertOrUpdate = async (statement: CompiledStatement, row: Row) => {
    await session.execute(statement, valuesOf(statement, row), 1);
  };
  const changeAll = async (statement: CompiledStatement, rows: readonly Row[]) => {
    await session.execute(statement, [JSON.stringify(rows)], rows.length);
  };
  return {
    ...directReads(session),
    execute: (statement, values, expectedRows) => session.execute(statement, values, expectedRows),
    lock: async (table, key) => (await session.query<Row>(table.lock, key))[0],
    lockBy: (table, column, values) => session.query<Row>(table.lockBy(column), [jsonOf(column, values)]),
    insert: (table, row) => insertOrUpdate(table.insert, row),
    insertAll: (table, rows) => changeAll(table.insertAll, rows),
    update: (table, row) => insertOrUpdate(table.update, row),
    updateAll: (table, rows) => changeAll(table.updateAll, rows),
    remove: async (table, key) => {
      await session.execute(table.remove, key);
    },
  };
};

/** The values of a statement's parameters, which are named by the columns of the row. */
export const valuesOf = ({ parameters }: CompiledStatement, row: Row): readonly Value[] =>
  parameters.map((name) => row[name] ?? null);

/** The rows that `findBy` and `lockBy` accept, in JSON. */
export const jsonOf = (column: string, values: readonly Value[]): string =>
  JSON.stringify(values.map((value) => ({ [column]: value })));
