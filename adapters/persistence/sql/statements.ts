import { sql } from 'kysely';
import { type Builder, compile, parameter } from './builder.ts';
import type { Dialect } from './dialect.ts';
import { pageStatements } from './paging.ts';
import type { SqlTable, TableDescription } from './sql-table.ts';

/** Compiles the statements of a table for one dialect. */
export const compileTable = (builder: Builder, description: TableDescription, dialect: Dialect): SqlTable => {
  const { name, columns, key = ['id'], isVersioned = true } = description;
  const settable = columns.filter((column) => !key.includes(column));
  const given = (of: readonly string[]) => dialect.rowsFromJson(name, of, parameter('rows')).as('given');
  const select = builder.selectFrom(name).select([...columns]);
  const one = key.reduce((query, column) => query.where(column, '=', parameter(column)), select);
  const byKey = key.reduce(
    (query, column) => query.where(column, '=', parameter(column)),
    builder.updateTable(name).set(Object.fromEntries(settable.map((column) => [column, parameter(column)]))),
  );
  const update = isVersioned ? byKey.where('version', '=', sql<number>`${parameter('version')} - 1`) : byKey;
  const rows = dialect.rowsFromJson(name, columns, parameter('rows'));
  const updateAll = dialect.updateFromRows({ builder, table: name, rows, columns: settable });

  const among = (column: string) =>
    select.where(dialect.isAmongRows(column, builder.selectFrom(given([column])).select([column])));
  const amongColumn = (column: string) => among(column).orderBy('id');

  /** The builder knows window functions of known columns only. */
  const firstAmong = (column: string) => {
    const place = sql<number>`row_number() over (partition by ${sql.ref(column)} order by ${sql.ref('id')})`;
    return builder
      .selectFrom(among(column).select(place.as('place')).as('numbered'))
      .select([...columns])
      .where('place', '<=', parameter<number>('limit'))
      .orderBy('id');
  };

  return {
    name,
    columns,
    key,
    find: compile(`${name}_find`, one),
    lock: compile(`${name}_lock`, dialect.forUpdate(one)),
    findAll: compile(
      `${name}_find_all`,
      key.reduce((query, column) => query.where(dialect.isAmong(column, parameter(column))), select),
    ),
    insert: compile(
      `${name}_insert`,
      builder
        .insertInto(name)
        .values(Object.fromEntries(columns.map((column) => [column, parameter(column)]))),
    ),
    insertAll: compile(
      `${name}_insert_all`,
      builder
        .insertInto(name)
        .columns([...columns])
        .expression(builder.selectFrom(given(columns)).select([...columns])),
    ),
    update: compile(`${name}_update`, dialect.requireRows(builder, update, sql.lit(1))),
    updateAll: compile(`${name}_update_all`, dialect.requireRows(builder, updateAll, parameter('count'))),
    remove: compile(
      `${name}_remove`,
      key.reduce((query, column) => query.where(column, '=', parameter(column)), builder.deleteFrom(name)),
    ),
    page: pageStatements(builder, description, dialect),
    findBy: memoized((column) => compile(`${name}_find_by_${column}`, amongColumn(column))),
    firstBy: memoized((column) => compile(`${name}_first_by_${column}`, firstAmong(column))),
    lockBy: memoized((column) =>
      compile(`${name}_lock_by_${column}`, dialect.forUpdate(amongColumn(column))),
    ),
  };
};

/** Statements are compared by identity, so each is made once. */
export const memoized = <K, V>(make: (key: K) => V): ((key: K) => V) => {
  const made = new Map<K, V>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    made.set(key, value);
    return value;
  };
};
