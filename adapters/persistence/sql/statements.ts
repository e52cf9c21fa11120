import type { Dialect } from './dialect.ts';
import { type FindPage, pageStatements } from './paging.ts';
import type { RowOperation, Statement, TableShape } from './session.ts';

interface Described {
  readonly name: string;
  readonly columns: readonly string[];
  readonly filters: Readonly<Record<string, string>>;
  readonly choices?: Readonly<Record<string, readonly string[]>>;
}

/** The statements of a collection, made once. */
export interface Statements {
  readonly find: Statement;
  readonly findForUpdate: Statement;
  readonly insert: Statement;
  /** Takes the rows, as `given` has them; so do the others that are about several. */
  readonly insertAll: Statement;
  /** Takes the columns behind the id, then the id, then the version that is replaced. */
  readonly update: Statement;
  readonly updateAll: Statement;
  readonly remove: Statement;
  readonly page: FindPage;
  /** Takes rows that have the field's column only. */
  findBy(field: string): Statement;
  lockBy(field: string): Statement;
}

export const placeholders = (count: number): string =>
  Array.from({ length: count }, (_, index) => `$${index + 1}`).join(', ');

export const compileStatements = (table: Described, dialect: Dialect): Statements => {
  const { name, columns } = table;
  const changing = columns.slice(1);
  const select = `select ${columns.join(', ')} from ${name}`;
  const assignments = changing.map((column, index) => `${column} = $${index + 1}`).join(', ');
  const id = changing.length + 1;
  const given = dialect.rowsFromJson(name, columns);
  const to: TableShape = { name, columns, keyLength: 1, hasVersions: true };
  const list: RowOperation = { kind: 'list', table: to };
  const made = new Map<string, Statement>();

  /** A statement is made when it is first asked for, and is the same ever after. */
  const once = (shape: string, text: () => string, deed?: RowOperation): Statement => {
    const known = made.get(shape);
    if (known !== undefined) return known;
    const statement: Statement = { name: shape, text: text(), ...(deed && { operation: deed }) };
    made.set(shape, statement);
    return statement;
  };

  const amongText = (field: string): string => {
    const column = table.filters[field] ?? field;
    return `${select} where ${column} in (select ${column} from ${dialect.rowsFromJson(name, [column])}) order by id`;
  };

  return {
    find: {
      name: `${name}_find`,
      text: `${select} where id = $1`,
      operation: { kind: 'find', table: to },
    },
    findForUpdate: {
      name: `${name}_hold`,
      text: `${select} where id = $1${dialect.forUpdate}`,
      operation: { kind: 'hold', table: to },
    },
    insert: {
      name: `${name}_insert`,
      text: `insert into ${name} (${columns.join(', ')}) values (${placeholders(columns.length)})`,
      operation: { kind: 'insert', table: to },
    },
    update: {
      name: `${name}_update`,
      text: `update ${name} set ${assignments} where id = $${id} and version = $${id + 1}`,
      operation: { kind: 'update', table: to },
    },
    insertAll: {
      name: `${name}_insert_all`,
      text: `insert into ${name} (${columns.join(', ')}) select ${columns.join(', ')} from ${given} as given`,
    },
    updateAll: {
      name: `${name}_update_all`,
      text:
        `update ${name} set ${changing.map((column) => `${column} = given.${column}`).join(', ')} ` +
        `from ${given} as given where ${name}.id = given.id and ${name}.version = given.version - 1`,
    },
    remove: {
      name: `${name}_remove`,
      text: `delete from ${name} where id = $1`,
      operation: { kind: 'remove', table: to },
    },
    page: pageStatements(to, table, dialect),
    findBy: (field) => once(`${name}_among_${field}`, () => amongText(field), list),
    lockBy: (field) => once(`${name}_hold_among_${field}`, () => `${amongText(field)}${dialect.forUpdate}`),
  };
};
