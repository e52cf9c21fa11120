import type {
  ProductRange,
  ProductSearch,
  ProductWordsStore,
  SearchPageRequest,
} from '#application/ports/product-words.ts';
import { Page } from '#application/ports/repositories.ts';
import type { Product } from '#domain/product.ts';
import { type ProductWords, Search } from '#domain/search.ts';
import type { Draft } from './rows.ts';

const noWords: ReadonlySet<string> = new Set();

/** The words of products, by product: a search checks each product in turn. */
export class MemoryProductWords implements ProductWordsStore {
  readonly #draft: Draft<ProductWords>;
  readonly #products: Draft<Product>;

  constructor(draft: Draft<ProductWords>, products: Draft<Product>) {
    this.#draft = draft;
    this.#products = products;
  }

  async search({ terms, filter }: ProductSearch, request: SearchPageRequest): Promise<Page<Product>> {
    const { after, limit, order } = request;
    const rows: Product[] = [];
    for (const product of this.#products.walk(after, order)) {
      if (filter.status !== undefined && product.status !== filter.status) continue;
      if (filter.sku !== undefined && product.sku !== filter.sku) continue;
      if (filter.stockBelow !== undefined && !(product.stock !== null && product.stock < filter.stockBelow))
        continue;
      const { words } = this.#draft.get(product.id) ?? { words: noWords };
      if (terms.every((term) => Search.matches(words, term))) rows.push(product);
      if (rows.length > limit) break;
    }
    return Page.of(rows, limit);
  }

  async between({ after, upTo }: ProductRange): Promise<readonly ProductWords[]> {
    const found: ProductWords[] = [];
    for (const each of this.#draft.walk(after)) {
      if (upTo !== undefined && each.productId > upTo) break;
      found.push(each);
    }
    return found;
  }

  async add(list: readonly ProductWords[]): Promise<void> {
    for (const each of list) if (each.words.size > 0) this.#draft.put(each.productId, each);
  }

  async replace(list: readonly ProductWords[]): Promise<void> {
    for (const each of list) this.#draft.put(each.productId, each.words.size > 0 ? each : undefined);
  }
}
