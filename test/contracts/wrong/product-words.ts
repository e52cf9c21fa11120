import type { ProductWordsStore } from '#application/ports/product-words.ts';
import { Page } from '#application/ports/repositories.ts';
import type { ProductId } from '#domain/product.ts';
import { type ProductWords, Search } from '#domain/search.ts';
import { describeProductWords } from '../product-words.ts';
import { type WrongAdapter, withMethods, wrongInWork, wrongRepositories } from './wrapping.ts';

/** A memory store whose words of products have some other methods. */
const wrongWords = (wrap: (right: ProductWordsStore) => Partial<ProductWordsStore>) =>
  wrongRepositories(({ productWords: right }) => ({ productWords: withMethods(right, wrap(right)) }));

/** A unit of work that finds committed products overlooks those whose words it has added itself. */
const ownWordsOverlooked = (method: 'search' | 'between') => () =>
  wrongInWork(({ productWords: right }) => {
    const own = new Set<ProductId>();
    const committed = <T>(all: readonly T[], idOf: (each: T) => ProductId) => {
      const found = all.filter((each) => !own.has(idOf(each)));
      return found.length > 0 ? found : all;
    };
    const methods: Pick<ProductWordsStore, typeof method> = {
      search: async (search, request) => {
        const { rows, hasMore } = await right.search(search, request);
        return { rows: committed(rows, ({ id }) => id), hasMore };
      },
      between: async (range) => committed(await right.between(range), ({ productId }) => productId),
    };
    return {
      productWords: withMethods(right, {
        add: (list) => {
          for (const { productId } of list) own.add(productId);
          return right.add(list);
        },
        [method]: methods[method],
      }),
    };
  });

