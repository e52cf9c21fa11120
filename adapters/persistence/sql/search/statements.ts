import { type RawBuilder, sql } from 'kysely';
import { products } from '#adapters/persistence/schema/entities/product.ts';
import { productWords } from '#adapters/persistence/schema/entities/product-word.ts';
import type { Value } from '#adapters/persistence/schema/entities/table.ts';
import type { ProductSearch } from '#application/ports/product-words.ts';
import { type Builder, compile, parameter } from '../builder.ts';
import type { Dialect } from '../dialect.ts';
import type { BoundStatement, CompiledStatement } from '../sql-table.ts';
import { idBounds } from './ids.ts';
import { directionOf, streamOf } from './streams.ts';
import { maxWords, type Source } from './terms.ts';

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

  /** The products that have all terms, among those of the next rows of each stream. Each row tells where the streams end. */
  const findWindow = (
    looked: Looked,
    after: string,
    limit: number,
    size: number,
  ): BoundStatement & { readonly streams: readonly Source[] } => {
    const { streams, probes, shape, values } = shapeOf(looked);
    const statement = memoized(`search_window_${size}_${shape}`, () => {
      const direction = directionOf(looked);
      const product = sql`product`;
      return dialect.search.window({
        streams: streams.map((source, index) => streamOf(source, index, direction, dialect.search)),
        size,
        direction,
        found: (hits) => sql`select ${columns} from ${hits} as hits
          ${dialect.search.joinEach(sql.table(products.name), product, sql`hits.product_id`)}
          where ${conditionsOf(looked, probes)}
          order by hits.product_id ${direction.order} limit ${dialect.limit(parameter('limit'))}`,
      });
    });
    const farthest = looked.isDescending ? idBounds.least : idBounds.greatest;
    return { statement, values: bind(statement, { ...values, after, limit, farthest }), streams };
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
        where ${conditionsOf(looked, probes)} and product.id ${isBehind} ${parameter('after')}
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
const conditionsOf = ({ filter }: Looked, probes: readonly Source[]): RawBuilder<unknown> => {
  const filters = Object.entries(filter)
    .filter(([, value]) => value !== undefined)
    .map(([field]) => sql`${sql.ref(`product.${field}`)} = ${parameter(field)}`);
  const has = probes.map(
    (_, index) => sql`(select 1 from ${table} as probed where probed.product_id = product.id
      and probed.word >= ${parameter(`from_${index}`)} and probed.word <= ${parameter(`to_${index}`)} limit 1) = 1`,
  );
  const all = [...filters, ...has];
  return all.length === 0 ? sql`1 = 1` : sql.join(all, sql` and `);
};

const bind = ({ parameters }: CompiledStatement, values: Readonly<Record<string, Value>>): readonly Value[] =>
  parameters.map((name) => values[name] ?? null);
