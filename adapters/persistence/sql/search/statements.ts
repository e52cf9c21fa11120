import { type RawBuilder, sql } from 'kysely';
import { products } from '#adapters/persistence/schema/entities/product.ts';
import { productWords } from '#adapters/persistence/schema/entities/product-word.ts';
import type { Row, Value } from '#adapters/persistence/schema/entities/table.ts';
import type { ProductSearch } from '#application/ports/product-words.ts';
import { type Builder, compile, parameter } from '../builder.ts';
import type { Dialect } from '../dialect.ts';
import type { ReadSession } from '../session.ts';
import type { BoundStatement, CompiledStatement } from '../sql-table.ts';
import {
  type Bounds,
  type CompileIntersection,
  maxSortedRows,
  maxWords,
  type SearchDialect,
} from './dialect.ts';
import { idBounds } from './ids.ts';
import { directionOf, postingListOf } from './posting-list.ts';
import { RecentPrefixes } from './recent-prefixes.ts';
import type { TermPlan } from './term-plan.ts';

/** How a search finds its products. */
export interface SearchPlan {
  readonly terms: readonly TermPlan[];
  readonly filter: ProductSearch['filter'];
  readonly isDescending: boolean;
}

const table = sql.table(productWords.name);
const columns = sql.join(products.columns.map((column) => sql.ref(`product.${column}`)));

/** More rows than the index has of a low stock. */
const anyRows = 1_000_000;

const lowStock = sql`select id from ${sql.table(products.name)} where stock_thousandths < ${parameter('stockBelow')}`;

/** No planner estimates a `case`: of a bare comparison it would assume a third of the products, or none. */
const isLow = sql`case when product.stock_thousandths < ${parameter('stockBelow')} then 1 end is not null`;

/** What no word is: it fills the places of words that a term does not have. */
const noWord = '';

/**
 * Compiles the statements of a search, one for each shape: which kinds of terms it has, which filters, which order.
 *
 * SQL by hand, because the builder has no unions of limited selects that all databases accept. The sizes stand in the text, so that
 * PostgreSQL plans with them, and plans once.
 */
