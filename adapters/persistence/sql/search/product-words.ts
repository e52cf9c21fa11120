import { type ProductWordRow, productWords } from '#adapters/persistence/schema/entities/product-word.ts';
import type {
  ProductRange,
  ProductSearch,
  ProductWordsStore,
  SearchPageRequest,
} from '#application/ports/product-words.ts';
import type { Page } from '#application/ports/repositories.ts';
import type { Product, ProductId } from '#domain/product.ts';
import type { ProductWords } from '#domain/search.ts';
import { type Builder, compile, parameter } from '../builder.ts';
import type { Dialect } from '../dialect.ts';
import type { TableSession } from '../session.ts';
import { compileTable } from '../statements.ts';
import { idBounds } from './ids.ts';
import { compileSearch } from './search.ts';

export const compileProductWords = (builder: Builder, dialect: Dialect) => ({
  table: compileTable(builder, productWords, dialect),
  search: compileSearch(builder, dialect),
  between: compile(
    'product_words_between',
    builder
      .selectFrom(productWords.name)
      .select(['product_id', 'word'])
      .where('product_id', '>', parameter('after'))
      .where('product_id', '<=', parameter('up_to'))
      .orderBy('product_id'),
  ),
});

/** The words of products over one session: a row for each word of each product. */
export class SqlProductWords implements ProductWordsStore {
  readonly #session: TableSession;
  readonly #compiled: ReturnType<typeof compileProductWords>;

  constructor(session: TableSession, compiled: ReturnType<typeof compileProductWords>) {
    this.#session = session;
    this.#compiled = compiled;
  }

  search(search: ProductSearch, request: SearchPageRequest): Promise<Page<Product>> {
    return this.#compiled.search(this.#session, search, request);
  }

  async between({ after, upTo }: ProductRange): Promise<readonly ProductWords[]> {
    const values = [after ?? idBounds.least, upTo ?? idBounds.greatest];
    const rows = await this.#session.query<ProductWordRow>(this.#compiled.between, values);
    const found = new Map<ProductId, Set<string>>();
    for (const { product_id: productId, word } of rows) {
      const words = found.get(productId) ?? new Set();
      found.set(productId, words.add(word));
    }
    return [...found].map(([productId, words]) => ({ productId, words }));
  }

  async add(list: readonly ProductWords[]): Promise<void> {
    const rows = list.flatMap(({ productId, words }) =>
      Array.from(words, (word) => ({ word, product_id: productId })),
    );
    if (rows.length > 0) await this.#session.insertAll(this.#compiled.table, rows);
  }

  async replace(list: readonly ProductWords[]): Promise<void> {
    for (const { productId } of list) await this.#session.remove(this.#compiled.table, [productId]);
    await this.add(list);
  }
}
