import { type Compilable, sql } from 'kysely';
import { Instant } from '#domain/instant.ts';
import { type Flag, flagOf } from '../schema/entities/columns.ts';
import { type Builder, compile, parameter } from './builder.ts';
import type { Dialect, Select } from './dialect.ts';
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

  const customPlan = (fields: readonly string[], period: readonly Bound[], keyset: Keyset): Compilable => {
    let page = select.limit(limit(parameter('limit')));
    for (const field of fields) page = page.where(columnOf(field), '=', parameter(field));
    for (const [bound] of period) page = page.where('created_at', comparisons[bound], parameter(ends[bound]));
    return inOrder(page, keyset);
  };

  return ({ filter, after, limit: rows, order, createdFrom, createdBefore }) => {
    const conditions = conditionsOf(filter);
    const keyset = { isDescending: order === 'descending', hasAfter: after !== undefined };
    const keysetValues = after === undefined ? [rows] : [after, rows];
    const shape = [...(keyset.isDescending ? ['desc'] : []), ...(keyset.hasAfter ? ['after'] : [])];
    const period = boundsOf(createdFrom, createdBefore);
    if (period.length === 0 && allowsGenericPlan(conditions, rows)) {
      const statement = memoized(['short', ...conditions.flat(), ...shape], () =>
        genericPlan(conditions, keyset),
      );
      return { statement, values: keysetValues };
    }
    const fields = conditions.map(([field]) => field);
    const bounds = period.map(([bound]) => bound);
    const statement = memoized([...fields, ...bounds, ...shape], () => customPlan(fields, period, keyset));
    const values = [...conditions, ...period].map(([, value]) => value);
    return { statement, values: [...values, ...keysetValues] };
  };
};

/** Where a page begins, and in which order of ids it goes on. */
interface Keyset {
  readonly isDescending: boolean;
  readonly hasAfter: boolean;
}

const inOrder = (page: Select, keyset: Keyset): Select => {
  const after = keyset.isDescending ? '<' : '>';
  return sorted(keyset.hasAfter ? page.where('id', after, parameter('after')) : page, keyset);
};

const sorted = (rows: Select, { isDescending }: Keyset): Select =>
  isDescending ? rows.orderBy('id', 'desc') : rows.orderBy('id');

/** An end of the period in which resources were created. The names are part of those of statements, which may not be long. */
type Bound = readonly [bound: 'from' | 'to', value: Instant];

const comparisons = { from: '>=', to: '<' } as const;

/** The names of parameters. MariaDB binds those of instants in a form of its own. */
const ends = { from: 'created_from', to: 'created_before' } as const;

const boundsOf = (from: Instant | undefined, to: Instant | undefined): readonly Bound[] => [
  ...(from === undefined ? [] : [['from', notBefore(earliest, from)] as const]),
  ...(to === undefined ? [] : [['to', notBefore(earliest, to)] as const]),
];

/** PostgreSQL rejects the year 0, in which no resource was created. */
const earliest = Instant.at(Date.parse('0001-01-01T00:00:00Z'));

const notBefore = (minimum: Instant, instant: Instant): Instant => (instant < minimum ? minimum : instant);

type Condition<V = string | Flag> = readonly [field: string, value: V];

const conditionsOf = (filter: object): Condition[] =>
  Object.entries(filter).flatMap(([field, value]) =>
    value === undefined ? [] : [[field, typeof value === 'boolean' ? flagOf(value) : value] as const],
  );
