import { type RawBuilder, sql } from 'kysely';
import { products } from '#adapters/persistence/schema/entities/product.ts';
import { productWords } from '#adapters/persistence/schema/entities/product-word.ts';
import type { Row, Value } from '#adapters/persistence/schema/entities/table.ts';
import type { ProductSearch } from '#application/ports/product-words.ts';
import { type Builder, compile, parameter } from '../builder.ts';
import type { Dialect } from '../dialect.ts';
import type { ReadSession } from '../session.ts';
import type { BoundStatement, CompiledStatement } from '../sql-table.ts';
import { type Bounds, type CompileWindow, maxSortedRows, maxWords, type SearchDialect } from './dialect.ts';
import { idBounds } from './ids.ts';
import { directionOf, streamOf } from './posting-list.ts';
import { RecentPrefixes } from './recent-prefixes.ts';
import type { Source } from './term-plan.ts';

export interface Looked {
  readonly sources: readonly Source[];
  readonly filter: ProductSearch['filter'];
  readonly isDescending: boolean;
}

const table = sql.table(productWords.name);
const columns = sql.join(products.columns.map((column) => sql.ref(`product.${column}`)));

/** More rows than the index has of a low stock. */
const anyRows = 1_000_000;

const lowStock = sql`select id from ${sql.table(products.name)} where stock_thousandths < ${parameter('stockBelow')}`;

/** No planner looks into a `case`: of a bare comparison it would assume a third of the products, or none. */
const isLow = sql`case when product.stock_thousandths < ${parameter('stockBelow')} then 1 end is not null`;

/** What no word is: it fills the places of words that a term does not have. */
const noWord = '';

