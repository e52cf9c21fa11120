import type { Dialect } from './dialect.ts';
import type { BoundStatement, Statement, TableShape } from './session.ts';

interface Filterable {
  /** The column of each field that pages can be filtered by. */
  readonly filters: Readonly<Record<string, string>>;
  /** The possible values of those fields that have few of them. */
  readonly choices?: Readonly<Record<string, readonly string[]>>;
}

export interface PageQuery {
  readonly filter: object;
  /** The id that the page begins after; undefined for the first page. */
  readonly after?: string | undefined;
  /** The maximum number of rows. */
  readonly limit: number;
}

export type FindPage = (query: PageQuery) => BoundStatement;

/**
 * Compiles the statements of keyset pagination: a page continues after the last id of the one before, in the order of ids.
 *
 * PostgreSQL assumes that an unknown limit returns a tenth of the table, so a parameter there makes it plan every page anew
 * (custom plan). A short page states its maximum in the text instead, and gets a generic plan, made once.
 *
 * A generic plan must suit every value, so the values of its filters stand in the text too. That is possible only for fields
 * with few values: for a rare value, a plan made without it may scan the whole table.
 * https://www.postgresql.org/docs/current/sql-prepare.html
 */
export const pageStatements = (
  table: TableShape,
  { filters, choices = {} }: Filterable,
  { limit, maxGenericPlanRows = 0 }: Pick<Dialect, 'limit' | 'maxGenericPlanRows'>,
): FindPage => {
  const { name, columns } = table;
  const statements = new Map<string, Statement>();

  const memoized = (shape: readonly string[], text: () => string): Statement => {
    const statementName = [name, 'page', ...shape].join('_');
    const known = statements.get(statementName);
    if (known !== undefined) return known;
    const statement: Statement = { name: statementName, text: text(), operation: { kind: 'list', table } };
    statements.set(statementName, statement);
    return statement;
  };

  const select = (conditions: readonly string[]): string => {
    const where = conditions.length > 0 ? ` where ${conditions.join(' and ')}` : '';
    return `select ${columns.join(', ')} from ${name}${where} order by id`;
  };

  const allowsGenericPlan = (conditions: readonly Condition[], rows: number): boolean =>
    rows <= maxGenericPlanRows && conditions.every(([field, value]) => choices[field]?.includes(value));

  const genericPlan = (conditions: readonly Condition[], hasAfter: boolean): string => {
    const comparisons = conditions.map(([field, value]) => `${filters[field]} = '${value}'`);
    if (hasAfter) comparisons.push('id > $1');
    return (
      `select * from (${select(comparisons)} limit ${maxGenericPlanRows}) as page ` +
      `order by id limit $${hasAfter ? 2 : 1}`
    );
  };

  const customPlan = (conditions: readonly Condition[], hasAfter: boolean): string => {
    const operands = conditions.map(([field]) => `${filters[field]} =`);
    if (hasAfter) operands.push('id >');
    const comparisons = operands.map((operand, index) => `${operand} $${index + 1}`);
    return `${select(comparisons)} limit ${limit(`$${comparisons.length + 1}`)}`;
  };

  return ({ filter, after, limit: rows }) => {
    const conditions = conditionsOf(filter);
    const hasAfter = after !== undefined;
    const keysetValues = hasAfter ? [after, rows] : [rows];
    const shape = hasAfter ? ['after'] : [];
    if (allowsGenericPlan(conditions, rows)) {
      const statement = memoized(['short', ...conditions.flat(), ...shape], () =>
        genericPlan(conditions, hasAfter),
      );
      return { statement, values: keysetValues };
    }
    const fields = conditions.map(([field]) => field);
    const statement = memoized([...fields, ...shape], () => customPlan(conditions, hasAfter));
    return { statement, values: [...conditions.map(([, value]) => value), ...keysetValues] };
  };
};

type Condition = readonly [field: string, value: string];

const conditionsOf = (filter: object): Condition[] =>
  Object.entries(filter).filter(([, value]) => value !== undefined);
