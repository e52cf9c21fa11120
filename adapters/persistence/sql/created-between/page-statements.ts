import { type Compilable, type RawBuilder, sql } from 'kysely';
import type { Instant } from '#domain/instant.ts';
import type { Value } from '../../schema/entities/table.ts';
import { type Builder, compile, parameter } from '../builder.ts';
import type { Dialect, Select } from '../dialect.ts';
import { beyond, type Condition, conditionsOf, inOrder, type Keyset, sorted } from '../keyset.ts';
import type {
  BoundStatement,
  CompiledStatement,
  PageQuery,
  PeriodPart,
  TableDescription,
} from '../sql-table.ts';
import { hasPaidPeriod, type Period } from './parts.ts';
import { sinceYearOne } from './year-one.ts';

/**
 * Compiles the statements of pages of a period. Planners estimate a period as spread evenly over the ids, and would
 * read the ids in their order, or sort the whole period. So each statement allows them one way to read its part.
 */
export const periodPageStatements = (
  builder: Builder,
  { name, columns, filters = {}, choices = {} }: TableDescription,
  { limit, isAmongRows }: Pick<Dialect, 'limit' | 'isAmongRows'>,
): ((query: PageQuery, part: PeriodPart) => BoundStatement) => {
  const select: Select = builder.selectFrom(name).select([...columns]);
  const selectIds: Select = builder.selectFrom(name).select('id');
  const columnOf = (field: string): string => filters[field] ?? field;
  const limited = (page: Select): Select => page.limit(limit(parameter('limit')));
  const isChoice = ([field, value]: Condition): boolean =>
    choices[field]?.some((choice) => choice === value) ?? false;

  /** Of the few values of a field, a plan must know which one is rare. */
  const matching = (rows: Select, conditions: readonly Condition[]): Select =>
    conditions.reduce((found, condition) => {
      const [field, value] = condition;
      return found.where(columnOf(field), '=', isChoice(condition) ? sql.lit(value) : parameter(field));
    }, rows);

  const around = (
    conditions: readonly Condition[],
    bounds: readonly Bound[],
    part: PeriodPart,
    keyset: Keyset,
  ) => limited(inOrder(within(matching(select, conditions), part).where(isInPeriod(bounds)), keyset));

  /** One of few values excludes too few rows to be read for it: that would cost the index its advantage to have the ids. */
  const beside = (
    conditions: readonly Condition[],
    bounds: readonly Bound[],
    part: PeriodPart,
    keyset: Keyset,
  ): Compilable => {
    const ofOthers = matching(
      selectIds,
      conditions.filter((condition) => !isChoice(condition)),
    );
    const leading = bounds.filter((bound) => columnsOfBounds[bound] === leadingColumn(part));
    const ids = between(beyond(within(ofOthers, part), keyset).limit(sql.lit(moreThanAny)), leading);
    const found = select.where(isAmongRows('id', builder.selectFrom(ids.as('found')).select('id')));
    const inBoth = between(
      found,
      bounds.filter((bound) => !leading.includes(bound)),
    );
    return limited(sorted(matching(inBoth, conditions.filter(isChoice)), keyset));
  };

  const statements = new Map<string, CompiledStatement>();

  return ({ filter, after, limit: rows, order }, part) => {
    const conditions = conditionsOf(filter);
    const keyset = { isDescending: order === 'descending', hasAfter: after !== undefined };
    const ofPeriod = boundsOf(part);
    const bounds = ofPeriod.map(([bound]) => bound);
    const shape = conditions.flatMap((condition) => (isChoice(condition) ? condition : condition[0]));
    const statementName = [name, 'page', ...shape, lettersOf(bounds, part, keyset)].join('_');
    const statement =
      statements.get(statementName) ??
      compile(statementName, (part.isAround ? around : beside)(conditions, bounds, part, keyset));
    statements.set(statementName, statement);
    const values: Readonly<Record<string, Value | undefined>> = {
      ...Object.fromEntries(conditions),
      ...Object.fromEntries(ofPeriod),
      ...{ first_id: part.from, end_id: part.before, after, limit: rows },
    };
    return { statement, values: statement.parameters.map((parameterName) => values[parameterName] ?? null) };
  };
};

const within = (page: Select, { from, before }: PeriodPart): Select => {
  const begun = from === undefined ? page : page.where('id', '>=', parameter('first_id'));
  return before === undefined ? begun : begun.where('id', '<', parameter('end_id'));
};

/** No planner estimates a `case`: of bare comparisons it would assume that few rows match, and read the whole period first. */
const isInPeriod = (bounds: readonly Bound[]): RawBuilder<boolean> => {
  const each = bounds.map(
    (bound) => sql`${sql.ref(columnsOfBounds[bound])} ${sql.raw(comparisonOf(bound))} ${parameter(bound)}`,
  );
  return sql<boolean>`case when ${sql.join(each, sql` and `)} then 1 end is not null`;
};

const between = (rows: Select, bounds: readonly Bound[]): Select =>
  bounds.reduce(
    (found, bound) => found.where(columnsOfBounds[bound], comparisonOf(bound), parameter(bound)),
    rows,
  );

/** A limit inside keeps planners from reading the ids in their order, up to a row that may not exist. */
const moreThanAny = 2 ** 31 - 1;

/** What distinguishes statements, in letters: PostgreSQL cuts the names of statements at 63 bytes. */
const lettersOf = (
  bounds: readonly Bound[],
  { from, before, isAround }: PeriodPart,
  keyset: Keyset,
): string =>
  [
    ...bounds.map((bound) => letters[bound]),
    isAround ? 'a' : 'b',
    from === undefined ? '' : 'g',
    before === undefined ? '' : 'l',
    keyset.isDescending ? 'd' : '',
    keyset.hasAfter ? 'c' : '',
  ].join('');

/** The ends of periods, and their columns. They are names of parameters: MariaDB binds those of instants in a form of its own. */
const columnsOfBounds = {
  created_from: 'created_at',
  created_before: 'created_at',
  paid_from: 'paid_at',
  paid_before: 'paid_at',
} as const;

type Bound = keyof typeof columnsOfBounds;

const letters: Readonly<Record<Bound, string>> = {
  ...{ created_from: 'f', created_before: 't' },
  ...{ paid_from: 'p', paid_before: 'q' },
};

const comparisonOf = (bound: Bound): '>=' | '<' => (bound.endsWith('_from') ? '>=' : '<');

/** The column by whose index the part is read. */
const leadingColumn = (part: Period): 'created_at' | 'paid_at' =>
  hasPaidPeriod(part) ? 'paid_at' : 'created_at';

const boundsOf = ({
  createdFrom,
  createdBefore,
  paidFrom,
  paidBefore,
}: Period): readonly (readonly [bound: Bound, value: Instant])[] => {
  const given: Readonly<Record<Bound, Instant | undefined>> = {
    ...{ created_from: createdFrom, created_before: createdBefore },
    ...{ paid_from: paidFrom, paid_before: paidBefore },
  };
  return (Object.entries(given) as [Bound, Instant | undefined][]).flatMap(([bound, value]) =>
    value === undefined ? [] : [[bound, sinceYearOne(value)] as const],
  );
};