/** Adapters that find other products by words than they should. */
export const wrongProductWords: readonly WrongAdapter[] = [
  [
    'a search for any of the words',
    () =>
      wrongWords((right) => ({
        search: (search, request) => right.search({ ...search, terms: search.terms.slice(0, 1) }, request),
      })),
    describeProductWords,
    'find the products that have all of them, by whole words and by prefixes',
    'find what the reference finds, in every script',
  ],
  [
    'a search that takes every word for a prefix',
    () =>
      wrongWords((right) => ({
        search: ({ terms, filter }, request) =>
          right.search({ terms: terms.map((term) => ({ ...term, isPrefix: true })), filter }, request),
      })),
    describeProductWords,
    'find the products that have all of them, by whole words and by prefixes',
    'find by tags, as wholes',
  ],
  [
    'a search that ignores the filter',
    () =>
      wrongWords((right) => ({
        search: ({ terms }, request) => right.search({ terms, filter: {} }, request),
      })),
    describeProductWords,
    'find by status and SKU too',
  ],
  [
    'a search that finds SKUs without case',
    () =>
      wrongWords((right) => ({
        search: ({ terms, filter }, request) =>
          right.search(
            { terms, filter: { ...filter, ...(filter.sku && { sku: filter.sku.toLowerCase() }) } },
            request,
          ),
      })),
    describeProductWords,
    'find by status and SKU too',
  ],
  [
    'a search that takes a stock that is not counted for an empty one',
    () =>
      wrongRepositories(({ products, productWords: right }) => ({
        productWords: withMethods(right, {
          search: async ({ terms, filter: { stockBelow, ...filter } }, { after, limit, order }) => {
            const { rows } = await (terms.length === 0
              ? products.page(filter, { limit: 10_000, order })
              : right.search({ terms, filter }, { limit: 10_000, order }));
            const low = rows.filter(({ stock }) => stockBelow === undefined || Number(stock) < stockBelow);
            const start = after === undefined ? 0 : low.findIndex(({ id }) => id === after) + 1;
            return Page.of(low.slice(start, start + limit + 1), limit);
          },
        }),
      })),
    describeProductWords,
    'find counted stocks that are lower than a given one, also without any word',
    'find what the reference finds, in every script',
  ],
  [
    'a search that ignores accents by itself',
    () =>
      wrongWords((right) => ({
        add: (list) =>
          right.add(
            list.map(({ productId, words }) => ({
              productId,
              words: new Set([...words].map((word) => word.normalize('NFD').replaceAll(/\p{M}/gu, ''))),
            })),
          ),
      })),
    describeProductWords,
    'find what the reference finds, in every script',
  ],
  [
    'words that are cut at 40 characters',
    () =>
      wrongWords((right) => {
        const cut = (list: readonly ProductWords[]) =>
          list.map(({ productId, words }) => ({
            productId,
            words: new Set([...words].map((word) => [...word].slice(0, 40).join(''))),
          }));
        return { add: (list) => right.add(cut(list)), replace: (list) => right.replace(cut(list)) };
      }),
    describeProductWords,
    'find by words and tags up to the last of 41 characters',
  ],
  [
    'a search for the first 40 characters of a word',
    () =>
      wrongWords((right) => ({
        search: ({ terms, filter }, request) =>
          right.search(
            {
              terms: terms.map(({ text, isPrefix }) => ({
                text: [...text].slice(0, 40).join(''),
                isPrefix: isPrefix || [...text].length > 40,
              })),
              filter,
            },
            request,
          ),
      })),
    describeProductWords,
    'find by words and tags up to the last of 41 characters',
  ],
  [
    'a search whose pages begin anew',
    () =>
      wrongWords((right) => ({
        search: (search, { after: _, ...request }) => right.search(search, request),
      })),
    describeProductWords,
    'find pages in the order of ids, which continue behind the last product',
  ],
  [
    'a search in ascending order alone',
    () =>
      wrongWords((right) => ({
        search: (search, { order: _, ...request }) => right.search(search, request),
      })),
    describeProductWords,
    'find pages in the order of ids, which continue behind the last product',
  ],
  [
    'a search that stops early',
    () =>
      wrongWords((right) => ({
        search: async (search, request) => {
          const { rows } = await right.search(search, { limit: 1_000, order: request.order });
          const { after, limit } = request;
          const start = after === undefined ? 0 : rows.findIndex(({ id }) => id === after) + 1;
          return Page.of(rows.slice(start, start + limit + 1), limit);
        },
      })),
    describeProductWords,
    'find as many as there are, of common words and of prefixes with many words',
  ],
  [
    'words that are added to those before',
    () =>
      wrongWords((right) => ({
        replace: async (list) => {
          for (const { productId, words } of list) {
            const all = await right.between({});
            const before = all.find((each) => each.productId === productId)?.words ?? new Set();
            await right.replace([{ productId, words: before.union(words) }]);
          }
        },
      })),
    describeProductWords,
    'stay when a product changes, until they are replaced',
    'are replaced for each product of a list, and leave the index where there are none',
  ],
  [
    'words that follow the product by themselves',
    () =>
      wrongRepositories(({ products, productWords }) => ({
        products: withMethods(products, {
          save: async (product) => {
            await products.save(product);
            await productWords.replace([{ productId: product.id, words: Search.wordsOf(product) }]);
          },
        }),
      })),
    describeProductWords,
    'stay when a product changes, until they are replaced',
  ],
  [
    'only the first of a list',
    () => wrongWords((right) => ({ add: (list) => right.add(list.slice(0, 1)) })),
    describeProductWords,
    'find pages in the order of ids, which continue behind the last product',
  ],
  [
    'replacements of the first 50 products alone',
    () => wrongWords((right) => ({ replace: (list) => right.replace(list.slice(0, 50)) })),
    describeProductWords,
    'are replaced of as many products as an import has in a batch, and again',
  ],
  [
    'words that are replaced once at most',
    () => {
      const replaced = new Set<string>();
      return wrongWords((right) => ({
        replace: async (list) => {
          await right.replace(list.filter(({ productId }) => !replaced.has(productId)));
          for (const { productId } of list) replaced.add(productId);
        },
      }));
    },
    describeProductWords,
    'are replaced of as many products as an import has in a batch, and again',
  ],
  ...(['search', 'between'] as const).map(
    (method): WrongAdapter => [
      `words of a unit of work that ${method} does not find beside others`,
      ownWordsOverlooked(method),
      describeProductWords,
      'are seen by the unit of work that changes them, and by no other before it commits',
    ],
  ),
  [
    'a range that begins with its first id',
    () =>
      wrongWords((right) => ({
        between: async ({ after, upTo }) =>
          (await right.between({ upTo })).filter(
            ({ productId }) => after === undefined || productId >= after,
          ),
      })),
    describeProductWords,
    'are read in ranges of ids, with those of products that do not exist',
  ],
  [
    'a range without its last id',
    () =>
      wrongWords((right) => ({
        between: async (range) =>
          (await right.between(range)).filter(({ productId }) => productId !== range.upTo),
      })),
    describeProductWords,
    'are read in ranges of ids, with those of products that do not exist',
  ],
];