/**
 * Compiles the statements of a search, one for each shape: which kinds of sources it has, which filters, which order.
 *
 * SQL by hand, because the builder has no unions of limited selects that all databases take. The sizes stand in the text, so that
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

  const { window, speculation } = dialect.search;
  const prefixes = new RecentPrefixes();

  /** The products of a table of ids, which is called `hits`. */
  const productsOf = (hits: RawBuilder<unknown>, selected = columns) =>
    sql`select ${selected} from ${hits} as hits
      ${dialect.search.joinEach(sql.table(products.name), sql`product`, sql`hits.product_id`)}`;
  const most = dialect.limit(parameter('limit'));

  /** The products of a table of ids that have the terms of the probes, up to the parameter `limit`. */
  const found = (hits: RawBuilder<unknown>, looked: Looked, probes: readonly Source[]) =>
    sql`${productsOf(hits)} where ${conditionsOf(looked.filter, [...probes.keys()], dialect.search)}
      order by hits.product_id ${directionOf(looked).order} limit ${most}`;

  /** Compiles a statement of a window once for each shape. */
  const compileWindow = (part: string, looked: Looked, size: number, text: CompileWindow) => {
    const { streams, probes, shape, values } = shapeOf(looked);
    const statement = memoized(`search_${part}_${size}_${shape}`, () => {
      const direction = directionOf(looked);
      return text({
        streams: streams.map((source, index) => streamOf(source, index, direction)),
        size,
        direction,
        found: (hits) => found(hits, looked, probes),
      });
    });
    return { statement, streams, values };
  };

  /** Where the next rows of each stream end. */
  const findEnds = async (
    session: Pick<ReadSession, 'query'>,
    compileEnds: CompileWindow,
    looked: Looked,
    { after, size }: Pick<WindowPosition, 'after' | 'size'>,
  ): Promise<readonly End[]> => {
    const { statement, streams, values } = compileWindow('ends', looked, size, compileEnds);
    // A stream with few rows is read whole, and then the others do not have to be read.
    if (streams.every((source) => source.kind === 'range' && source.isFew)) return endsOf(undefined, streams);
    const [row] = await session.query<Row>(statement, bind(statement, { ...values, after }));
    return endsOf(row, streams);
  };

  /** The products that have all terms, among the next rows of each stream, and where these rows end. */
  const findWindow = async (
    session: Pick<ReadSession, 'query'>,
    looked: Looked,
    { after, limit, size }: WindowPosition,
  ): Promise<FoundWindow> => {
    if ('endsAndFound' in window) {
      const { statement, streams, values } = compileWindow('window', looked, size, window.endsAndFound);
      const rows = await session.query<Row>(statement, bind(statement, { ...values, after, limit }));
      // Where nothing was found, a row has the ends alone.
      return { rows: rows.filter(({ id }) => id !== null), ends: endsOf(rows[0], streams) };
    }
    const ends = await findEnds(session, window.ends, looked, { after, size });
    const farthest = looked.isDescending ? idBounds.least : idBounds.greatest;
    const bound = nearestEnd(ends, looked) ?? farthest;
    const { statement, values } = compileWindow('window', looked, size, window.found);
    const rows = await session.query<Row>(statement, bind(statement, { ...values, after, limit, bound }));
    return { rows, ends };
  };

  /** Counts the products with so little in stock, up to one more than `maxSortedRows`. */
  const countLow = memoized(
    'search_low_count',
    () => sql`select count(*) as row_count from (${lowStock} limit ${sql.lit(maxSortedRows + 1)}) as low`,
  );

  /** The products that have all terms, among those with little in stock: these are few enough to be sorted. */
  const findLow = (looked: Looked, after: string, limit: number): BoundStatement => {
    const { probes, shape, values } = shapeOf(looked);
    const statement = memoized(`search_low_${shape}`, () => {
      const { isBehind, order } = directionOf(looked);
      // The limit has the planner read the index of stocks, and not all products in the order of their ids.
      return found(
        sql`(select id as product_id from (${lowStock} limit ${sql.lit(anyRows)}) as low
          where id ${isBehind} ${parameter('after')} order by id ${order})`,
        looked,
        probes,
      );
    });
    return { statement, values: bind(statement, { ...values, after, limit }) };
  };

  /** The products that have all terms, each product looked at in turn. */
  const findWalk = (looked: Looked, after: string, limit: number): BoundStatement => {
    const { probes, shape, values } = shapeOf(looked);
    // As pages do: PostgreSQL takes an unknown limit to be a tenth of the table, and would sort all of it.
    const { maxGenericPlanRows = 0 } = dialect;
    const isShort = limit <= maxGenericPlanRows;
    const statement = memoized(`search_walk_${isShort ? 'short_' : ''}${shape}`, () => {
      const { isBehind, order } = directionOf(looked);
      const rows = sql`select ${columns} from ${sql.table(products.name)} as product
        where ${conditionsOf(looked.filter, [...probes.keys()], dialect.search)} and product.id ${isBehind} ${parameter('after')}
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
   * @returns undefined when neither holds, or when the database does not tell
   */
  const speculate = async (
    session: Pick<ReadSession, 'query'>,
    { terms, filter, isDescending }: Guess,
    { after, limit, size }: WindowPosition,
  ): Promise<{ readonly sources: readonly Source[]; readonly found: FoundWindow } | undefined> => {
    const now = performance.now();
    if (speculation === undefined || terms.some(({ low }) => prefixes.has(low, now))) return undefined;
    const sources = terms.map((bounds): Source => ({ kind: 'words', words: [bounds.low], ...bounds }));
    const looked: Looked = { sources, filter, isDescending };
    const { shape, values } = shapeOf(looked);
    for (const [index, { low, high }] of terms.entries())
      Object.assign(values, {
        [`low_${index}`]: low,
        [`high_${index}`]: high,
        [`from_${index}`]: low,
        [`to_${index}`]: high,
      });
    const statement = memoized(`search_speculate_${size}_${shape}`, () =>
      speculation({
        ...{ count: terms.length, size, direction: directionOf(looked), columns, productsOf, most },
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
    const ends = held === 'whole' ? endsOf(rows[0], sources) : [];
    return { sources, found: { rows: rows.filter(({ id }) => id !== null), ends } };
  };

  return { findWindow, findWalk, findLow, countLow, speculate };
};

/** What is assumed to be whole words. */
export interface Guess extends Pick<Looked, 'filter' | 'isDescending'> {
  readonly terms: readonly Bounds[];
}

/** Where a stream ends in a window. A stream without an end has no rows behind those that were read. */
interface End {
  readonly source: Source;
  readonly id: string | undefined;
}

interface WindowPosition {
  readonly after: string;
  /** How many products are found at most. */
  readonly limit: number;
  /** How many rows of each stream belong to the window. */
  readonly size: number;
}

interface FoundWindow {
  readonly rows: readonly Row[];
  readonly ends: readonly End[];
}

const endsOf = (row: Row | undefined, streams: readonly Source[]): readonly End[] =>
  streams.map((source, index) => {
    const id = row?.[`last_${index}`] ?? null;
    return { source, id: id === null ? undefined : String(id) };
  });

/** The end that comes first. @returns undefined when no stream has one */
export const nearestEnd = (
  ends: readonly End[],
  { isDescending }: Pick<Looked, 'isDescending'>,
): string | undefined => {
  const ids = ends.flatMap(({ id }) => (id === undefined ? [] : [id])).toSorted();
  return isDescending ? ids.at(-1) : ids[0];
};

/** The sources in an order of their kinds, so that few shapes have a statement. */
const shapeOf = ({ sources, filter, isDescending }: Looked) => {
  const rank = (source: Source) => (source.kind === 'words' ? source.words.length : 100);
  const streams = sources
    .filter((source) => source.kind !== 'probe')
    .toSorted((one, other) => rank(one) - rank(other));
  const probes = sources.filter((source) => source.kind === 'probe');
  const values: Record<string, Value> = {};
  for (const [index, source] of streams.entries()) {
    if (source.kind === 'words')
      for (let place = 0; place < maxWords; place += 1)
        values[`word_${index}_${place}`] = source.words[place] ?? noWord;
    else Object.assign(values, { [`low_${index}`]: source.low, [`high_${index}`]: source.high });
  }
  for (const [index, source] of probes.entries())
    Object.assign(values, { [`from_${index}`]: source.low, [`to_${index}`]: source.high });
  const kinds = streams.map((source) =>
    source.kind === 'range' ? 'r' : source.words.length > 1 ? 'm' : 'o',
  );
  const filters = Object.entries(filter).filter(([, value]) => value !== undefined);
  Object.assign(values, Object.fromEntries(filters));
  const shape = [
    `${kinds.join('')}${'p'.repeat(probes.length)}`,
    ...filters.map(([field]) => field).sort(),
    ...(isDescending ? ['desc'] : []),
  ];
  return { streams, probes, values, shape: shape.join('_') };
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
