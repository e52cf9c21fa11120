import { entities } from '../../schema/entities/all.ts';
import type { Value } from '../../schema/entities/table.ts';
import type { BoundStatement, Statement, TableShape } from '../../sql/session.ts';
import { placeholders } from '../../sql/statements.ts';
import { encodeTextArray } from '../pipeline/pipeline.ts';
import type { Row } from '../pipeline/row-decoder.ts';
import type { Change, Changes } from './changes.ts';
import { keyOfRow, partsOf } from './changes.ts';

/** The bulk statements of a table: one statement does what several units of work would each do alone. */
interface Forms {
  readonly find: Statement;
  /** PostgreSQL plans a statement that takes an array anew each time, and keeps the plan of this one. */
  readonly findOne: Statement;
  /** Skips rows that another transaction has locked. The lock lets foreign keys refer to the row. */
  readonly hold: Statement;
  readonly exist: Statement;
  readonly insert: Statement;
  /** A single row needs no JSON. */
  readonly insertOne: Statement;
  /** Raises ZP001 unless it changes as many rows as `$2` says. */
  readonly update: Statement;
  /** Raises ZP001 when there is no such row. */
  readonly updateOne: Statement;
  readonly remove: Statement;
}

const made = new Map<TableShape, Forms>();

const formsOf = (of: TableShape): Forms => {
  const known = made.get(of);
  if (known !== undefined) return known;
  const { name, columns, keyLength } = of;
  const key = columns.slice(0, keyLength);
  const all = columns.join(', ');
  const given = `json_populate_recordset(null::${name}, $1) as given`;
  // A composite key may combine the columns of two requested keys, and find a row that was not requested.
  const among = key.map((column, index) => `${column} = any($${index + 1})`).join(' and ');
  const same = key.map((column) => `${name}.${column} = given.${column}`).join(' and ');
  const seen = of.hasVersions ? ` and ${name}.version = ($3::json ->> given.id::text)::int` : '';
  const assignments = columns.slice(keyLength).map((column) => `${column} = given.${column}`);
  const forms: Forms = {
    find: { name: `${name}_find_many`, text: `select ${all} from ${name} where ${among}` },
    findOne: {
      name: `${name}_find_one`,
      text: `select ${all} from ${name} where ${listed(key, 1, ' and ')}`,
    },
    hold: {
      name: `${name}_hold_many`,
      text: `select ${all} from ${name} where ${among} for no key update skip locked`,
    },
    exist: { name: `${name}_exist`, text: `select ${key.join(', ')} from ${name} where ${among}` },
    insert: {
      name: `${name}_insert_many`,
      text: `insert into ${name} (${all}) select ${all} from ${given}`,
    },
    insertOne: {
      name: `${name}_insert_one`,
      text: `insert into ${name} (${all}) values (${placeholders(columns.length)})`,
    },
    update: {
      name: `${name}_update_many`,
      text:
        `with changed as (update ${name} set ${assignments.join(', ')} from ${given} where ${same}${seen} returning 1) ` +
        `select ${requireRows('$2::int')} from changed`,
    },
    updateOne: {
      name: `${name}_update_one`,
      text:
        `with changed as (update ${name} set ${listed(columns.slice(keyLength), 1, ', ')} ` +
        `where ${listed(of.hasVersions ? [...key, 'version'] : key, columns.length - keyLength + 1, ' and ')} ` +
        `returning 1) select ${requireRows('1')} from changed`,
    },
    remove: {
      name: `${name}_remove_one`,
      text: `delete from ${name} where ${listed(key, 1, ' and ')}`,
    },
  };
  made.set(of, forms);
  return forms;
};

/** Raises ZP001 unless the statement changed so many rows. @param count in SQL */
const requireRows = (count: string): string => `portico_require(count(*) = ${count}, 'ZP001')`;

/** @param first the number of the first value */
const listed = (columns: readonly string[], first: number, between: string): string =>
  columns.map((column, index) => `${column} = $${first + index}`).join(between);

const bind = (statement: Statement, values: readonly Value[]): BoundStatement => ({ statement, values });

const listsOf = (of: TableShape, keys: readonly string[]): string[] => {
  const parts = keys.map((key) => partsOf(of, key));
  return Array.from({ length: of.keyLength }, (_, index) =>
    encodeTextArray(parts.map((each) => each[index] ?? '')),
  );
};

export const findAll = (of: TableShape, keys: readonly string[]): BoundStatement => {
  const [only] = keys;
  return keys.length === 1 && only !== undefined
    ? bind(formsOf(of).findOne, partsOf(of, only))
    : bind(formsOf(of).find, listsOf(of, keys));
};

/** Two statements: the first locks the rows that are free, the second lists the rows that exist. */
export const holdAll = (of: TableShape, keys: readonly string[]): readonly BoundStatement[] => {
  const lists = listsOf(of, keys);
  return [bind(formsOf(of).hold, lists), bind(formsOf(of).exist, lists)];
};

/** @param changes of one table */
const insertsOf = (of: TableShape, changes: ReadonlyMap<string, Change>): BoundStatement[] => {
  const rows: Row[] = [];
  for (const change of changes.values()) if (change.kind === 'insert') rows.push(change.row);
  const [only] = rows;
  if (only === undefined) return [];
  if (rows.length > 1) return [bind(formsOf(of).insert, [JSON.stringify(rows)])];
  return [
    bind(
      formsOf(of).insertOne,
      of.columns.map((column) => only[column] ?? null),
    ),
  ];
};

const updatesOf = (of: TableShape, changes: ReadonlyMap<string, Change>): BoundStatement[] => {
  const rows: Row[] = [];
  const seen: Record<string, Value> = {};
  for (const change of changes.values()) {
    if (change.kind !== 'update') continue;
    rows.push(change.row);
    seen[keyOfRow(of, change.row)] = change.seen;
  }
  const [only] = rows;
  if (only === undefined) return [];
  if (rows.length === 1) {
    const columns = [...of.columns.slice(of.keyLength), ...of.columns.slice(0, of.keyLength)];
    const values = columns.map((column) => only[column] ?? null);
    const version = of.hasVersions ? [seen[keyOfRow(of, only)] ?? null] : [];
    return [bind(formsOf(of).updateOne, [...values, ...version])];
  }
  const values = [JSON.stringify(rows), rows.length, ...(of.hasVersions ? [JSON.stringify(seen)] : [])];
  return [bind(formsOf(of).update, values)];
};

const removesOf = (of: TableShape, changes: ReadonlyMap<string, Change>): BoundStatement[] =>
  [...changes].flatMap(([key, { kind }]) =>
    kind === 'remove' ? [bind(formsOf(of).remove, partsOf(of, key))] : [],
  );

/** A table comes behind the tables that its foreign keys refer to. */
const order: readonly string[] = entities.postgres.map(({ tableName }) => tableName);

const inOrder = (one: readonly [TableShape, unknown], other: readonly [TableShape, unknown]): number =>
  order.indexOf(one[0].name) - order.indexOf(other[0].name);

/** The statements of a write set, sent right before the commit. They raise ZP001 where a row has changed since it was read. */
export const lastStatements = (changes: Changes): BoundStatement[] => {
  const tables = [...changes.tables].sort(inOrder);
  return [
    ...tables.flatMap(([of, rows]) => insertsOf(of, rows)),
    ...tables.flatMap(([of, rows]) => updatesOf(of, rows)),
    ...tables.reverse().flatMap(([of, rows]) => removesOf(of, rows)),
  ];
};
