import { Instant } from '#domain/instant.ts';
import type { Product, ProductId } from '#domain/product.ts';
import { type ProductWords, Search } from '#domain/search.ts';
import type { ProductWordsStore } from '../ports/product-words.ts';
import type { Repositories } from '../ports/repositories.ts';
import type { Clock } from '../ports/system.ts';
import type { UnitOfWork } from '../ports/unit-of-work.ts';

/** How many products one step reads. Bounds how many words it holds, and how long it locks products. */
const batchSize = 50;

/** How often all products are compared with their words, in milliseconds: hourly, and after a start. */
export const reindexIntervalMs = 60 * 60 * 1000;

/** How many products one run compares with their words, so that it does not keep the other jobs waiting. */
const productsPerRun = 2_000;

export interface ReindexedBatch {
  /** How many products were compared with their words. */
  readonly products: number;
  /** How many of them had other words than their texts, and products that are gone but had words. */
  readonly changed: number;
  /** Where the next step begins; undefined at the end. */
  readonly next: ProductId | undefined;
}

/**
 * Makes a function that compares a batch of products with their words, and replaces the words that differ: of products from
 * before there was an index, or that a process of an earlier release has changed. It is safe to run at any time, in several
 * processes at once.
 * @param after the product behind which the batch begins; undefined for the first
 */
export const reindexer =
  (unitOfWork: UnitOfWork) =>
  async (after: ProductId | undefined): Promise<ReindexedBatch> => {
    const { products, stored, next } = await unitOfWork.read(async (repositories) => {
      const page = await repositories.products.page({}, { after, limit: batchSize });
      const last = page.hasMore ? page.rows.at(-1)?.id : undefined;
      const words = await repositories.productWords.between({ after, upTo: last });
      return { products: page.rows, stored: words, next: last };
    });
    const different = differences(products, stored);
    if (different.length > 0) await unitOfWork.run((repositories) => replaceWords(repositories, different));
    return { products: products.length, changed: different.length, next };
  };

/**
 * Makes the job that compares all products with their words: each run from where the last one ended, and from the beginning
 * again an interval after the end.
 */
export const reindexJob = ({
  unitOfWork,
  clock,
}: {
  readonly unitOfWork: UnitOfWork;
  readonly clock: Clock;
}) => {
  const reindex = reindexer(unitOfWork);
  let after: ProductId | undefined;
  let endedAt: Instant | undefined;

  /** An end in the future was before the clock was set back. */
  const isWaiting = (now: Instant): boolean =>
    endedAt !== undefined && endedAt <= now && now < Instant.plus(endedAt, reindexIntervalMs);

  return async (signal?: AbortSignal) => {
    let done = 0;
    const now = clock.now();
    for (let compared = 0; compared < productsPerRun && !isWaiting(now) && !signal?.aborted; ) {
      const batch = await reindex(after);
      compared += batch.products;
      done += batch.changed;
      after = batch.next;
      endedAt = after === undefined ? now : undefined;
    }
    return { done, errors: [] as readonly unknown[] };
  };
};

/** The ids whose words are not those of the product, in ascending order. */
const differences = (products: readonly Product[], stored: readonly ProductWords[]): ProductId[] => {
  const words = new Map(stored.map((each) => [each.productId, each.words]));
  const changed = products.filter((product) => {
    const before = words.get(product.id);
    words.delete(product.id);
    const after = Search.wordsOf(product);
    return before === undefined || before.size !== after.size || !after.isSubsetOf(before);
  });
  const gone = [...words.keys()];
  return [...changed.map(({ id }) => id), ...gone].sort();
};

/** Under the locks of the products, so that a change that comes meanwhile is not lost. */
const replaceWords = async (
  { products, productWords }: Repositories,
  ids: readonly ProductId[],
): Promise<void> => {
  const locked = new Map((await products.lockBy('id', ids)).map((product) => [product.id, product]));
  const none: ReadonlySet<string> = new Set();
  await productWords.replace(
    ids.map((productId) => {
      const product = locked.get(productId);
      return { productId, words: product === undefined ? none : Search.wordsOf(product) };
    }),
  );
};

/** Adds the words of new products. */
export const indexNew = (productWords: ProductWordsStore, products: readonly Product[]): Promise<void> =>
  productWords.add(products.map(indexed));

/** Replaces the words of changed products, where their texts are others than before. */
export const indexChanged = async (
  productWords: ProductWordsStore,
  changes: readonly (readonly [before: Product, after: Product])[],
): Promise<void> => {
  const reworded = changes.filter(([before, after]) => Search.changesWords(before, after));
  if (reworded.length > 0) await productWords.replace(reworded.map(([, after]) => indexed(after)));
};

const indexed = (product: Product): ProductWords => ({
  productId: product.id,
  words: Search.wordsOf(product),
});
