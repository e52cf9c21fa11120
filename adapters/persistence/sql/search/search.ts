import { products } from '#adapters/persistence/schema/entities/product.ts';
import type { Row } from '#adapters/persistence/schema/entities/table.ts';
import type { ProductSearch, SearchPageRequest } from '#application/ports/product-words.ts';
import { Page } from '#application/ports/repositories.ts';
import type { Product } from '#domain/product.ts';
import type { Quantity } from '#domain/quantity.ts';
import type { Builder } from '../builder.ts';
import type { Dialect } from '../dialect.ts';
import type { ReadSession } from '../session.ts';
import { maxSortedRows } from './dialect.ts';
import { idBounds } from './ids.ts';
import { compileStatements, type Looked, nearestEnd } from './statements.ts';
import { among, boundsOf, compileSources, type Source } from './term-plan.ts';

/** The rows of each term in the first window, and in the later ones. Windows grow, because the smaller ones found too little. */
const windowRows = [1_024, 4_096, 16_384] as const;

/** The rows of each term in the window of a speculation. It is larger, because it saves a round trip if it suffices. */
const speculatedRows = 2_048;

/**
 * Makes a function that lists the products that have all terms.
 *
 * The products of a word are in the index in the order of their ids. So a window of the next rows of each term is read, and
 * what is in all of them is found, up to the id where the first window ends (a merge in steps). That costs a bounded number of
 * rows for each step, whatever the planner expects of a word. Where few products have little in stock, these are looked at instead.
 */
export const compileSearch = (builder: Builder, dialect: Dialect) => {
  const findSources = compileSources(builder, dialect.search);
  const { findWindow, findWalk, findLow, countLow, speculate } = compileStatements(builder, dialect);

  const isRare = async (session: Pick<ReadSession, 'query'>, stockBelow: Quantity): Promise<boolean> => {
    const [row] = await session.query<{ readonly row_count: number }>(countLow, [stockBelow]);
    return Number(row?.row_count) <= maxSortedRows;
  };

  return async (
    session: Pick<ReadSession, 'query'>,
    { terms, filter }: ProductSearch,
    { after, limit, order = 'ascending' }: SearchPageRequest,
  ): Promise<Page<Product>> => {
    const isDescending = order === 'descending';
    let position: string = after ?? (isDescending ? idBounds.greatest : idBounds.least);
    const probes = terms.map((term): Source => ({ kind: 'probe', ...boundsOf(term) }));
    // At most one product has an SKU, so it is looked at first.
    const isOfOne = filter.sku !== undefined;
    if (!isOfOne && filter.stockBelow !== undefined && (await isRare(session, filter.stockBelow))) {
      const low = findLow({ sources: probes, filter, isDescending }, position, limit + 1);
      return Page.of((await session.query<Row>(low.statement, low.values)).map(productOf), limit);
    }
    const hasSources = !isOfOne && terms.length > 0;
    const guessed = hasSources
      ? await speculate(
          session,
          { terms: terms.map(boundsOf), filter, isDescending },
          { after: position, limit: limit + 1, size: speculatedRows },
        )
      : undefined;
    const sources = guessed?.sources ?? (hasSources ? await findSources(session, terms) : probes);
    if (sources.some((source) => source.kind === 'words' && source.words.length === 0)) return Page.empty;
    const looked: Looked = { sources, filter, isDescending };

    if (sources.every(({ kind }) => kind === 'probe')) {
      const { statement, values } = findWalk(looked, position, limit + 1);
      return Page.of((await session.query<Row>(statement, values)).map(productOf), limit);
    }

    const rows: Product[] = [];
    let window = looked;
    for (let step = 0; ; step += 1) {
      const size = windowRows[step] ?? windowRows[windowRows.length - 1] ?? 0;
      const needed = limit + 1 - rows.length;
      const isGuessed = step === 0 && guessed !== undefined;
      const found = isGuessed
        ? guessed.found
        : await findWindow(session, window, { after: position, limit: needed, size });
      rows.push(...found.rows.map(productOf));
      const first = nearestEnd(found.ends, looked);
      // Behind the end that comes first, another stream has rows that were not read.
      if (rows.length > limit || first === undefined) return Page.of(rows, limit);
      position = first;
      const whole = found.ends.find(({ id }) => id === undefined);
      if (whole !== undefined)
        window = { ...looked, sources: among(looked.sources.indexOf(whole.source), looked.sources) };
    }
  };
};

/** The statements select the columns of a product, so the row has the types of its table. */
const productOf = (row: Row): Product => products.fromRow(row as never);