export const compileStatements = (
  builder: Builder,
  dialect: Pick<Dialect, 'limit' | 'maxGenericPlanRows' | 'search'>,
) => {
  const statements = new Map<string, CompiledStatement>();
  const memoized = (name: string, text: () => RawBuilder<unknown>): CompiledStatement => {
    const statement = statements.get(name) ?? compile(name, { compile: () => text().compile(builder) });
    statements.set(name, statement);
    return statement;
  };

  const { intersect, singleRoundTrip } = dialect.search;
  const prefixes = new RecentPrefixes();

  /** The products of a table of ids, which is called `hits`. */
  const productsOf = (hits: RawBuilder<unknown>, selected = columns) =>
    sql`select ${selected} from ${hits} as hits
      ${dialect.search.joinEach(sql.table(products.name), sql`product`, sql`hits.product_id`)}`;
  const most = dialect.limit(parameter('limit'));

  /** The products of a table of ids that have the terms of the probes, up to the parameter `limit`. */
  const found = (hits: RawBuilder<unknown>, plan: SearchPlan, probes: readonly TermPlan[]) =>
    sql`${productsOf(hits)} where ${conditionsOf(plan.filter, [...probes.keys()], dialect.search)}
      order by hits.product_id ${directionOf(plan).order} limit ${most}`;

  /** Compiles an intersection once for each shape. */
  const compileIntersection = (part: string, plan: SearchPlan, size: number, text: CompileIntersection) => {
    const { listed, probes, shape, values } = shapeOf(plan);
    const statement = memoized(`search_${part}_${size}_${shape}`, () => {
      const direction = directionOf(plan);
      return text({
        lists: listed.map((term, index) => postingListOf(term, index, direction)),
        size,
        direction,
        found: (hits) => found(hits, plan, probes),
      });
    });
    return { statement, listed, values };
  };

  /** Where the next rows of each list end. */
  const findEnds = async (
    session: Pick<ReadSession, 'query'>,
    compileEnds: CompileIntersection,
    plan: SearchPlan,
    { after, size }: Pick<Step, 'after' | 'size'>,
  ): Promise<readonly End[]> => {
    const { statement, listed, values } = compileIntersection('ends', plan, size, compileEnds);
    // A list with few rows is read whole, and then the others do not have to be read.
    if (listed.every((term) => term.kind === 'range' && term.isFew)) return endsOf(undefined, listed);
    const [row] = await session.query<Row>(statement, bind(statement, { ...values, after }));
    return endsOf(row, listed);
  };

  /** The products that have all terms, among the next rows of each list, and where these rows end. */
  const findStep = async (
    session: Pick<ReadSession, 'query'>,
    plan: SearchPlan,
    { after, limit, size }: Step,
  ): Promise<StepResult> => {
    if ('endsAndFound' in intersect) {
      const { statement, listed, values } = compileIntersection('step', plan, size, intersect.endsAndFound);
      const rows = await session.query<Row>(statement, bind(statement, { ...values, after, limit }));
      // Where nothing was found, a row has the ends alone.
      return { rows: rows.filter(({ id }) => id !== null), ends: endsOf(rows[0], listed) };
    }
    const ends = await findEnds(session, intersect.ends, plan, { after, size });
    const farthest = plan.isDescending ? idBounds.least : idBounds.greatest;
    const bound = nearestEnd(ends, plan) ?? farthest;
    const { statement, values } = compileIntersection('step', plan, size, intersect.found);
    const rows = await session.query<Row>(statement, bind(statement, { ...values, after, limit, bound }));
    return { rows, ends };
  };

  /** Counts the products with so little in stock, up to one more than `maxSortedRows`. */
  const countLow = memoized(
    'search_low_count',
    () => sql`select count(*) as row_count from (${lowStock} limit ${sql.lit(maxSortedRows + 1)}) as low`,
  );

  /** The products that have all terms, among those with little in stock: these are few enough to be sorted. */
  const findLow = (plan: SearchPlan, after: string, limit: number): BoundStatement => {
    const { probes, shape, values } = shapeOf(plan);
    const statement = memoized(`search_low_${shape}`, () => {
      const { isBehind, order } = directionOf(plan);
      // The limit has the planner read the index of stocks, and not all products in the order of their ids.
      return found(
        sql`(select id as product_id from (${lowStock} limit ${sql.lit(anyRows)}) as low
          where id ${isBehind} ${parameter('after')} order by id ${order})`,
        plan,
        probes,
      );
    });
    return { statement, values: bind(statement, { ...values, after, limit }) };
  };

  /** The products that have all terms: each product is checked in turn. */
  const findWalk = (plan: SearchPlan, after: string, limit: number): BoundStatement => {
    const { probes, shape, values } = shapeOf(plan);
    // As pages do: PostgreSQL estimates an unknown limit as a tenth of the table, and would sort all of it.
    const { maxGenericPlanRows = 0 } = dialect;
    const isShort = limit <= maxGenericPlanRows;
    const statement = memoized(`search_walk_${isShort ? 'short_' : ''}${shape}`, () => {
      const { isBehind, order } = directionOf(plan);
      const rows = sql`select ${columns} from ${sql.table(products.name)} as product
        where ${conditionsOf(plan.filter, [...probes.keys()], dialect.search)} and product.id ${isBehind} ${parameter('after')}
        order by product.id ${order}`;
      return isShort
        ? sql`select * from (${rows} limit ${sql.lit(maxGenericPlanRows)}) as page order by id ${order} limit ${most}`
        : sql`${rows} limit ${most}`;
    });
    return { statement, values: bind(statement, { ...values, after, limit }) };
  };

  /**
   * The products that have all terms, if each term is one whole word or one has few rows. One round trip finds that out and the
   * products too.
   * @returns undefined when neither holds, or when the database has no such statement
   */
  const findInOneRoundTrip = async (
    session: Pick<ReadSession, 'query'>,
    { terms, filter, isDescending }: Assumption,
    { after, limit, size }: Step,
  ): Promise<{ readonly plans: readonly TermPlan[]; readonly found: StepResult } | undefined> => {
    const now = performance.now();
    if (singleRoundTrip === undefined || terms.some(({ low }) => prefixes.has(low, now))) return undefined;
    const plans = terms.map((bounds): TermPlan => ({ kind: 'words', words: [bounds.low], ...bounds }));
    const plan: SearchPlan = { terms: plans, filter, isDescending };
    const { shape, values } = shapeOf(plan);
    for (const [index, { low, high }] of terms.entries())
      Object.assign(values, {
        [`low_${index}`]: low,
        [`high_${index}`]: high,
        [`from_${index}`]: low,
        [`to_${index}`]: high,
      });
    const statement = memoized(`search_at_once_${size}_${shape}`, () =>
      singleRoundTrip({
        ...{ count: terms.length, size, direction: directionOf(plan), columns, productsOf, most },
        isWanted: conditionsOf(filter, [], dialect.search),
        hasAll: conditionsOf({}, [...terms.keys()], dialect.search),
      }),
    );
    const rows = await session.query<Row>(statement, bind(statement, { ...values, after, limit }));
    const held = rows[0]?.['held'] ?? null;
    if (held === null) {
      for (const [index, { low }] of terms.entries())
        if (rows[0]?.[`whole_${index}`] == null) prefixes.add(low, now);
      return undefined;
    }
    const ends = held === 'whole' ? endsOf(rows[0], plans) : [];
    return { plans, found: { rows: rows.filter(({ id }) => id !== null), ends } };
  };

  return { findStep, findWalk, findLow, countLow, findInOneRoundTrip };
};

