import { Quantity } from '#domain/quantity.ts';

/**
 * The first seeded product is active and has the largest stock there can be, so that one counted product can be ordered for
 * as long as a run takes.
 */
export const fullStock = {
  product: 1,
  sql: `update products set status = 'active', stock_thousandths = ${Quantity.max} where sku = 'SEED-0000001'`,
};

/** Products of a server, read through its API. */
export interface Catalogue {
  readonly ids: readonly string[];
  /** Active products without counted stock: they can be ordered without limit. */
  readonly uncounted: readonly string[];
  /** The active product with the largest counted stock. */
  readonly counted: string;
  /** Cursors of all pages, in order. */
  readonly cursors: readonly string[];
}

/** The fields of a product that the benchmark needs. */
export interface ProductView {
  readonly id: string;
  readonly stock: number | null;
  readonly quantity_step: number | null;
  readonly status: string;
  readonly price: { readonly amount: number; readonly currency: string };
  readonly image_urls: readonly string[];
  readonly tags: readonly string[];
  readonly tax_rate: number | null;
  readonly metadata: Readonly<Record<string, string>>;
}

interface Listed {
  readonly data: readonly ProductView[];
  readonly pagination: { readonly next_cursor: string | null };
}

interface WalkOptions {
  /** Called for each product. */
  readonly onProduct?: (product: ProductView) => void;
  /** Products on a page. */
  readonly pageSize?: number;
}

/** Reads all pages of products. */
export const readCatalogue = async (
  port: number,
  token: string,
  { onProduct: meet = () => undefined, pageSize: step = 100 }: WalkOptions = {},
): Promise<Catalogue> => {
  const [ids, uncounted, cursors]: [string[], string[], string[]] = [[], [], []];
  let [counted, largest] = ['', 0];
  let cursor: string | null = '';
  while (cursor !== null) {
    const place: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const response = await fetch(`http://127.0.0.1:${port}/v1/products?limit=${step}${place}`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    const { data, pagination } = (await response.json()) as Listed;
    for (const product of data) {
      const { id, stock, status } = product;
      meet(product);
      ids.push(id);
      if (status !== 'active') continue;
      if (stock === null) uncounted.push(id);
      else if (stock > largest) [counted, largest] = [id, stock];
    }
    cursor = pagination.next_cursor;
    if (cursor !== null) cursors.push(cursor);
  }
  return { ids, uncounted, counted, cursors };
};
