import { type Compilable, sql } from 'kysely';
import { type Builder, compile, parameter } from './builder.ts';
import { periodPageStatements } from './created-between/page-statements.ts';
import type { Dialect } from './dialect.ts';
import { type Condition, conditionsOf, inOrder, type Keyset, sorted } from './keyset.ts';
import type { CompiledStatement, FindPage, TableDescription } from './sql-table.ts';

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
  builder: Builder,
  description: TableDescription,
  dialect: Pick<Dialect, 'limit' | 'maxGenericPlanRows' | 'isAmongRows'>,
): FindPage => {
  const { name, columns, filters = {}, choices = {} } = description;
  const { limit, maxGenericPlanRows = 0 } = dialect;
  const select = builder.selectFrom(name).select([...columns]);
  const columnOf = (field: string): string => filters[field] ?? field;

  const statements = new Map<string, CompiledStatement>();
  const memoized = (shape: readonly string[], query: () => Compilable): CompiledStatement => {
    const statementName = [name, 'page', ...shape].join('_');
    const statement = statements.get(statementName) ?? compile(statementName, query());
    statements.set(statementName, statement);
    return statement;
  };

  const allowsGenericPlan = (
    conditions: readonly Condition[],
    rows: number,
  ): conditions is readonly Condition<string>[] =>
    rows <= maxGenericPlanRows &&
    conditions.every(([field, value]) => choices[field]?.some((choice) => choice === value));

  const genericPlan = (conditions: readonly Condition<string>[], keyset: Keyset): Compilable => {
    let page = select.limit(sql.lit(maxGenericPlanRows));
    for (const [field, value] of conditions) page = page.where(columnOf(field), '=', sql.lit(value));
    const rows = builder.selectFrom(inOrder(page, keyset).as('page')).selectAll();
    return sorted(rows, keyset).limit(parameter<number>('limit'));
  };

  const customPlan = (fields: readonly string[], keyset: Keyset): Compilable => {
    let page = select.limit(limit(parameter('limit')));
    for (const field of fields) page = page.where(columnOf(field), '=', parameter(field));
    return inOrder(page, keyset);
  };

  const periodPage = periodPageStatements(builder, description, dialect);

  return (query) => {
    const { filter, after, limit: rows, order, part } = query;
    if (part !== undefined) return periodPage(query, part);
    const conditions = conditionsOf(filter);
    const keyset = { isDescending: order === 'descending', hasAfter: after !== undefined };
    const keysetValues = after === undefined ? [rows] : [after, rows];
    const shape = [...(keyset.isDescending ? ['desc'] : []), ...(keyset.hasAfter ? ['after'] : [])];
    if (allowsGenericPlan(conditions, rows)) {
      const statement = memoized(['short', ...conditions.flat(), ...shape], () =>
        genericPlan(conditions, keyset),
      );
      return { statement, values: keysetValues };
    }
    const fields = conditions.map(([field]) => field);
    const statement = memoized([...fields, ...shape], () => customPlan(fields, keyset));
    const values = conditions.map(([, value]) => value);
    return { statement, values: [...values, ...keysetValues] };
  };
};
