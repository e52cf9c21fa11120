import { type Compilable, sql } from 'kysely';
import { type Flag, flagOf } from '../schema/entities/columns.ts';
import { type Builder, compile, parameter } from './builder.ts';
import type { Dialect } from './dialect.ts';
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
  { name, columns, filters = {}, choices = {} }: TableDescription,
  { limit, maxGenericPlanRows = 0 }: Pick<Dialect, 'limit' | 'maxGenericPlanRows'>,
): FindPage => {
  const select = builder
    .selectFrom(name)
    .select([...columns])
    .orderBy('id');
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

  const genericPlan = (conditions: readonly Condition<string>[], hasAfter: boolean): Compilable => {
    let page = select.limit(sql.lit(maxGenericPlanRows));
    for (const [field, value] of conditions) page = page.where(columnOf(field), '=', sql.lit(value));
    if (hasAfter) page = page.where('id', '>', parameter('after'));
    return builder.selectFrom(page.as('page')).selectAll().orderBy('id').limit(parameter<number>('limit'));
  };

  const customPlan = (conditions: readonly Condition[], hasAfter: boolean): Compilable => {
    let page = select.limit(limit(parameter('limit')));
    for (const [field] of conditions) page = page.where(columnOf(field), '=', parameter(field));
    return hasAfter ? page.where('id', '>', parameter('after')) : page;
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

type Condition<V = string | Flag> = readonly [field: string, value: V];

const conditionsOf = (filter: object): Condition[] =>
  Object.entries(filter).flatMap(([field, value]) =>
    value === undefined ? [] : [[field, typeof value === 'boolean' ? flagOf(value) : value] as const],
  );
