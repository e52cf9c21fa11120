import type { Product, ProductDetails, ProductId } from '#domain/product.ts';
import type { Quantity } from '#domain/quantity.ts';
import type { ProductWords, SearchTerm } from '#domain/search.ts';
import type { CreationPeriod, Page, PageRequest, PaidPeriod } from './page.ts';

/** What to search for: products that have all terms, and all values of the filter. */
export interface ProductSearch {
  /** At least one, unless the filter has a stock. */
  readonly terms: readonly SearchTerm[];
  readonly filter: {
    readonly status?: ProductDetails['status'];
    readonly sku?: string;
    /** Finds counted stocks that are lower. */
    readonly stockBelow?: Quantity;
  };
}

export type SearchPageRequest = Omit<PageRequest<ProductId>, keyof (CreationPeriod & PaidPeriod)>;

/** Ids in ascending order: all behind `after`, up to `upTo` and with it. Without an end it goes as far as there are ids. */
export interface ProductRange {
  readonly after?: ProductId | undefined;
  readonly upTo?: ProductId | undefined;
}

/**
 * The index of the words of products, for reading. It sees what the collections see. Words are compared and returned code
 * point by code point, and are stored whole: up to 41 code points.
 */
export interface ProductWordsReader {
  /**
   * Lists the products that have all terms: the text of a term is one of their words or, for a prefix, the begin of one. It
   * lists products as a page of the collection does, in the same order and with the same promises for walks. Words of a product
   * that does not exist find nothing.
   */
  search(search: ProductSearch, request: SearchPageRequest): Promise<Page<Product>>;

  /** The words of every product in the range that has any, in ascending order of id, also of those that do not exist. */
  between(range: ProductRange): Promise<readonly ProductWords[]>;
}

/**
 * The index in a unit of work. Its changes commit or roll back with all others of the unit of work.
 *
 * The index knows only what it is given: adding, changing or removing a product changes no words. The unit of work that changes
 * the words of a product has added the product or holds its lock.
 */
export interface ProductWordsStore extends ProductWordsReader {
  /** Adds the words of products that have none, in bulk. */
  add(list: readonly ProductWords[]): Promise<void>;

  /** Replaces all words of each product, in bulk; a product without words is removed from the index. No product may appear twice. */
  replace(list: readonly ProductWords[]): Promise<void>;
}
