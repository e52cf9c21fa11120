import type { Dialect } from './dialect.ts';
import type { Statement } from './session.ts';

interface Described {
  readonly name: string;
  readonly columns: readonly string[];
  readonly filters: Readonly<Record<string, string>>;
}

/** The statements of a collection, made once. */
export interface Statements {
  readonly find: Statement;
  readonly hold: Statement;
  readonly insert: Statement;
  /** Takes the columns behind the id, then the id, then the version that is replaced. */
  readonly update: Statement;
  readonly remove: Statement;
  /**
   * Takes the values of the fields, then where to begin unless from the start, then how many at most.
   * @param fields those that the page is filtered by
   */
  page(fields: readonly string[], fromStart: boolean): Statement;
}

export const numbered = (count: number): string =>
  Array.from({ length: count }, (_, index) => `$${index + 1}`).join(', ');

export const statementsOf = (table: Described, dialect: Dialect): Statements => {
  const { name, columns } = table;
  const changing = columns.slice(1);
  const select = `select ${columns.join(', ')} from ${name}`;
  const assignments = changing.map((column, index) => `${column} = $${index + 1}`).join(', ');
  const id = changing.length + 1;
  const pages = new Map<string, Statement>();

  const page = (fields: readonly string[], fromStart: boolean): Statement => {
    const shape = [name, 'page', ...fields, ...(fromStart ? [] : ['after'])].join('_');
    const known = pages.get(shape);
    if (known !== undefined) return known;
    const made = { name: shape, text: pageText(fields, fromStart) };
    pages.set(shape, made);
    return made;
  };

  const pageText = (fields: readonly string[], fromStart: boolean): string => {
    let place = 0;
    const next = (): string => {
      place += 1;
      return `$${place}`;
    };
    const conditions = fields.map((field) => `${table.filters[field]} = ${next()}`);
    if (!fromStart) conditions.push(`id > ${next()}`);
    const where = conditions.length > 0 ? ` where ${conditions.join(' and ')}` : '';
    return `${select}${where} order by id limit ${next()}`;
  };

  return {
    find: { name: `${name}_find`, text: `${select} where id = $1` },
    hold: { name: `${name}_hold`, text: `${select} where id = $1${dialect.hold}` },
    insert: {
      name: `${name}_insert`,
      text: `insert into ${name} (${columns.join(', ')}) values (${numbered(columns.length)})`,
    },
    update: {
      name: `${name}_update`,
      text: `update ${name} set ${assignments} where id = $${id} and version = $${id + 1}`,
      mustChange: true,
    },
    remove: { name: `${name}_remove`, text: `delete from ${name} where id = $1` },
    page,
  };
};
