import type { Dialect } from './dialect.ts';
import type { BoundStatement, Statement, TableShape } from './session.ts';

/** By what pages of a table can be filtered. */
interface Filters {
  readonly filters: Readonly<Record<string, string>>;
  readonly choices?: Readonly<Record<string, readonly string[]>>;
}

/** Rows in the order of their ids. */
export interface PageQuery {
  readonly filter: object;
  /** They begin behind this one. */
  readonly after?: string | undefined;
  /** So many at the most. */
  readonly count: number;
}

export type FindPage = (wanted: PageQuery) => BoundStatement;

/**
 * How pages of a table are asked for. Each statement is made when it is first wanted, and is the same ever after.
 *
 * PostgreSQL takes a limit that it does not know for a tenth of the table. To know it, it plans each page anew, which is a
 * quarter of what a page of 20 costs there; where the text says that there are few rows, however many are wanted, it keeps its
 * plan. That has to be good for whatever is asked for later, so what the rows are filtered by stands in the text as well, which
 * can be done where few values are possible. A plan that is made without them may read a whole table for one that is rare.
 */
export const pageStatements = (
  to: TableShape,
  { filters, choices = {} }: Filters,
  { limit: most, maxGenericPlanRows: shortPage = 0 }: Pick<Dialect, 'limit' | 'maxGenericPlanRows'>,
): FindPage => {
  const { name, columns } = to;
  const made = new Map<string, Statement>();

  const once = (shape: readonly string[], text: () => string): Statement => {
    const called = [name, 'page', ...shape].join('_');
    const known = made.get(called);
    if (known !== undefined) return known;
    const statement: Statement = { name: called, text: text(), operation: { kind: 'list', table: to } };
    made.set(called, statement);
    return statement;
  };

  const select = (conditions: readonly string[]): string => {
    const where = conditions.length > 0 ? ` where ${conditions.join(' and ')}` : '';
    return `select ${columns.join(', ')} from ${name}${where} order by id`;
  };

  const isPlannedOnce = (wanted: readonly Filtered[], count: number): boolean =>
    count <= shortPage && wanted.every(([field, value]) => choices[field]?.includes(value));

  const plannedOnce = (wanted: readonly Filtered[], isBehind: boolean): string => {
    const conditions = wanted.map(([field, value]) => `${filters[field]} = '${value}'`);
    if (isBehind) conditions.push('id > $1');
    return `select * from (${select(conditions)} limit ${shortPage}) as page order by id limit $${isBehind ? 2 : 1}`;
  };

  const planned = (wanted: readonly Filtered[], isBehind: boolean): string => {
    const comparisons = wanted.map(([field]) => `${filters[field]} =`);
    if (isBehind) comparisons.push('id >');
    const conditions = comparisons.map((comparison, index) => `${comparison} $${index + 1}`);
    return `${select(conditions)} limit ${most(`$${conditions.length + 1}`)}`;
  };

  return ({ filter, after, count }) => {
    const wanted = wantedBy(filter);
    const isBehind = after !== undefined;
    const place = isBehind ? [after, count] : [count];
    const shape = isBehind ? ['after'] : [];
    if (isPlannedOnce(wanted, count)) {
      const statement = once(['short', ...wanted.flat(), ...shape], () => plannedOnce(wanted, isBehind));
      return { statement, values: place };
    }
    const fields = wanted.map(([field]) => field);
    const statement = once([...fields, ...shape], () => planned(wanted, isBehind));
    return { statement, values: [...wanted.map(([, value]) => value), ...place] };
  };
};

type Filtered = readonly [field: string, value: string];

const wantedBy = (filter: object): Filtered[] =>
  Object.entries(filter).filter(([, value]) => value !== undefined);
