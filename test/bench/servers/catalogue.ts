/** Products of a server, read through its API. */
export interface Catalogue {
  readonly ids: readonly string[];
  /** Active products without counted stock: they can be ordered without limit. */
  readonly uncounted: readonly string[];
  /** Cursors of all pages, in order. */
  readonly cursors: readonly string[];
}

/** The fields of a product that the benchmark needs. */
export interface ProductView {
  readonly id: string;
  readonly stock: number | null;
  readonly status: string;
  readonly price: { readonly amount: number; readonly currency: string };
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
      if (stock === null && status === 'active') uncounted.push(id);
    }
    cursor = pagination.next_cursor;
    if (cursor !== null) cursors.push(cursor);
  }
  return { ids, uncounted, cursors };
};
