import { type RawBuilder, sql } from 'kysely';
import { products } from '#adapters/persistence/schema/entities/product.ts';
import { productWords } from '#adapters/persistence/schema/entities/product-word.ts';
import type { Row, Value } from '#adapters/persistence/schema/entities/table.ts';
import type { ProductSearch } from '#application/ports/product-words.ts';
import { type Builder, compile, parameter } from '../builder.ts';
import type { Dialect } from '../dialect.ts';
import type { ReadSession } from '../session.ts';
import type { BoundStatement, CompiledStatement } from '../sql-table.ts';
import { type CompileWindow, maxWords, type SearchDialect } from './dialect.ts';
import { idBounds } from './ids.ts';
import { directionOf, streamOf } from './streams.ts';
import type { Source } from './terms.ts';

export interface Looked {
  readonly sources: readonly Source[];
  readonly filter: ProductSearch['filter'];
  readonly isDescending: boolean;
}

const table = sql.table(productWords.name);
const columns = sql.join(products.columns.map((column) => sql.ref(`product.${column}`)));

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

  const { window } = dialect.search;

  /** Compiles a statement of a window once for each shape. */
  const compileWindow = (part: string, looked: Looked, size: number, text: CompileWindow) => {
    const { streams, probes, shape, values } = shapeOf(looked);
    const statement = memoized(`search_${part}_${size}_${shape}`, () => {
      const direction = directionOf(looked);
      return text({
        streams: streams.map((source, index) => streamOf(source, index, direction)),
        size,
        direction,
        found: (hits) => sql`select ${columns} from ${hits} as hits
          ${dialect.search.joinEach(sql.table(products.name), sql`product`, sql`hits.product_id`)}
          where ${conditionsOf(looked, probes, dialect.search)}
          order by hits.product_id ${direction.order} limit ${dialect.limit(parameter('limit'))}`,
      });
    });
    return { statement, streams, values };
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
    const ending = compileWindow('ends', looked, size, window.ends);
    const [row] = await session.query<Row>(
      ending.statement,
      bind(ending.statement, { ...ending.values, after }),
    );
    const ends = endsOf(row, ending.streams);
    const farthest = looked.isDescending ? idBounds.least : idBounds.greatest;
    const bound = nearestEnd(ends, looked) ?? farthest;
    const { statement, values } = compileWindow('window', looked, size, window.found);
    const rows = await session.query<Row>(statement, bind(statement, { ...values, after, limit, bound }));
    return { rows, ends };
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
        where ${conditionsOf(looked, probes, dialect.search)} and product.id ${isBehind} ${parameter('after')}
        order by product.id ${order}`;
      const most = dialect.limit(parameter('limit'));
      return isShort
        ? sql`select * from (${rows} limit ${sql.lit(maxGenericPlanRows)}) as page order by id ${order} limit ${most}`
        : sql`${rows} limit ${most}`;
    });
    return { statement, values: bind(statement, { ...values, after, limit }) };
  };

  return { findWindow, findWalk };
};

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
  { filter }: Looked,
  probes: readonly Source[],
  { indexOfProducts = sql`` }: SearchDialect,
): RawBuilder<unknown> => {
  const filters = Object.entries(filter)
    .filter(([, value]) => value !== undefined)
    .map(([field]) => sql`${sql.ref(`product.${field}`)} = ${parameter(field)}`);
  const has = probes.map(
    (
      _,
      index,
    ) => sql`(select 1 from ${table} as probed ${indexOfProducts} where probed.product_id = product.id
      and probed.word >= ${parameter(`from_${index}`)} and probed.word <= ${parameter(`to_${index}`)} limit 1) = 1`,
  );
  const all = [...filters, ...has];
  return all.length === 0 ? sql`1 = 1` : sql.join(all, sql` and `);
};

const bind = ({ parameters }: CompiledStatement, values: Readonly<Record<string, Value>>): readonly Value[] =>
  parameters.map((name) => values[name] ?? null);
