import { type RawBuilder, sql } from 'kysely';
import { events } from '#adapters/persistence/schema/entities/event.ts';
import type { Row } from '#adapters/persistence/schema/entities/table.ts';
import type { EventFilter } from '#application/ports/events.ts';
import { type Builder, compile, parameter } from '../builder.ts';
import type { Dialect } from '../dialect.ts';
import { valuesOf } from '../direct-session.ts';
import type { BoundStatement, CompiledStatement } from '../sql-table.ts';
import type { EventColumn } from './dialect.ts';

const { columns, name: table } = events;

/** What a page is of: the events of the types, of an order or a user. */
type Shape = Omit<EventFilter, 'orderId'> & {
  readonly of?: readonly [column: EventColumn, id: string] | undefined;
};

/** @param limit the maximum number of events */
export type FindEvents = (shape: Shape, after: number, limit: number) => BoundStatement;

/**
 * Compiles the statements that list events behind a sequence. Every page is a range of one index, or of one for each type: it costs
 * the same wherever it is. A page of several types merges the first sequences of each.
 */
export const compileEventPages = (builder: Builder, dialect: Dialect): FindEvents => {
  const { events: index, maxGenericPlanRows } = dialect;
  const selected = sql.join(columns.map((column) => sql.ref(column)));
  const limit = parameter<number>('limit');

  /** PostgreSQL plans a statement once only if it knows how few rows are wanted. */
  const maxRowsOf = (rows: number): number | undefined =>
    maxGenericPlanRows && 2 ** Math.ceil(Math.log2(Math.max(rows, maxGenericPlanRows)));
  const limitOf = (maxRows: number | undefined) =>
    maxRows === undefined ? dialect.limit(limit) : sql.lit(maxRows);

  const typesOf = (count: number) => Array.from({ length: count }, (_, place) => parameter(`type_${place}`));

  const ofIndex = (
    column: EventColumn,
    value: RawBuilder<unknown>,
    maxRows: number | undefined,
    and?: RawBuilder<boolean>,
  ) => {
    const page = sql`select ${selected} ${index.fromIndex(column, value, and)} limit ${limitOf(maxRows)}`;
    if (maxRows === undefined) return page;
    return sql`select ${selected} from (${page}) as page order by ${index.indexOrder(column)} limit ${limit}`;
  };

  const ofTypes = (count: number, maxRows: number | undefined) => {
    const each = typesOf(count).map(
      (type, place) =>
        sql`select sequence from (select sequence ${index.fromIndex('type', type)} limit ${limitOf(maxRows)}) as ${sql.ref(`of_type_${place}`)}`,
    );
    const merged = sql`select sequence from (${sql.join(each, sql` union all `)}) as of_types order by sequence limit ${limitOf(maxRows)}`;
    const all = sql.join(columns.map((column) => sql.ref(`${table}.${column}`)));
    return sql`select ${all} from (${merged}) as matched join ${sql.table(table)} on ${sql.ref(`${table}.sequence`)} = matched.sequence order by matched.sequence limit ${limit}`;
  };

  const page = ({ of, types }: Shape, maxRows: number | undefined): RawBuilder<unknown> => {
    const count = types?.length ?? 0;
    if (of !== undefined) {
      const isOfType = count > 0 ? sql<boolean>`type in (${sql.join(typesOf(count))})` : undefined;
      return ofIndex(of[0], parameter('id'), maxRows, isOfType);
    }
    if (count > 1) return ofTypes(count, maxRows);
    const [type] = typesOf(count);
    if (type !== undefined) return ofIndex('type', type, maxRows);
    return sql`select ${selected} from ${sql.table(table)} where sequence > ${parameter('after')} order by sequence limit ${dialect.limit(limit)}`;
  };

  const statements = new Map<string, CompiledStatement>();
  return (shape, after, rows) => {
    const { of, types = [] } = shape;
    const maxRows = maxRowsOf(rows);
    const name = [table, 'page', ...(of ? [of[0]] : []), types.length, ...(maxRows ? [maxRows] : [])].join(
      '_',
    );
    const known = statements.get(name);
    const statement = known ?? compile(name, { compile: () => page(shape, maxRows).compile(builder) });
    if (known === undefined) statements.set(name, statement);
    const given: Row = Object.fromEntries(types.map((type, place) => [`type_${place}`, type]));
    return { statement, values: valuesOf(statement, { ...given, after, limit: rows, id: of?.[1] ?? null }) };
  };
};
