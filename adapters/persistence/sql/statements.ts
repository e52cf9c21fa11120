import type { Dialect } from './dialect.ts';
import { type FindPage, pageStatements } from './paging.ts';
import type { RowOperation, Statement, TableShape } from './session.ts';

interface TableDescription {
  readonly name: string;
  /** The id comes first. */
  readonly columns: readonly string[];
  readonly filters: Readonly<Record<string, string>>;
  readonly choices?: Readonly<Record<string, readonly string[]>>;
}

/** The statements of one collection. */
export interface Statements {
  readonly find: Statement;
  readonly lock: Statement;
  readonly insert: Statement;
  /** Takes the rows as `Dialect.rowsFromJson` does, like the other statements for several rows. */
  readonly insertAll: Statement;
  /** Takes the columns after the id, then the id, then the version that it replaces. */
  readonly update: Statement;
  readonly updateAll: Statement;
  readonly remove: Statement;
  readonly page: FindPage;
  /** Takes rows that have only the column of the field. */
  findBy(field: string): Statement;
  /** Like `findBy`, and locks the rows. */
  lockBy(field: string): Statement;
}

/** The parameters `$1, $2, ...` of a statement. */
export const placeholders = (count: number): string =>
  Array.from({ length: count }, (_, index) => `$${index + 1}`).join(', ');

/** Compiles the statements of a table for one dialect. */
export const compileStatements = (description: TableDescription, dialect: Dialect): Statements => {
  const { name, columns, filters } = description;
  const settable = columns.slice(1);
  const select = `select ${columns.join(', ')} from ${name}`;
  const assignments = settable.map((column, index) => `${column} = $${index + 1}`).join(', ');
  const id = settable.length + 1;
  const rows = dialect.rowsFromJson(name, columns);
  const table: TableShape = { name, columns, keyLength: 1, hasVersions: true };
  const list: RowOperation = { kind: 'list', table };
  const statements = new Map<string, Statement>();

  /** Statements are compared by identity, so each is made once. */
  const memoized = (statementName: string, text: () => string, operation?: RowOperation): Statement => {
    const known = statements.get(statementName);
    if (known !== undefined) return known;
    const statement: Statement = { name: statementName, text: text(), ...(operation && { operation }) };
    statements.set(statementName, statement);
    return statement;
  };

  const findByText = (field: string): string => {
    const column = filters[field] ?? field;
    return `${select} where ${column} in (select ${column} from ${dialect.rowsFromJson(name, [column])}) order by id`;
  };

  return {
    find: {
      name: `${name}_find`,
      text: `${select} where id = $1`,
      operation: { kind: 'find', table },
    },
    lock: {
      name: `${name}_hold`,
      text: `${select} where id = $1${dialect.forUpdate}`,
      operation: { kind: 'lock', table },
    },
    insert: {
      name: `${name}_insert`,
      text: `insert into ${name} (${columns.join(', ')}) values (${placeholders(columns.length)})`,
      operation: { kind: 'insert', table },
    },
    update: {
      name: `${name}_update`,
      text: `update ${name} set ${assignments} where id = $${id} and version = $${id + 1}`,
      operation: { kind: 'update', table },
    },
    insertAll: {
      name: `${name}_insert_all`,
      text: `insert into ${name} (${columns.join(', ')}) select ${columns.join(', ')} from ${rows} as given`,
    },
    updateAll: {
      name: `${name}_update_all`,
      text:
        `update ${name} set ${settable.map((column) => `${column} = given.${column}`).join(', ')} ` +
        `from ${rows} as given where ${name}.id = given.id and ${name}.version = given.version - 1`,
    },
    remove: {
      name: `${name}_remove`,
      text: `delete from ${name} where id = $1`,
      operation: { kind: 'remove', table },
    },
    page: pageStatements(table, description, dialect),
    findBy: (field) => memoized(`${name}_among_${field}`, () => findByText(field), list),
    lockBy: (field) =>
      memoized(`${name}_hold_among_${field}`, () => `${findByText(field)}${dialect.forUpdate}`),
  };
};