/** Terms that are assumed to be whole words. */
export interface Assumption extends Pick<SearchPlan, 'filter' | 'isDescending'> {
  readonly terms: readonly Bounds[];
}

/** Up to where a step has read a list. A list without an end has no rows behind those that were read. */
interface End {
  readonly term: TermPlan;
  readonly id: string | undefined;
}

interface Step {
  readonly after: string;
  /** How many products are found at most. */
  readonly limit: number;
  /** How many rows of each list are read. */
  readonly size: number;
}

interface StepResult {
  readonly rows: readonly Row[];
  readonly ends: readonly End[];
}

const endsOf = (row: Row | undefined, lists: readonly TermPlan[]): readonly End[] =>
  lists.map((term, index) => {
    const id = row?.[`last_${index}`] ?? null;
    return { term, id: id === null ? undefined : String(id) };
  });

/** The end that comes first. @returns undefined when no list has one */
export const nearestEnd = (
  ends: readonly End[],
  { isDescending }: Pick<SearchPlan, 'isDescending'>,
): string | undefined => {
  const ids = ends.flatMap(({ id }) => (id === undefined ? [] : [id])).toSorted();
  return isDescending ? ids.at(-1) : ids[0];
};

/** The terms in an order of their kinds, so that few shapes have a statement. */
const shapeOf = ({ terms, filter, isDescending }: SearchPlan) => {
  const rank = (term: TermPlan) => (term.kind === 'words' ? term.words.length : 100);
  const listed = terms
    .filter((term) => term.kind !== 'probe')
    .toSorted((one, other) => rank(one) - rank(other));
  const probes = terms.filter((term) => term.kind === 'probe');
  const values: Record<string, Value> = {};
  for (const [index, term] of listed.entries()) {
    if (term.kind === 'words')
      for (let place = 0; place < maxWords; place += 1)
        values[`word_${index}_${place}`] = term.words[place] ?? noWord;
    else Object.assign(values, { [`low_${index}`]: term.low, [`high_${index}`]: term.high });
  }
  for (const [index, term] of probes.entries())
    Object.assign(values, { [`from_${index}`]: term.low, [`to_${index}`]: term.high });
  const kinds = listed.map((term) => (term.kind === 'range' ? 'r' : term.words.length > 1 ? 'm' : 'o'));
  const filters = Object.entries(filter).filter(([, value]) => value !== undefined);
  Object.assign(values, Object.fromEntries(filters));
  const shape = [
    `${kinds.join('')}${'p'.repeat(probes.length)}`,
    ...filters.map(([field]) => field).sort(),
    ...(isDescending ? ['desc'] : []),
  ];
  return { listed, probes, values, shape: shape.join('_') };
};

/** A scalar subquery, which every planner runs for one product after the other, by the index. */
const conditionsOf = (
  filter: ProductSearch['filter'],
  probes: readonly number[],
  { indexOfProducts = sql`` }: SearchDialect,
): RawBuilder<unknown> => {
  const filters = Object.entries(filter)
    .filter(([, value]) => value !== undefined)
    .map(([field]) =>
      field === 'stockBelow' ? isLow : sql`${sql.ref(`product.${field}`)} = ${parameter(field)}`,
    );
  const has = probes.map(
    (index) => sql`(select 1 from ${table} as probed ${indexOfProducts} where probed.product_id = product.id
      and probed.word >= ${parameter(`from_${index}`)} and probed.word <= ${parameter(`to_${index}`)} limit 1) = 1`,
  );
  const all = [...filters, ...has];
  return all.length === 0 ? sql`1 = 1` : sql.join(all, sql` and `);
};

const bind = ({ parameters }: CompiledStatement, values: Readonly<Record<string, Value>>): readonly Value[] =>
  parameters.map((name) => values[name] ?? null);
