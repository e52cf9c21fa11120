import { type RawBuilder, sql } from 'kysely';
import { products } from '#adapters/persistence/schema/entities/product.ts';
import { productWords } from '#adapters/persistence/schema/entities/product-word.ts';
import type { Value } from '#adapters/persistence/schema/entities/table.ts';
import type { ProductSearch } from '#application/ports/product-words.ts';
import { type Builder, compile, parameter } from '../builder.ts';
import type { Dialect } from '../dialect.ts';
import type { BoundStatement, CompiledStatement } from '../sql-table.ts';
import { maxWords, type Source } from './terms.ts';

export interface Looked {
  readonly sources: readonly Source[];
  readonly filter: ProductSearch['filter'];
  readonly isDescending: boolean;
}

const table = sql.table(productWords.name);
const columns = sql.join(products.columns.map((column) => sql.ref(`product.${column}`)));

/** More rows than a range has. */
const anyRows = 1_000_000;

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
  dialect: Pick<Dialect, 'limit' | 'isOneOf' | 'rowsOfWord' | 'maxGenericPlanRows'>,
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
      const names = streams.map((_, index) => sql.ref(`stream_${index}`));
      const ends = names.map(
        (name, index) => sql`(select product_id from ${name} order by product_id ${direction.last} limit 1)
          as ${sql.ref(`last_${index}`)}, (select count(*) from ${name}) as ${sql.ref(`rows_${index}`)}`,
      );
      const hits = sql.join(
        names.map((name) => sql`select product_id from ${name}`),
        sql` intersect `,
      );
      return sql`with ${sql.join(
        streams.map(
          (source, index) => sql`${names[index]} as (${streamOf(source, index, size, direction, dialect)})`,
        ),
      )}
        select ${sql.join(ends)}, found.* from (select 1 as one) as single left join (
          select ${columns} from ${sql.table(products.name)} as product
          where ${dialect.isOneOf(sql`product.id`, hits)} and ${conditionsOf(looked, probes, hidden)}
          order by product.id ${direction.next} limit ${dialect.limit(parameter('limit'))}
        ) as found on 1 = 1 order by found.id ${direction.next}`;
    });
    return { statement, values: bind(statement, { ...values, after, limit }), streams };
  };

  /** The products that have all terms, each product looked at in turn. */
  const findWalk = (looked: Looked, after: string, limit: number): BoundStatement => {
    const { probes, shape, values } = shapeOf(looked);
    // As pages do: PostgreSQL takes an unknown limit to be a tenth of the table, and would sort all of it.
    const { maxGenericPlanRows = 0 } = dialect;
    const isShort = limit <= maxGenericPlanRows;
    const statement = memoized(`search_walk_${isShort ? 'short_' : ''}${shape}`, () => {
      const { isBehind, next } = directionOf(looked);
      const rows = sql`select ${columns} from ${sql.table(products.name)} as product
        where ${conditionsOf(looked, probes, plain)} and product.id ${isBehind} ${parameter('after')}
        order by product.id ${next}`;
      const most = dialect.limit(parameter('limit'));
      return isShort
        ? sql`select * from (${rows} limit ${sql.lit(maxGenericPlanRows)}) as page order by id ${next} limit ${most}`
        : sql`${rows} limit ${most}`;
    });
    return { statement, values: bind(statement, { ...values, after, limit }) };
  };

  return { findWindow, findWalk };
};

const directionOf = ({ isDescending }: Looked) =>
  isDescending
    ? { isDescending, isBehind: sql`<`, next: sql`desc`, last: sql`asc` }
    : { isDescending, isBehind: sql`>`, next: sql`asc`, last: sql`desc` };

type Direction = ReturnType<typeof directionOf>;

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

/** The next rows of a term, in the order of ids. A product is there once for each of the term's words. */
const streamOf = (
  source: Source,
  index: number,
  size: number,
  { isBehind, next, isDescending }: Direction,
  { rowsOfWord }: Pick<Dialect, 'rowsOfWord'>,
) => {
  const behind = sql`product_id ${isBehind} ${parameter('after')}`;
  const sorted = sql`order by product_id ${next} limit ${sql.lit(size)}`;
  if (source.kind === 'words') {
    const ofWord = (place: number) => {
      const word = parameter(`word_${index}_${place}`);
      const { condition, order } = rowsOfWord?.(word, isDescending) ?? {
        condition: sql`word = ${word} and ${behind}`,
        order: sql`product_id ${next}`,
      };
      return sql`select product_id from ${table} where ${condition} order by ${order} limit ${sql.lit(size)}`;
    };
    if (source.words.length <= 1) return ofWord(0);
    const words = Array.from(
      { length: maxWords },
      (_, place) => sql`select product_id from (${ofWord(place)}) as ${sql.ref(`word_${place}`)}`,
    );
    return sql`select product_id from (${sql.join(words, sql` union `)}) as words ${sorted}`;
  }
  // The limit has the planner read the range, which is small, and not all products in the order of their ids.
  return sql`select distinct product_id from (
      select product_id from ${table} where word >= ${parameter(`low_${index}`)} and word <= ${parameter(`high_${index}`)}
      limit ${sql.lit(anyRows)}
    ) as range_${sql.lit(index)} where ${behind} ${sorted}`;
};

const plain = (field: string) => sql`${sql.ref(`product.${field}`)}`;

/** Hides a column from its index: products that have all words are few, and those with a status are many. */
const hidden = (field: string) => sql`coalesce(${plain(field)}, '')`;

/** A scalar subquery, which every planner runs for one product after the other, by the index. */
const conditionsOf = (
  { filter }: Looked,
  probes: readonly Source[],
  columnOf: (field: string) => RawBuilder<unknown>,
): RawBuilder<unknown> => {
  const filters = Object.entries(filter)
    .filter(([, value]) => value !== undefined)
    .map(([field]) => sql`${columnOf(field)} = ${parameter(field)}`);
  const has = probes.map(
    (_, index) => sql`(select 1 from ${table} as probed where probed.product_id = product.id
      and probed.word >= ${parameter(`from_${index}`)} and probed.word <= ${parameter(`to_${index}`)} limit 1) = 1`,
  );
  const all = [...filters, ...has];
  return all.length === 0 ? sql`1 = 1` : sql.join(all, sql` and `);
};

const bind = ({ parameters }: CompiledStatement, values: Readonly<Record<string, Value>>): readonly Value[] =>
  parameters.map((name) => values[name] ?? null);
