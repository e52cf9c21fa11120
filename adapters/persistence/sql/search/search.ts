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
import { compileStatements, nearestEnd, type SearchPlan } from './statements.ts';
import { among, boundsOf, compileTermPlans, type TermPlan } from './term-plan.ts';

/** How many rows of each posting list the first step reads, and the later ones. Steps grow, because the smaller ones found too little. */
const rowsPerStep = [1_024, 4_096, 16_384] as const;

/** How many rows of each list a search in a single round trip reads. More than a step, because it saves a round trip if they suffice. */
const singleRoundTripRows = 2_048;

/**
 * Makes a function that lists the products that have all terms.
 *
 * The index is inverted: it lists the products of a word in the order of their ids (a posting list). Each step intersects the
 * next rows of each list, up to the id where the first of them ends. It reads a bounded number of rows, whatever the planner
 * expects of a word. Where few products have little in stock, these are checked instead.
 */
export const compileSearch = (builder: Builder, dialect: Dialect) => {
  const planTerms = compileTermPlans(builder, dialect.search);
  const { findStep, findWalk, findLow, countLow, findInOneRoundTrip } = compileStatements(builder, dialect);

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
    const probes = terms.map((term): TermPlan => ({ kind: 'probe', ...boundsOf(term) }));
    // At most one product has an SKU, so it is found first.
    const isOneProduct = filter.sku !== undefined;
    if (!isOneProduct && filter.stockBelow !== undefined && (await isRare(session, filter.stockBelow))) {
      const low = findLow({ terms: probes, filter, isDescending }, position, limit + 1);
      return Page.of((await session.query<Row>(low.statement, low.values)).map(productOf), limit);
    }
    const hasPlans = !isOneProduct && terms.length > 0;
    const assumed = hasPlans
      ? await findInOneRoundTrip(
          session,
          { terms: terms.map(boundsOf), filter, isDescending },
          { after: position, limit: limit + 1, size: singleRoundTripRows },
        )
      : undefined;
    const plans = assumed?.plans ?? (hasPlans ? await planTerms(session, terms) : probes);
    if (plans.some((term) => term.kind === 'words' && term.words.length === 0)) return Page.empty;
    const plan: SearchPlan = { terms: plans, filter, isDescending };

    if (plans.every(({ kind }) => kind === 'probe')) {
      const { statement, values } = findWalk(plan, position, limit + 1);
      return Page.of((await session.query<Row>(statement, values)).map(productOf), limit);
    }

    const rows: Product[] = [];
    let remaining = plan;
    for (let step = 0; ; step += 1) {
      const size = rowsPerStep[step] ?? rowsPerStep[rowsPerStep.length - 1] ?? 0;
      const needed = limit + 1 - rows.length;
      const isAssumed = step === 0 && assumed !== undefined;
      const found = isAssumed
        ? assumed.found
        : await findStep(session, remaining, { after: position, limit: needed, size });
      rows.push(...found.rows.map(productOf));
      const first = nearestEnd(found.ends, plan);
      // Behind the end that comes first, another list has rows that were not read.
      if (rows.length > limit || first === undefined) return Page.of(rows, limit);
      position = first;
      const whole = found.ends.find(({ id }) => id === undefined);
      if (whole !== undefined)
        remaining = { ...plan, terms: among(plan.terms.indexOf(whole.term), plan.terms) };
    }
  };
};

/** The statements select the columns of a product, so the row has the types of its table. */
const productOf = (row: Row): Product => products.fromRow(row as never);
