import type { Dialect } from './dialect.ts';
import { type AskForPage, pagesOf } from './paging.ts';
import type { Deed, Kept, Statement } from './session.ts';

interface Described {
  readonly name: string;
  readonly columns: readonly string[];
  readonly filters: Readonly<Record<string, string>>;
  readonly choices?: Readonly<Record<string, readonly string[]>>;
}

/** The statements of a collection, made once. */
export interface Statements {
  readonly find: Statement;
  readonly hold: Statement;
  readonly insert: Statement;
  /** Takes the rows, as `given` has them; so do the others that are about several. */
  readonly insertAll: Statement;
  /** Takes the columns behind the id, then the id, then the version that is replaced. */
  readonly update: Statement;
  readonly updateAll: Statement;
  readonly remove: Statement;
  readonly page: AskForPage;
  /** Takes rows that have the field's column only. */
  among(field: string): Statement;
  holdAmong(field: string): Statement;
}

export const numbered = (count: number): string =>
  Array.from({ length: count }, (_, index) => `$${index + 1}`).join(', ');

export const statementsOf = (table: Described, dialect: Dialect): Statements => {
  const { name, columns } = table;
  const changing = columns.slice(1);
  const select = `select ${columns.join(', ')} from ${name}`;
  const assignments = changing.map((column, index) => `${column} = $${index + 1}`).join(', ');
  const id = changing.length + 1;
  const given = dialect.given(name, columns);
  const to: Kept = { name, columns, keyLength: 1, hasVersions: true };
  const list: Deed = { kind: 'list', to };
  const made = new Map<string, Statement>();

  /** A statement is made when it is first asked for, and is the same ever after. */
  const once = (shape: string, text: () => string, deed?: Deed): Statement => {
    const known = made.get(shape);
    if (known !== undefined) return known;
    const statement: Statement = { name: shape, text: text(), ...(deed && { deed }) };
    made.set(shape, statement);
    return statement;
  };

  const amongText = (field: string): string => {
    const column = table.filters[field] ?? field;
    return `${select} where ${column} in (select ${column} from ${dialect.given(name, [column])}) order by id`;
  };

  return {
    find: {
      name: `${name}_find`,
      text: `${select} where id = $1`,
      deed: { kind: 'find', to },
    },
    hold: {
      name: `${name}_hold`,
      text: `${select} where id = $1${dialect.hold}`,
      deed: { kind: 'hold', to },
    },
    insert: {
      name: `${name}_insert`,
      text: `insert into ${name} (${columns.join(', ')}) values (${numbered(columns.length)})`,
      deed: { kind: 'insert', to },
    },
    update: {
      name: `${name}_update`,
      text: `update ${name} set ${assignments} where id = $${id} and version = $${id + 1}`,
      deed: { kind: 'update', to },
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
      deed: { kind: 'remove', to },
    },
    page: pagesOf(to, table, dialect),
    among: (field) => once(`${name}_among_${field}`, () => amongText(field), list),
    holdAmong: (field) => once(`${name}_hold_among_${field}`, () => `${amongText(field)}${dialect.hold}`),
  };
};
